"""Versions of management APIs of Azure, made of the models in the wheels of PyPI `azure-mgmt-…`.

A wheel holds one folder of models for each version of an API, or one folder alone; then its releases are the versions.
A model says of each field where it stands in JSON (`properties.displayName` is `displayName` of an object
`properties`), its type, and in the docstring its text. The wire decides here: such objects stay objects, and fields
have their names in JSON. What a discriminator tells apart is one object with the fields of all its models. A resource
type is a model with `id`, `name`, `type` and more, of which no others are made; `id` is its name. Only code is read; none of it runs.
"""

from __future__ import annotations

import ast
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import yaml

from benchmarks.published.options import download
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.kernel.json import Json, JsonObject, encode

LOCKED = Path(__file__).with_name("azure_wheels.yaml")
_MODELS = re.compile(r"(?:v(\d{4}_\d{2}_\d{2}\w*)/)?models/(\w+)\.py")
_ENTRY = re.compile(r"^\s*:(\w+) (?:[\w.]+ )?(\w+):(.*?)(?=^\s*:\w+ [^\n:]*:|\Z)", re.MULTILINE | re.DOTALL)
_ENUM = re.compile(r"\bEnum\b")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_REFERENCE = re.compile(r"[~<`.](\w+)\W*$")
# The generator of the code writes these into texts, not the definition of the API.
_GENERATED = re.compile(
    r"^Required\. ?|(?<=[.\s])Required\.(?=\s|$)|(?:Possible values include|Known values are): .*$|\s*Default value: .*$"
)
_PLAIN: Mapping[str, Json] = {
    "str": "string",
    "int": "i64",
    "long": "i64",
    "float": "f64",
    "bool": "bool",
    "bytearray": "bytes",
    "base64": "bytes",
    "iso-8601": "timestamp",
    "rfc-1123": "timestamp",
    "date": "date",
    "duration": "duration",
    "decimal": "decimal",
}
_OF_EVERY_RESOURCE = frozenset({"id", "name", "type", "location", "tags", "etag", "eTag", "systemData"})
Key = tuple[str, ...]  # the names on the way to a field in JSON


@dataclass(frozen=True, slots=True)
class Attribute:
    """What a model says of a field: its type, the enum or model that the text of its type names, and its text."""

    type: str
    named: str = ""
    text: str = ""


@dataclass(slots=True)
class Models:
    """The models and enums of one version."""

    fields: dict[str, dict[Key, Attribute]] = field(default_factory=dict)
    subtypes: dict[str, list[str]] = field(default_factory=dict)
    enums: dict[str, list[str]] = field(default_factory=dict)
    bases: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Version:
    """A version of an API: its name and, as the IR has it, its schema."""

    name: str
    schema: JsonObject

    @property
    def resources(self) -> set[str]:
        """Name its resource types."""
        inner = self.schema["schema"]
        found = inner["resources"] if isinstance(inner, dict) else None
        return set(found) if isinstance(found, dict) else set()


def wheels(folder: Path) -> dict[str, list[Path]]:
    """Fetch the locked wheels once, by package, the oldest release first."""
    folder.mkdir(exist_ok=True)
    found: dict[str, list[Path]] = {}
    for package, releases in yaml.safe_load(LOCKED.read_text()).items():
        for release, digest in releases.items():
            pattern = f"azure_mgmt_{package}-{release}-*.whl"
            if not any(folder.glob(pattern)):
                download(folder, f"azure-mgmt-{package}=={release}", digest)
            found.setdefault(package, []).append(next(folder.glob(pattern)))
    return found


def version_pairs(releases: Iterable[Path]) -> Iterator[tuple[Version, Version]]:
    """Pair the versions of an API: releases that hold one version each, or the versions in one release.

    The versions of several APIs may lie side by side in a release. Each is paired with the newest older one that declares
    at least half of its resource types.
    """
    held = [read_wheel(each) for each in releases]
    if all(len(each) == 1 for each in held):
        yield from pairwise(versions[0] for versions in held)
        return
    for versions in held:
        for index, newer in enumerate(versions):
            for older in reversed(versions[:index]):
                if 0 < len(newer.resources) <= 2 * len(newer.resources & older.resources):
                    yield older, newer
                    break


def read_wheel(wheel: Path) -> list[Version]:
    """Read the versions in a wheel, the oldest first; the only one is named as the release."""
    package, release = wheel.name.removeprefix("azure_mgmt_").split("-")[:2]
    codes: dict[str, list[bytes]] = {}
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        for name in sorted(names):
            match = _MODELS.fullmatch(name.removeprefix(f"azure/mgmt/{package}/"))
            has_twin = name.replace(".py", "_py3.py") in names  # the same models, for older interpreters
            if match is not None and match[2] not in ("__init__", "_patch") and not has_twin:
                codes.setdefault(match[1] or "", []).append(packed.read(name))
    ordered = sorted(codes, key=lambda each: (each[:10], "preview" not in each))
    return [
        Version(each.replace("_", "-") or release, schema_of(read_models(codes[each]))) for each in ordered
    ]


def models_folder(service: str, pair: tuple[Version, Version]) -> ServiceFolder:
    """Load two versions without an edge between them."""
    listed = ", ".join(
        f"{{version: v{index}, ordinal: {index}, sources: [{{kind: ir, path: v{index}.json}}]}}"
        for index in (1, 2)
    )
    sources = {f"v{index}.json": encode(each.schema) for index, each in enumerate(pair, start=1)}
    return read_files({"service.yaml": f"service: {service}\nversions: [{listed}]\n".encode(), **sources})


def read_models(codes: Iterable[bytes]) -> Models:
    """Read the models and enums that files declare."""
    found = Models()
    for code in codes:
        for each in ast.parse(code).body:
            if isinstance(each, ast.ClassDef):
                _read_class(each, found)
    return found


def _read_class(given: ast.ClassDef, found: Models) -> None:
    values: dict[str, ast.expr] = {
        target.id: each.value
        for each in given.body
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    if any(_ENUM.search(ast.unparse(base)) for base in given.bases):
        symbols = [each.value for each in values.values() if isinstance(each, ast.Constant)]
        if symbols:
            found.enums[given.name] = list(dict.fromkeys(map(str, symbols)))
        return
    if "_attribute_map" not in values:
        return
    found.bases |= {ast.unparse(base).rpartition(".")[2] for base in given.bases}
    texts, named = _documents(ast.get_docstring(given) or "")
    attributes: dict[Key, Attribute] = {}
    for name, each in _literal(values.get("_attribute_map")).items():
        key = tuple(re.split(r"(?<!\\)\.", each["key"]))
        if all(map(_IDENTIFIER.fullmatch, key)):
            attributes[key] = Attribute(each["type"], named.get(name, ""), texts.get(name, ""))
    found.fields[given.name] = attributes
    for told in _literal(values.get("_subtype_map")).values():
        found.subtypes[given.name] = list(told.values())


def _literal(given: ast.expr | None) -> dict[str, dict[str, str]]:
    found = ast.literal_eval(given) if given is not None else {}
    assert isinstance(found, dict)
    return found


def _documents(docstring: str) -> tuple[dict[str, str], dict[str, str]]:
    """Take the text of each attribute, and the last name in what is said of its type."""
    texts: dict[str, str] = {}
    named: dict[str, str] = {}
    for kind, name, text in _ENTRY.findall(docstring):
        joined = " ".join(text.split())
        if kind in ("ivar", "param", "keyword"):
            texts[name] = _GENERATED.sub("", joined).strip()
        elif match := _REFERENCE.search(joined):
            named[name] = match[1]
    return texts, named


def schema_of(models: Models) -> JsonObject:
    """Write the models of a version as the IR has them."""
    types: JsonObject = {name: {"enum": [*symbols]} for name, symbols in models.enums.items()}
    resources: JsonObject = {}
    for name in models.fields:
        tree = _tree(_all_fields(models, name))
        types[name] = _object(models, tree)
        own = {key for key, each in tree.items() if isinstance(each, dict) or key not in _OF_EVERY_RESOURCE}
        is_base = name in models.bases and name not in models.subtypes
        if own and not is_base and {"id", "name", "type"} <= tree.keys():
            resources[name] = {"patterns": [f"{name.lower()}/{{id}}"], "nameField": "id"}
    return {"schema": {"types": types, "resources": resources}}


def _all_fields(models: Models, name: str) -> dict[Key, Attribute]:
    """Give the fields of a model and of those that a discriminator tells apart from it.

    A field that these models have with different types is any object.
    """
    own = models.fields.get(name, {})
    found = dict(own)
    for each in models.subtypes.get(name, []):
        for key, attribute in _all_fields(models, each).items():
            known = found.setdefault(key, attribute)
            if key not in own and known.type != attribute.type:
                found[key] = Attribute("object", text=known.text)
    return found


Tree = dict[str, "Attribute | Tree"]


def _tree(fields: Mapping[Key, Attribute]) -> Tree:
    """Nest fields as they stand in JSON; of a field and an object of one name the first counts."""
    found: Tree = {}
    for key, attribute in fields.items():
        at: Attribute | Tree = found
        for part in key[:-1]:
            at = at.setdefault(part, {}) if isinstance(at, dict) else at
        if isinstance(at, dict):
            at.setdefault(key[-1], attribute)
    return found


def _object(models: Models, tree: Tree) -> Json:
    fields: JsonObject = {
        name: {"type": _object(models, each)}
        if isinstance(each, dict)
        else {"type": _type(models, each.type, each.named), "description": each.text}
        for name, each in tree.items()
    }
    return {"object": {"fields": fields}} if fields else "struct"


def _type(models: Models, given: str, named: str) -> Json:
    """Write a type; a text of which the document names an enum has its symbols."""
    if given[:1] == "[":
        return {"list": {"item": _type(models, given[1:-1], named)}}
    if given[:1] == "{":
        return {"map": {"value": _type(models, given[1:-1], named)}}
    if given == "str" and named in models.enums:
        return {"ref": named}
    if models.fields.get(given) or given in models.enums:
        return {"ref": given}
    return _PLAIN.get(given, "struct")

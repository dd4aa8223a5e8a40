"""Modules of Ansible as resource types, and renames of their options that a newer release declares itself.

A module's documentation lists its options, each with a type, a text and the names that it is known by too (`aliases`).
An option whose name goes, and is from then on an alias of an option that comes, was renamed: the release says so, no
person does. Modules stand in folders of one subject each; a folder is one service. Only documentation is read, out of the
published archives; no code of the modules runs.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import yaml

from benchmarks.published.evolutions import Truth
from migrations_app.domain.conversion.planning.matching import are_one_name
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.domain.schema.loaders.ir_types import camel
from migrations_app.kernel.json import Json, JsonObject, encode

# Of each release the SHA-256 of its archive; adjacent ones are pairs of versions.
RELEASES = {
    "2.3.3.0": "da2a715f6ca14a76001cc0f4bd1e44024328b3c2dad2c946dc9c7ed2d7c30afa",
    "2.9.27": "479159e50b3bd90920d06bc59410c3a51d3f9be9b4e1029e11d1e4a2d0705736",
    "4.10.0": "88af9479e81a3931bb3a1b8c4eeb252cd4f38c03daafd6a5aa120d6b0d70d45c",
}
NAME_FIELD = "resource_name"  # the option `name` of a module is an option as any other one
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_MODULE = re.compile(
    r"/(?:lib/ansible/modules/(?:(.*)/)?|ansible_collections/(\w+/\w+)/plugins/modules/(?:.*/)?)_?(\w+)\.py$"
)
_MARKED = re.compile(r"\b[BCIMOV]\(([^()]*)\)")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TYPES: Mapping[str, Json] = {"int": "i64", "float": "f64", "bool": "bool", "dict": "struct"}
Options = Mapping[str, JsonObject]
Modules = Mapping[str, Options]
Release = dict[str, dict[str, Options]]  # by folder the options of each module


def archives(folder: Path) -> list[Path]:
    """Fetch the locked archives once, the oldest release first.

    Once: an archive is kept beside the others; one whose hash differs is refused by pip.
    """
    folder.mkdir(exist_ok=True)
    found: list[Path] = []
    for release, digest in RELEASES.items():
        archive = folder / f"ansible-{release}.tar.gz"
        if not archive.is_file():
            download(folder, f"ansible=={release}", digest)
        found.append(archive)
    return found


def download(folder: Path, requirement: str, digest: str) -> None:
    """Fetch the archive of a requirement that has this SHA-256."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
        wanted.write(f"{requirement} --hash=sha256:{digest}\n")
        wanted.flush()
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", f"--dest={folder}"]
        subprocess.run([*command, "--require-hashes", "--requirement", wanted.name], check=True)


def read_releases(archives: Sequence[Path]) -> list[Release]:
    """Read releases; of the newest, which none follows, only the modules that the one before has."""
    found = [read_release(each) for each in archives[:-1]]
    known = {name for modules in found[-1].values() for name in modules}
    return [*found, read_release(archives[-1], known)]


def read_release(archive: Path, only: Collection[str] | None = None) -> Release:
    """Read what the modules in an archive document, by folder; a collection of later releases is one folder.

    A collection may hold a module in two of its folders, under one name.
    """
    found: Release = defaultdict(dict)
    with tarfile.open(archive) as packed:
        for member in packed:
            place = _MODULE.search(member.name)
            if place is None or not member.isfile() or "/tests/" in member.name:
                continue
            if only is not None and place[3] not in only:
                continue
            data = packed.extractfile(member)
            options = _options(data.read()) if data else None
            if options:
                found[place[1] or place[2] or ""][place[3]] = options
    return found


def _options(code: bytes) -> Options | None:
    try:
        statements = ast.parse(code).body
    except SyntaxError:
        return None
    for each in statements:
        named = isinstance(each, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "DOCUMENTATION" for target in each.targets
        )
        if named and isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant):
            try:
                document = yaml.load(str(each.value.value), Loader=_LOADER)
            except yaml.YAMLError:
                return None
            return _named(document.get("options")) if isinstance(document, dict) else None
    return None


def _named(options: object) -> Options:
    """Keep the options whose names a field can have."""
    found = options.items() if isinstance(options, dict) else ()
    return {
        name: option
        for name, option in found
        if isinstance(option, dict) and isinstance(name, str) and _IDENTIFIER.fullmatch(name)
    }


def pair_modules(old: Release, new: Release) -> dict[str, tuple[Modules, Modules]]:
    """List by older folder the modules that both releases have once, wherever the newer one keeps them."""
    places: dict[str, list[Options]] = defaultdict(list)
    for modules in new.values():
        for name, options in modules.items():
            places[name].append(options)
    found: dict[str, tuple[Modules, Modules]] = {}
    for folder, modules in sorted(old.items()):
        kept = [name for name in sorted(modules) if len(places[name]) == 1]
        if kept:
            found[folder] = {each: modules[each] for each in kept}, {each: places[each][0] for each in kept}
    return found


def declared_renames(old: Options, new: Options, owner: str) -> Iterator[Truth]:
    """List the options that go, of which one option that comes says that it is known by their name, on every level."""
    became: dict[str, str] = {}
    for name in old:
        heirs = [other for other in new if other not in old and name in _aliases(new[other])]
        if name not in new and len(heirs) == 1:
            became[name] = heirs[0]
            # Else edges take both for one by themselves, and nothing is to be found.
            if camel(name) != camel(heirs[0]) and not are_one_name(name, heirs[0]):
                yield owner, name, heirs[0]
    for name, option in old.items():
        fellow = new.get(became.get(name, name))
        if fellow is not None:
            inner = _named(option.get("suboptions")), _named(fellow.get("suboptions"))
            yield from declared_renames(*inner, f"{owner}.{name}")


def renames_of(old: Modules, new: Modules) -> list[list[str]]:
    """List the renames of all modules, as a file of truth has them."""
    return [list(each) for name in old for each in declared_renames(old[name], new[name], type_name(name))]


def _aliases(option: JsonObject) -> list[Json]:
    listed = option.get("aliases")
    return listed if isinstance(listed, list) else [listed]


def modules_folder(service: str, versions: Mapping[str, Modules]) -> ServiceFolder:
    """Load two releases of the modules of one folder without an edge between them."""
    listed = ", ".join(
        f"{{version: v{index}, ordinal: {index}, sources: [{{kind: ir, path: v{index}.json}}]}}"
        for index, _ in enumerate(versions, start=1)
    )
    sources = {
        f"v{index}.json": encode(_schema(modules)) for index, modules in enumerate(versions.values(), start=1)
    }
    return read_files({"service.yaml": f"service: {service}\nversions: [{listed}]\n".encode(), **sources})


def type_name(module: str) -> str:
    """Name the type that a module is."""
    return "".join(each[:1].upper() + each[1:] for each in module.split("_"))


def _schema(modules: Modules) -> JsonObject:
    types: JsonObject = {}
    resources: JsonObject = {}
    for module, options in modules.items():
        types[type_name(module)] = _object({NAME_FIELD: {}, **options})
        resources[type_name(module)] = {
            "patterns": [f"{module.lower().replace('_', '')}/{{id}}"],
            "nameField": NAME_FIELD,
        }
    return {"schema": {"types": types, "resources": resources}}


def _object(options: Options) -> JsonObject:
    fields: JsonObject = {
        name: {"type": _type(option), "description": _text(option.get("description"))}
        for name, option in options.items()
    }
    return {"object": {"fields": fields}}


def _type(option: JsonObject) -> Json:
    """Write the type of an option; one that says none is text, or a flag where it is or chooses between yes and no."""
    kind, choices, default = option.get("type"), option.get("choices"), option.get("default")
    single = option.get("elements") if kind == "list" else kind
    inner = _named(option.get("suboptions"))
    written: Json = _object(inner) if inner else _TYPES.get(str(single), "string")
    if isinstance(choices, list) and choices and written == "string":
        if all(map(_is_flag, choices)):
            written = "bool"
        elif len(set(map(str, choices))) == len(choices) and all(
            isinstance(each, str) and _IDENTIFIER.fullmatch(each) for each in choices
        ):
            written = {"enum": choices}
    elif kind is None and written == "string" and _is_flag(default):
        written = "bool"
    return {"list": {"item": written}} if kind == "list" else written


def _is_flag(given: Json) -> bool:
    return isinstance(given, bool) or given in ("yes", "no")


def _text(description: Json) -> str:
    """Join the paragraphs of a text, and mark names as other definitions do."""
    parts = description if isinstance(description, list) else [description]
    joined = " ".join(" ".join(str(each).split()) for each in parts if each is not None)
    return _MARKED.sub(r"`\1`", joined)

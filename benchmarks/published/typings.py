"""Custom resource definitions made of published TypeScript declarations of Kubernetes resources, all versions of a group.

The packages of npm `kubernetes-models` say of each version of each resource what its definition said when they were
built: names, types, which fields are required, and documents. Only declarations are read; no code of them runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from migrations_app.kernel.json import Json, JsonObject, encode

_TOKEN = re.compile(
    r"""\s+|(?P<doc>/\*\*.*?\*/)|(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<word>[\w$]+)|(?P<mark>[{}\[\]<>()|?:;=,&.])""",
    re.DOTALL,
)
_DECLARED = re.compile(r"export (?:interface (\w+)(?: extends [^{]*)? (?={)|type (\w+) = )")
_RENAMED = re.compile(r"(\w+) as (\w+)")
_VERSION = re.compile(r"v\d+(?:(?:alpha|beta)\d+)?$")
_PLAIN: Mapping[str, JsonObject] = {
    "string": {"type": "string"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
}
_OPAQUE: JsonObject = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
_NULL: JsonObject = {"type": "null"}
_ANYTHING = frozenset({"null", "any", "unknown"})
_SHARED, _MOST = (
    "IIoK8sApiCoreV1",
    40,
)  # types of pods that have so many parts are told no further in each resource
Versions = dict[str, dict[str, JsonObject]]  # by version the schema of every kind


@dataclass(slots=True)
class Declarations:
    """The declared types of packages, by the name that other files import."""

    types: dict[str, JsonObject] = field(default_factory=dict)
    kinds: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)  # of a group and version

    def schema(self, name: str, above: tuple[str, ...] = ()) -> JsonObject:
        """Write out a type with all that it refers to; what refers to itself is not told further."""
        if name in above or name not in self.types:
            return _OPAQUE
        found = self._written(self.types[name], (*above, name))
        assert isinstance(found, dict)
        return _OPAQUE if name.startswith(_SHARED) and above and _size(found) > _MOST else found

    def _written(self, given: Json, above: tuple[str, ...]) -> Json:
        if isinstance(given, list):
            return [self._written(each, above) for each in given]
        if not isinstance(given, dict):
            return given
        if isinstance(reference := given.get("$ref"), str):
            told = {"description": given["description"]} if "description" in given else {}
            return {**self.schema(reference, above), **told}
        return {key: self._written(each, above) for key, each in given.items()}


def _size(given: Json) -> int:
    """Count what a schema consists of."""
    if isinstance(given, dict):
        return 1 + sum(map(_size, given.values()))
    return sum(map(_size, given)) if isinstance(given, list) else 0


class TypeReader:
    """Reads one type at a place of a text."""

    def __init__(self, text: str, at: int) -> None:
        self._tokens = self._split(text, at)
        self._next = next(self._tokens, ("", ""))

    @staticmethod
    def _split(text: str, at: int) -> Iterator[tuple[str, str]]:
        while match := _TOKEN.match(text, at):
            at = match.end()
            if match.lastgroup:
                yield match.lastgroup, match.group()

    def _take(self) -> str:
        _, text = self._next
        self._next = next(self._tokens, ("", ""))
        return text

    def _is(self, text: str) -> bool:
        return self._next[1] == text

    def type(self) -> JsonObject:
        """Read a type, alternatives of it included."""
        members = [self._listed()]
        while self._is("|"):
            self._take()
            members.append(self._listed())
        members = [each for each in members if each != _NULL] or [_OPAQUE]
        if len(members) == 1:
            return members[0]
        if all("enum" in each for each in members):
            symbols: list[Json] = []
            for each in members:
                listed = each["enum"]
                symbols += listed if isinstance(listed, list) else []
            return {"type": "string", "enum": symbols}
        if sorted(str(each.get("type")) for each in members) == ["number", "string"]:
            return {"x-kubernetes-int-or-string": True}
        return _OPAQUE

    def _listed(self) -> JsonObject:
        """Read a type, and the marks of a list behind it."""
        found = self._single()
        while self._is("["):
            self._take()
            self._take()
            found = {"type": "array", "items": found}
        return found

    def _single(self) -> JsonObject:
        kind, text = self._next
        self._take()
        if kind == "text":
            return {"type": "string", "enum": [text[1:-1]]}
        if text == "{":
            return self._members()
        if text == "Array" and self._is("<"):
            self._take()
            item = self.type()
            self._take()
            return {"type": "array", "items": item}
        if text in _ANYTHING:
            return _NULL if text == "null" else _OPAQUE
        return dict(_PLAIN[text]) if text in _PLAIN else {"$ref": text}

    def _members(self) -> JsonObject:
        fields: JsonObject = {}
        required: list[Json] = []
        others: JsonObject | None = None
        while not self._is("}") and self._next[0]:
            document = _document(self._take()) if self._next[0] == "doc" else ""
            name = self._take()
            if name == "[":
                while self._take() not in ("]", ""):
                    continue
                self._take()
                others = self.type()
            else:
                optional = self._is("?")
                while self._take() not in (":", ""):
                    continue
                plain = name.strip("\"'")
                fields[plain] = {**self.type(), **({"description": document} if document else {})}
                required += [] if optional else [plain]
            if self._is(";"):
                self._take()
        self._take()
        if others is not None and not fields:
            return {"type": "object", "additionalProperties": others}
        if not fields:
            return _OPAQUE
        return {"type": "object", "properties": fields, **({"required": required} if required else {})}


def _document(comment: str) -> str:
    lines = (line.strip().removeprefix("*").strip() for line in comment[3:-2].splitlines())
    return " ".join(line for line in lines if line).replace("\\*", "*")


def read_declarations(package: Path, found: Declarations) -> None:
    """Read what the files of a package declare; what was declared before stays."""
    for path in sorted(package.rglob("*.d.ts")):
        home = path.relative_to(package).parent.as_posix()
        if path.name == "index.d.ts" or home.startswith("_schemas"):
            continue
        text = path.read_text()
        names = dict(_RENAMED.findall(text))
        for match in _DECLARED.finditer(text):
            short = match[1] or match[2]
            full = names.get(short, f"{package.name}/{home}/{short}")
            if full not in found.types:
                found.types[full] = TypeReader(text, match.end()).type()
                _note_kind(found, home, full, found.types[full])


def _note_kind(found: Declarations, home: str, name: str, schema: JsonObject) -> None:
    group, _, version = home.rpartition("/")
    fields = schema.get("properties")
    kind = fields.get("kind") if isinstance(fields, dict) else None
    symbols = kind.get("enum") if isinstance(kind, dict) else None
    if not isinstance(symbols, list) or not isinstance(fields, dict) or not _VERSION.match(version):
        return
    if {"apiVersion", "metadata"} <= set(fields) and not str(symbols[0]).endswith("List"):
        found.kinds.setdefault((group, version), {})[str(symbols[0])] = name


def histories(packages: list[Path]) -> dict[str, Versions]:
    """List by group the versions of its kinds; of a version in several packages, as the first one has it."""
    found: dict[str, Versions] = {}
    declared = Declarations()
    for package in packages:
        declared.kinds.clear()
        read_declarations(package, declared)
        for (group, version), kinds in declared.kinds.items():
            found.setdefault(group, {}).setdefault(
                version, {kind: declared.schema(name) for kind, name in kinds.items()}
            )
    return {group: versions for group, versions in sorted(found.items()) if len(versions) > 1}


def definitions(group: str, versions: Versions) -> bytes:
    """Write the custom resource definitions of a group, each with the versions that have its kind."""
    kinds = dict.fromkeys(kind for schemas in versions.values() for kind in schemas)
    return encode(
        {
            "kind": "List",
            "items": [
                {
                    "kind": "CustomResourceDefinition",
                    "spec": {
                        "group": group,
                        "scope": "Namespaced",
                        "names": {"kind": kind, "singular": kind.lower(), "plural": f"{kind.lower()}s"},
                        "versions": [
                            {"name": version, "schema": {"openAPIV3Schema": _object(schemas[kind])}}
                            for version, schemas in versions.items()
                            if kind in schemas
                        ],
                    },
                }
                for kind in kinds
            ],
        }
    )


def _object(schema: JsonObject) -> JsonObject:
    """Let `apiVersion` and `kind` be texts, as definitions have them."""
    fields = schema.get("properties")
    assert isinstance(fields, dict)
    return {**schema, "properties": {**fields, "apiVersion": {"type": "string"}, "kind": {"type": "string"}}}

"""Versions of REST APIs of Google, made of the TypeScript declarations that npm `@googleapis/*` give of each.

What a `get` answers is a resource type; its name is the collections of the call. Only declarations are read; no code
of them runs. They do not tell whole numbers from others, nor texts of a format from others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from benchmarks.published.typings import TypeReader
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.kernel.json import Json, JsonObject, encode

_FILE = re.compile(r"(?:(\w+)_)?(v(\d+)(?:\.(\d+))?(?:p\d+)?(alpha|beta)?(\d*))\.d\.ts")
_SCHEMA = re.compile(r"interface Schema\$(\w+) (?={)")
_GET = re.compile(r"\bget\(params[^)]*?Params\$Resource\$([\w$]+)\$Get\b[^)]*\):[^;]*?<Schema\$(\w+)>")
_NAME = re.compile(r"[A-Za-z_]\w*")
Texts = Mapping[str, Path]  # by version the file that declares it


def apis(package: Path) -> dict[str, Texts]:
    """List the APIs of a package that have several versions, each with its files, the oldest first."""
    found: dict[str, dict[tuple[int, ...], tuple[str, Path]]] = {}
    for path in sorted(package.rglob("*.d.ts")):
        match = _FILE.fullmatch(path.name)
        if match is not None:
            stage = {"alpha": 0, "beta": 1}.get(match[5] or "", 2)
            age = int(match[3]), int(match[4] or 0), stage, int(match[6] or 0)
            name = f"{package.name}/{match[1]}" if match[1] else package.name
            found.setdefault(name, {})[age] = match[2], path
    return {
        name: dict(versions[age] for age in sorted(versions))
        for name, versions in found.items()
        if len(versions) > 1
    }


def folder_of(service: str, texts: Texts) -> ServiceFolder:
    """Load versions of an API without an edge between them."""
    listed = ", ".join(
        f"{{version: {version}, ordinal: {index}, sources: [{{kind: ir, path: {version}.json}}]}}"
        for index, version in enumerate(texts, start=1)
    )
    sources = {f"{version}.json": encode(_schema(path.read_text())) for version, path in texts.items()}
    return read_files({"service.yaml": f"service: {service}\nversions: [{listed}]\n".encode(), **sources})


def _schema(text: str) -> JsonObject:
    declared = {match[1]: TypeReader(text, match.end()).type() for match in _SCHEMA.finditer(text)}
    types = {name: _type(given, declared.keys()) for name, given in declared.items()}
    resources: dict[str, list[Json]] = {}
    for match in _GET.finditer(text):
        fields = declared.get(match[2], {}).get("properties")
        name = fields.get("name") if isinstance(fields, dict) else None
        is_text = name is None or (isinstance(name, dict) and name.get("type") == "string")
        if isinstance(fields, dict) and is_text:
            resources.setdefault(match[2], []).append(_pattern(match[1]))
    taken: set[Json] = set()
    kept: JsonObject = {}
    for type_, patterns in resources.items():
        own: list[Json] = [each for each in dict.fromkeys(patterns) if each not in taken]
        taken.update(own)
        if own:
            kept[type_] = {"patterns": own}
    return {"schema": {"types": types, "resources": kept}}


def _pattern(collections: str) -> str:
    """Write the names of what a call of these collections answers."""
    parts = [each[:1].lower() + each[1:] for each in collections.split("$")]
    return "/".join(f"{each}/{{id{index}}}" for index, each in enumerate(parts))


def _type(given: JsonObject, known: object) -> Json:
    """Write a declared type as the IR has it."""
    fields, item, value = given.get("properties"), given.get("items"), given.get("additionalProperties")
    reference, kind = given.get("$ref"), given.get("type")
    if isinstance(reference, str):
        name = reference.removeprefix("Schema$")
        return {"ref": name} if name in known else "struct"  # type: ignore[operator]
    if isinstance(fields, dict):
        written: JsonObject = {
            name: {"type": _type(each, known), "description": each.get("description", "")}
            for name, each in fields.items()
            if isinstance(each, dict) and _NAME.fullmatch(name)
        }
        return {"object": {"fields": written}}
    if isinstance(item, dict):
        return {"list": {"item": _type(item, known)}}
    if isinstance(value, dict):
        return {"map": {"value": _type(value, known)}}
    if isinstance(given.get("enum"), list):
        return {"enum": given["enum"]}
    return {"string": "string", "number": "f64", "boolean": "bool"}.get(str(kind), "struct")

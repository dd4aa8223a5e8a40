"""The loader of JSON Schema documents."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.ir import LoaderLoss, Schema, Source
from migrations_app.domain.schema.loaders.ir import Loaded, VersionInfo
from migrations_app.domain.schema.loaders.jsonschema_bundle import read_bundle
from migrations_app.domain.schema.loaders.jsonschema_refs import BUNDLE, type_name
from migrations_app.domain.schema.loaders.jsonschema_types import Dialect, JsonSchemaReader
from migrations_app.domain.schema.loaders.parts import Part
from migrations_app.domain.schema.located import Located, read_text
from migrations_app.domain.schema.types import Type, UnknownKeys
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message

_SCHEMA_KEYS = frozenset({"type", "properties", "allOf", "oneOf", "anyOf", "$ref", "enum"})


def load_jsonschema(part: Part, files: Mapping[str, bytes], info: VersionInfo) -> Loaded:
    """Load the document named by `path`: its root as the type named by `type`, and its definitions.

    Of a folder every file is loaded; its root is the type named by its title, else by the file.
    """
    bundle = read_bundle(str(part.peek("path") or ""), files)
    located, source = bundle or open_source(part, files, "jsonschema")
    if bundle:
        part.take("path")
    unknown = part.choice("unknown", UnknownKeys, UnknownKeys.PASS)
    root = located.value
    if not isinstance(root, dict):
        raise Invalid(message("This is not a JSON Schema."), code="E-SHAPE", file=located.file)
    reader = JsonSchemaReader(root, lineage(info), located.file, Dialect.JSON_SCHEMA, unknown)
    first: dict[str, Json] = {}
    if bundle:
        _adopt_files(reader, root, first)
        return loaded_types(reader.named(first), reader, info, source)
    wanted = part.text("type") or type_name(str(root.get("title") or ""))
    if wanted and set(root) & _SCHEMA_KEYS:
        first[wanted] = root
        reader.references.adopt("#", wanted, root)
    for home in ("definitions", "$defs"):
        adopt(reader, root.get(home), f"#/{home}/", first)
    if not first:
        part.wrong("E-SOURCE", message("needs the name of its root type."), "type")
    return loaded_types(reader.named(first), reader, info, source)


def _adopt_files(reader: JsonSchemaReader, root: JsonObject, first: dict[str, Json]) -> None:
    """Take the roots and definitions of bundled files as types."""
    bundled = root[BUNDLE]
    assert isinstance(bundled, dict)
    for name, document in bundled.items():
        if not isinstance(document, dict):
            continue
        home = f"#/{BUNDLE}/{name.replace('~', '~0').replace('/', '~1')}"
        for inner in ("definitions", "$defs"):
            adopt(reader, document.get(inner), f"{home}/{inner}/", first)
        if set(document) & _SCHEMA_KEYS:
            stem = name.rpartition("/")[2].partition(".")[0]
            plain = type_name(str(document.get("title") or stem))
            if plain in first:
                reader.clash(plain, name)
            first.setdefault(plain, document)
            reader.references.adopt(home, plain, document)


def adopt(reader: JsonSchemaReader, schemas: Json, home: str, first: dict[str, Json]) -> None:
    """Take schemas by name as types; two names that become one are a finding."""
    for name, each in schemas.items() if isinstance(schemas, dict) else ():
        plain = type_name(name)
        if plain in first:
            reader.clash(plain, name)
            continue
        first[plain] = each
        reader.references.adopt(home + name, plain, each)


def open_source(part: Part, files: Mapping[str, bytes], kind: str) -> tuple[Located, Source]:
    """Read the file that a source names under `path`.

    Raises: Invalid (`E-FILE` and those of reading).
    """
    path = part.text("path")
    if path not in files:
        raise Invalid(
            message("{path} is not in the folder.", path=path or "A source"), code="E-FILE", file=path
        )
    source = Source(kind, path, hashlib.sha256(files[path]).hexdigest())
    return read_text(files[path], path), source


def lineage(info: VersionInfo) -> str:
    """Give the head of the lineage ids of a service's fields."""
    return info.service.split(".")[0]


def loaded_types(
    types: Mapping[str, Type],
    reader: JsonSchemaReader,
    info: VersionInfo,
    source: Source,
    *,
    more_losses: tuple[LoaderLoss, ...] = (),
    more_findings: tuple[DefinitionFinding, ...] = (),
) -> Loaded:
    """Put read types into a schema of the version."""
    schema = Schema(
        service=info.service,
        version=info.version,
        ordinal=info.ordinal,
        stage=info.stage,
        types=types,
        sources=(source,),
        losses=(*reader.losses, *more_losses),
    )
    return Loaded(schema, (*reader.findings, *more_findings))

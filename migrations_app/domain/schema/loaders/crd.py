"""The loader of Kubernetes custom resource definitions, several versions in one document."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.ir import ResourceDefinition, Source
from migrations_app.domain.schema.loaders.ir import Loaded, VersionInfo
from migrations_app.domain.schema.loaders.jsonschema import lineage, loaded_types
from migrations_app.domain.schema.loaders.jsonschema_types import Dialect, JsonSchemaReader
from migrations_app.domain.schema.loaders.parts import Part
from migrations_app.domain.schema.located import Located, Steps, read_json, read_yaml_documents
from migrations_app.domain.schema.types import (
    ObjectType,
    StructType,
    Type,
    UnknownKeys,
)
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message


def load_crd(part: Part, files: Mapping[str, bytes], info: VersionInfo) -> Loaded:
    """Load what the definitions in the file `path` say of the version; each becomes a resource type."""
    path = part.text("path")
    if path not in files:
        raise Invalid(
            message("{path} is not in the folder.", path=path or "A source"), code="E-FILE", file=path
        )
    text = files[path]
    documents = (read_json(text, path),) if path.endswith(".json") else read_yaml_documents(text, path)
    source = Source("crd", path, hashlib.sha256(text).hexdigest())
    types: dict[str, Type] = {}
    resources: dict[str, ResourceDefinition] = {}
    findings: list[DefinitionFinding] = []
    reader = JsonSchemaReader({}, lineage(info), path, Dialect.KUBERNETES, UnknownKeys.FILTER)
    for definition in _definitions(documents):
        schema, options = _version(definition, info.version)
        if schema is None:
            continue
        kind, resource = _resource(definition, options)
        resources[kind] = resource
        types[kind] = _document(reader, kind, schema)
    if not resources:
        known = ", ".join(name for each in _definitions(documents) for name, _ in _versions(each))
        findings.append(
            DefinitionFinding(
                "E-VERSION",
                message("There is no version {version}.", version=info.version),
                path,
                remedy_words=message(
                    "The file has {known}: name one of them, or add it.", known=known or "none"
                ),
            )
        )
    loaded = loaded_types(types, reader, info, source, more_findings=tuple(findings))
    return replace(loaded, schema=replace(loaded.schema, resources=resources))


def schema_places(document: Json, version: str) -> Iterator[tuple[str, Steps]]:
    """Name each kind that a document, or a list in it, defines in a version, and where its schema is."""
    for at, spec in _specs(document):
        names, versions = spec.get("names"), spec.get("versions")
        kind = str(names.get("kind")) if isinstance(names, dict) else ""
        for index, each in enumerate(versions if isinstance(versions, list) else []):
            if isinstance(each, dict) and each.get("name") == version:
                own = (*at, "versions", index, "schema", "openAPIV3Schema")
                yield kind, own if "schema" in each else (*at, "validation", "openAPIV3Schema")


def _definitions(documents: tuple[Located, ...]) -> Iterator[JsonObject]:
    """Walk the definitions of a stream, and of lists in it."""
    for document in documents:
        yield from (spec for _, spec in _specs(document.value))


def _specs(document: Json) -> Iterator[tuple[Steps, JsonObject]]:
    """Walk what a document, or a list in it, defines, each with its place."""
    if not isinstance(document, dict):
        return
    items = document.get("items") if document.get("kind") == "List" else None
    listed: list[tuple[Steps, Json]] = [((), document)]
    if isinstance(items, list):
        listed = [(("items", index), each) for index, each in enumerate(items)]
    for at, each in listed:
        if isinstance(each, dict) and each.get("kind") == "CustomResourceDefinition":
            spec = each.get("spec")
            if isinstance(spec, dict):
                yield (*at, "spec"), spec


def _versions(spec: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    versions = spec.get("versions")
    for each in versions if isinstance(versions, list) else []:
        if isinstance(each, dict):
            yield str(each.get("name")), each
    if not versions and isinstance(spec.get("version"), str):
        yield str(spec["version"]), spec


def _version(spec: JsonObject, wanted: str) -> tuple[Json, JsonObject]:
    """Find the schema of a version, and what else is said of it; v1beta1 keeps one schema for all."""
    for name, each in _versions(spec):
        if name == wanted:
            holder = each.get("schema") or spec.get("validation")
            schema = holder.get("openAPIV3Schema") if isinstance(holder, dict) else None
            kept = ("served", "storage", "deprecated", "subresources")
            return schema or {}, {key: each[key] for key in kept if key in each}
    return None, {}


def _resource(spec: JsonObject, options: JsonObject) -> tuple[str, ResourceDefinition]:
    names = spec.get("names")
    said = names if isinstance(names, dict) else {}
    kind = str(said.get("kind") or "Unnamed")
    singular = str(said.get("singular") or kind.lower())
    plural = str(said.get("plural") or f"{singular}s")
    own = f"{plural}/{{{singular}}}"
    namespaced = spec.get("scope") == "Namespaced"
    return kind, ResourceDefinition(
        type=kind,
        message=kind,
        patterns=(f"namespaces/{{namespace}}/{own}" if namespaced else own,),
        singular=singular,
        plural=plural,
        options={"group": spec.get("group"), **options},
    )


def _document(reader: JsonSchemaReader, kind: str, schema: Json) -> Type:
    """Read the schema of an object; its `metadata` is Kubernetes' own business."""
    read = reader.read(schema, kind).type
    found = read if isinstance(read, ObjectType) else ObjectType(())
    fields = tuple(
        replace(each, type=StructType()) if each.name == "metadata" else each for each in found.fields
    )
    return replace(found, fields=fields)

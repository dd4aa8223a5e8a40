"""The one canonical form of a schema, its fingerprint, and the shape hash of a type."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.domain.schema.ir import Method, ResourceDefinition, Schema, Streaming, VersioningHint
from migrations_app.domain.schema.types import (
    Default,
    DefaultKind,
    Deprecation,
    EnumType,
    Field,
    FieldMaskType,
    FilterType,
    ListKind,
    ListType,
    MapType,
    ObjectType,
    Presence,
    ReferenceType,
    RefType,
    Reserved,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
    UnionType,
    UnknownKeys,
)
from migrations_app.kernel.json import Json, JsonObject, digest


def write_schema(schema: Schema) -> JsonObject:
    """Write a schema as an IR document that the loader of IR documents reads back to the same schema.

    Types and fields keep the order of the source, where descriptions and places of origin are told.
    """
    return {
        "schema": _set(
            service=schema.service,
            version=schema.version,
            ordinal=schema.ordinal,
            stage=str(schema.stage),
            nextVersion=schema.next_version,
            types={name: write_type(each) for name, each in schema.types.items()},
            resources={name: write_resource(each) for name, each in schema.resources.items()},
            methods={name: write_method(each) for name, each in schema.methods.items()},
            imports=list(schema.imports),
            hints={name: _hint(each) for name, each in schema.hints.items()},
            sources=[_set(kind=each.kind, ref=each.ref, sha256=each.sha256) for each in schema.sources],
            loaderLosses=[{"path": each.path, "what": each.what} for each in schema.losses],
        )
    }


def canonical_schema(schema: Schema) -> JsonObject:
    """Write what a schema means: without places of origin, descriptions and the order of fields."""
    document = write_schema(schema)["schema"]
    assert isinstance(document, dict)
    for key in ("sources", "loaderLosses"):
        document.pop(key, None)
    document["types"] = {name: _meaning(write_type(each)) for name, each in schema.types.items()}
    return document


def fingerprint(schema: Schema) -> str:
    """Name a schema by what it means: equal for two sources that tell the same."""
    return digest(canonical_schema(schema))


def shape_hash(schema: Schema, given: Type) -> str:
    """Hash the shape of a type to 8 hex digits: what JSON values it holds, named types looked into.

    Names of types, constraints, defaults, numbers and lineage do not change what JSON a value is.
    """
    return digest(_shape(schema, given, ()))[:8]


def write_type(given: Type) -> Json:
    """Write a type in the long form of IR documents."""
    match given:
        case ScalarType():
            return {
                "scalar": _set(kind=str(given.kind), format=given.format, jsonEncoding=given.json_encoding)
            }
        case EnumType():
            return {"enum": _enum(given)}
        case ListType():
            kind = "" if given.kind is ListKind.ORDERED else str(given.kind)
            return {"list": _set(item=write_type(given.item), kind=kind, keys=list(given.keys))}
        case MapType():
            key = "" if given.key is ScalarKind.STRING else str(given.key)
            return {"map": _set(value=write_type(given.value), key=key)}
        case ObjectType():
            return {"object": _object(given)}
        case UnionType():
            branches: list[Json] = [write_type(each) for each in given.branches]
            return {"union": _set(branches=branches, discriminator=given.discriminator)}
        case ReferenceType():
            form = "" if given.form == "relative" else given.form
            return {"reference": _set(resource=list(given.resource), form=form)}
        case RefType():
            return {"ref": {"name": given.name}}
        case FilterType():
            return {"filter": _set(resource=given.resource)}
        case FieldMaskType():
            return {"fieldmask": {}}
        case StructType():
            return {"struct": {}}


def write_resource(resource: ResourceDefinition) -> JsonObject:
    """Write a resource type in the form of IR documents."""
    return _set(
        type=resource.type,
        message=resource.message,
        patterns=list(resource.patterns),
        singular=resource.singular,
        plural=resource.plural,
        idPattern=dict(resource.id_patterns),
        parents=list(resource.parents),
        scopeAttributes=[_set(name=each.name, optional=each.optional) for each in resource.scope_attributes],
        nameField=resource.name_field,
        crossReferences=[{"type": each.type, "path": each.path} for each in resource.cross_references],
        options=dict(resource.options),
    )


def write_method(method: Method) -> JsonObject:
    """Write a method in the form of IR documents."""
    return _set(
        request=method.request,
        response=method.response,
        kind=method.kind,
        options=dict(method.options),
        verb=method.verb,
        resource=method.resource,
        collection=method.is_collection,
        nameField=method.name_field,
        http=method.http_method,
        reads=method.reads,
        streaming="" if method.streaming is Streaming.NONE else str(method.streaming),
        path=method.path,
        body=method.body,
    )


def _hint(hint: VersioningHint) -> JsonObject:
    return _set(
        replacement=hint.replacement,
        discontinued=hint.discontinued,
        skipTransformersBasicActions=list(hint.skip_basic_actions),
        skipAccessTransformer=hint.skip_access,
        skipResourceChangeTransformers=hint.skip_changes,
    )


def _set(**parts: Json) -> JsonObject:
    """Keep the parts that say something."""
    return {key: value for key, value in parts.items() if value not in ("", None, False, [], {})}


def _enum(given: EnumType) -> JsonObject:
    values: list[Json] = []
    for each in given.values:
        written: JsonObject = {"name": each.name}
        if each.number is not None:
            written["number"] = each.number
        if each.deprecated:
            written["deprecated"] = True
        values.append(written)
    return {"values": values, **_set(open=given.open, zero=given.zero, reserved=_reserved(given.reserved))}


def _object(given: ObjectType) -> JsonObject:
    return {
        "fields": [_field(each) for each in given.fields],
        **_set(
            oneofs=[{"name": each.name, "members": list(each.members)} for each in given.oneofs],
            unknown="" if given.unknown is UnknownKeys.FILTER else str(given.unknown),
            recursive=given.recursive,
            description=given.description,
            reserved=_reserved(given.reserved),
        ),
    }


def _reserved(reserved: Reserved) -> JsonObject:
    return _set(numbers=[[low, high] for low, high in reserved.numbers], names=list(reserved.names))


def _field(each: Field) -> JsonObject:
    written = _set(
        name=each.name,
        type=write_type(each.type),
        id=each.id,
        jsonName=each.json_name,
        required=each.required,
        always=each.always,
        presence="" if each.presence is Presence.EXPLICIT else str(each.presence),
        nullable=each.nullable,
        emptyIsAbsent=each.empty_is_absent,
        default=_default(each.default),
        behavior=[str(behavior) for behavior in sorted(each.behavior)],
        constraints=dict(each.constraints),
        unit={"dim": each.unit.dim, "name": each.unit.name} if each.unit else None,
        deprecated=_deprecation(each.deprecated),
        sensitive=each.sensitive,
        description=each.description,
    )
    if each.number is not None:
        written["number"] = each.number
    return written


def _default(default: Default) -> Json:
    if default.kind is DefaultKind.NONE:
        return None
    written: JsonObject = {"kind": str(default.kind)}
    if default.value is not None:
        written["value"] = default.value
    return written


def _deprecation(deprecation: Deprecation | None) -> Json:
    if deprecation is None:
        return None
    said = _set(since=deprecation.since, sunset=deprecation.sunset, replacedBy=deprecation.replaced_by)
    return said or True


def _meaning(written: Json) -> Json:
    """Drop descriptions and sort fields, at every depth of a written type."""
    if isinstance(written, list):
        return [_meaning(each) for each in written]
    if not isinstance(written, dict):
        return written
    kept = {key: _meaning(value) for key, value in written.items() if key != "description"}
    fields = kept.get("fields")
    if isinstance(fields, list):
        kept["fields"] = sorted(fields, key=lambda each: str(each["name"]) if isinstance(each, dict) else "")
    return kept


def _shape(schema: Schema, given: Type, above: tuple[str, ...]) -> Json:
    match given:
        case RefType():
            if given.name in above:
                return ["again", len(above) - above.index(given.name)]
            return _shape(schema, schema.type(given.name), (*above, given.name))
        case ObjectType():
            fields: Mapping[str, Json] = {each.key: _shape(schema, each.type, above) for each in given.fields}
            return ["object", dict(fields)]
        case ListType():
            return ["list", _shape(schema, given.item, above)]
        case MapType():
            return ["map", _shape(schema, given.value, above)]
        case UnionType():
            return ["union", [_shape(schema, each, above) for each in given.branches]]
        case EnumType():
            return ["enum"]
        case ReferenceType():
            return ["reference"]
        case ScalarType():
            return ["scalar", str(given.kind), given.json_encoding]
        case FilterType() | FieldMaskType():
            return ["text"]
        case StructType():
            return ["struct"]

"""The type of the `metadata` that the product shows with every resource, for filters and orders over it."""

from __future__ import annotations

from migrations_app.domain.schema.types import (
    Behavior,
    EnumType,
    EnumValue,
    Field,
    ListType,
    MapType,
    ObjectType,
    ScalarKind,
    ScalarType,
    Type,
)

METADATA = "metadata"

_TEXT = ScalarType(ScalarKind.STRING)
_TIME = ScalarType(ScalarKind.TIMESTAMP)
_FLAG = ScalarType(ScalarKind.BOOL)
_NUMBER = ScalarType(ScalarKind.I64, json_encoding="string")


def _object(**fields: Type) -> ObjectType:
    return ObjectType(tuple(Field(_snake(key), kind, json_name=key) for key, kind in fields.items()))


def _snake(key: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in key)


METADATA_TYPE = _object(
    createTime=_TIME,
    updateTime=_TIME,
    deleteTime=_TIME,
    uuid=_TEXT,
    tags=ListType(_TEXT),
    labels=MapType(_TEXT),
    annotations=MapType(_TEXT),
    generation=_NUMBER,
    resourceVersion=_TEXT,
    ownerReferences=ListType(
        _object(
            kind=_TEXT,
            version=_TEXT,
            name=_TEXT,
            region=_TEXT,
            controller=_FLAG,
            requiresOwnerReference=_FLAG,
            unsetOnDelete=_FLAG,
        )
    ),
    shards=MapType(ScalarType(ScalarKind.I32)),
    syncing=_object(owningRegion=_TEXT, regions=ListType(_TEXT)),
    lifecycle=_object(state=EnumType((EnumValue("ACTIVE"), EnumValue("DELETING"))), blockDeletion=_FLAG),
    services=_object(owningService=_TEXT, allowedServices=ListType(_TEXT)),
)


def with_metadata(document: ObjectType) -> ObjectType:
    """Add the product's metadata to the type of a resource, unless the type has a field of that name."""
    if document.field(METADATA) is not None:
        return document
    shown = Field(METADATA, METADATA_TYPE, behavior=frozenset({Behavior.OUTPUT_ONLY}))
    return ObjectType((*document.fields, shown), document.oneofs, document.unknown)

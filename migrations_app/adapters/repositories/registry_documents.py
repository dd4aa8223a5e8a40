"""The registry's documents by revision, kept in memory; and their schema, for filters and orders."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from threading import Lock
from typing import Any

import msgspec
from django.db.models import QuerySet

from migrations_app.adapters.repositories.registry import select
from migrations_app.adapters.repositories.registry_rows import Row, value_of
from migrations_app.domain.registry.documents import TYPES, document
from migrations_app.domain.registry.names import Kind
from migrations_app.domain.schema import types as schema_types
from migrations_app.domain.schema.ir import Resource, Schema
from migrations_app.domain.schema.types import EnumValue, Field, Presence, ScalarKind, ScalarType
from migrations_app.kernel.json import JsonObject

KEPT_DOCUMENTS = 40_000
CHUNK = 500
Stamp = tuple[int, datetime]


class Documents:
    """Documents by name; a row is read again only when its stamp (revision and time) is another one."""

    def __init__(self, kept: int = KEPT_DOCUMENTS) -> None:
        self._kept = kept
        self._known: OrderedDict[tuple[Kind, str], tuple[Stamp, JsonObject]] = OrderedDict()
        self._lock = Lock()

    def of(self, kind: Kind, rows: QuerySet[Row]) -> list[JsonObject]:
        """Read the documents of rows in order of name."""
        stamps = {
            key: (revision, at)
            for key, revision, at in rows.order_by("pk").values_list("pk", "revision", "updated_at")
        }
        with self._lock:
            found = {
                key: known[1]
                for key, stamp in stamps.items()
                if (known := self._known.get((kind, key))) is not None and known[0] == stamp
            }
        missing = [key for key in stamps if key not in found]
        for at in range(0, len(missing), CHUNK):
            self._read(kind, missing[at : at + CHUNK], found)
        return [found[key] for key in stamps if key in found]

    def _read(self, kind: Kind, keys: Sequence[str], into: dict[str, JsonObject]) -> None:
        for row in select(kind).filter(pk__in=keys):
            written = document(value_of(row))
            into[row.pk] = written
            with self._lock:
                self._known[kind, row.pk] = ((row.revision, row.updated_at), written)
                if len(self._known) > self._kept:
                    self._known.popitem(last=False)


DOCUMENTS = Documents()


def under(kind: Kind, parent: str) -> QuerySet[Row]:
    """Give the rows of a kind under a parent; an empty parent, or the service `-`, stands for all."""
    found = select(kind)
    service = parent.removeprefix("services/") if kind in (Kind.DEPLOYMENT, Kind.RESOURCE) else ""
    return found.filter(service_id=service) if service not in ("", "-") else found


@cache
def schema() -> Schema:
    """Describe the registry's messages, so that filters and orders are bound to them."""
    reader = _Messages()
    for cls in TYPES.values():
        reader.add(cls)
    names = [cls.__name__ for cls in TYPES.values()]
    return Schema(
        service="meta",
        version="v1",
        types=reader.types,
        resources={name: Resource(type=name, message=name) for name in names},
    )


class _Messages:
    """Turns message classes into the schema's types."""

    def __init__(self) -> None:
        self.types: dict[str, schema_types.Type] = {}

    def add(self, cls: type[Any]) -> str:
        """Describe one message and those within it."""
        name = cls.__name__
        if name not in self.types:
            info = msgspec.inspect.type_info(cls)
            assert isinstance(info, msgspec.inspect.StructType)
            self.types[name] = schema_types.ObjectType(
                tuple(
                    Field(
                        name=each.name,
                        json_name=each.encode_name,
                        type=self._type(each.type),
                        presence=Presence.IMPLICIT,
                    )
                    for each in info.fields
                )
            )
        return name

    def _type(self, info: msgspec.inspect.Type) -> schema_types.Type:
        match info:
            case msgspec.inspect.StructType():
                return schema_types.RefType(self.add(info.cls))
            case msgspec.inspect.VarTupleType():
                return schema_types.ListType(self._type(info.item_type))
            case msgspec.inspect.DictType():
                return schema_types.MapType(self._type(info.value_type))
            case msgspec.inspect.EnumType():
                return schema_types.EnumType(tuple(EnumValue(each.value) for each in info.cls))
            case msgspec.inspect.UnionType():
                given = [each for each in info.types if not isinstance(each, msgspec.inspect.NoneType)]
                return self._type(given[0])
            case msgspec.inspect.BoolType():
                return ScalarType(ScalarKind.BOOL)
            case msgspec.inspect.IntType():
                return ScalarType(ScalarKind.I32)
            case msgspec.inspect.DateTimeType():
                return ScalarType(ScalarKind.TIMESTAMP)
            case _:
                return ScalarType(ScalarKind.STRING)


_DEFAULTS: dict[Kind, JsonObject] = {}


def filled(kind: Kind, written: JsonObject) -> JsonObject:
    """Write the unset scalars of a document's own fields too, so that filters see what they mean."""
    if kind not in _DEFAULTS:
        info = msgspec.inspect.type_info(TYPES[kind])
        assert isinstance(info, msgspec.inspect.StructType)
        _DEFAULTS[kind] = {
            each.encode_name: each.default
            for each in info.fields
            if each.default in ("", 0) and not each.required
        }
    return {**_DEFAULTS[kind], **written}

"""The registry's documents, kept in memory and brought level; and their schema, for filters and orders."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from threading import Lock
from typing import Any

import msgspec
from django.db import connection
from django.db.models import OuterRef, Subquery

from migrations_app.control.registry.repository.registry import select
from migrations_app.control.registry.repository.rows import value_of
from migrations_app.domain.registry.documents import TYPES, document
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.schema import types as schema_types
from migrations_app.domain.schema.ir import ResourceDefinition, Schema
from migrations_app.domain.schema.types import EnumValue, Field, Presence, ScalarKind, ScalarType
from migrations_app.kernel.json import JsonObject
from migrations_app.models.registry import RegistryChange, RegistryHead

CHUNK = 500
FEW_CHANGES = 2000
KEPT_CHOICES = 64
Test = Callable[[JsonObject], bool]
Key = Callable[[JsonObject], object]


@dataclass(frozen=True, slots=True)
class Stamp:
    """Where in the registry's history something was read; `at` tells a change from one that was rolled back."""

    past: object = None
    seq: int = 0
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DocumentSnapshot:
    """All documents of a kind in order of name, as they were at one stamp."""

    stamp: Stamp
    documents: Mapping[str, JsonObject]
    ordered: Sequence[JsonObject]


class Documents:
    """The registry's documents, kept whole and brought level by its numbered changes: one query when none came.

    Within a transaction nothing is kept: what is read there may never have been.
    """

    def __init__(self) -> None:
        self._shelves: dict[RegistryKind, DocumentSnapshot] = {}
        self._choices: OrderedDict[tuple[RegistryKind, str, Stamp], Sequence[JsonObject]] = OrderedDict()
        self._lock = Lock()

    def of(self, kind: RegistryKind) -> Sequence[JsonObject]:
        """Read all documents of a kind in order of name."""
        return self.snapshot(kind).ordered

    def snapshot(self, kind: RegistryKind) -> DocumentSnapshot:
        """Read all documents of a kind, by name and in order of it."""
        now = stamp()
        kept = self._shelves.get(kind)
        if kept is not None and kept.stamp == now:
            return kept
        snapshot = (kept and _moved(kind, kept, now)) or _read(kind, now)
        if not connection.in_atomic_block:
            self._shelves[kind] = snapshot
        return snapshot

    def chosen(
        self, kind: RegistryKind, choice: str, choose: Callable[[DocumentSnapshot], Sequence[JsonObject]]
    ) -> Sequence[JsonObject]:
        """Choose among the documents of a kind, or give what the same choice gave before anything changed."""
        snapshot = self.snapshot(kind)
        known = (kind, choice, snapshot.stamp)
        with self._lock:
            found = self._choices.get(known)
        if found is None:
            found = choose(snapshot)
            if not connection.in_atomic_block:
                with self._lock:
                    self._choices[known] = found
                    while len(self._choices) > KEPT_CHOICES:
                        self._choices.popitem(last=False)
        return found


def stamp() -> Stamp:
    """Tell where the registry's history is; one query."""
    newest = RegistryChange.objects.filter(seq=OuterRef("seq")).values("at")
    found = RegistryHead.objects.filter(id=1).values_list("started", "seq", Subquery(newest)).first()
    return Stamp(*found) if found else Stamp()


def _read(kind: RegistryKind, now: Stamp) -> DocumentSnapshot:
    # The stamp came first: what changed since is in the documents already, and will be put there once more.
    found: dict[str, JsonObject] = {}
    for row in select(kind).order_by("pk").iterator(CHUNK):
        value = value_of(row)
        found[value.name] = document(value)
    return DocumentSnapshot(now, found, list(found.values()))


def _moved(kind: RegistryKind, kept: DocumentSnapshot, now: Stamp) -> DocumentSnapshot | None:
    """Bring a shelf level; None when its place in the history is gone, or too far back."""
    if kept.stamp.past != now.past or not kept.stamp.seq < now.seq <= kept.stamp.seq + FEW_CHANGES:
        return None
    changes = RegistryChange.objects.filter(seq__gte=kept.stamp.seq, seq__lte=now.seq).order_by("seq")
    told = list(changes.values_list("seq", "at", "kind", "name", "document"))
    if not told or (told[0][0], told[0][1]) != (kept.stamp.seq, kept.stamp.at):
        return None
    newest = {name: written for _, _, which, name, written in told[1:] if which == kind.value}
    if not newest:
        return DocumentSnapshot(now, kept.documents, kept.ordered)
    moved = {**kept.documents, **newest}
    found = {name: written for name, written in sorted(moved.items()) if written is not None}
    return DocumentSnapshot(now, found, list(found.values()))


DOCUMENTS = Documents()


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
        resources={name: ResourceDefinition(type=name, message=name) for name in names},
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


_DEFAULTS: dict[RegistryKind, JsonObject] = {}


def filled(kind: RegistryKind, written: JsonObject) -> JsonObject:
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

"""What a change means for clients that speak protobuf's binary form, where only numbers and encodings count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    FieldMaskType,
    FilterType,
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    RefType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
)


class WireRule(StrEnum):
    """The stable ids of findings on the wire; each has its counterpart among Buf's WIRE rules."""

    FIELD_DELETED = "field-deleted"
    FIELD_TYPE = "field-type"
    FIELD_CARDINALITY = "field-cardinality"
    FIELD_ONEOF = "field-oneof"
    ENUM_VALUE_DELETED = "enum-value-deleted"


@dataclass(frozen=True, slots=True)
class WireFinding:
    """One way in which bytes written by one side are misread by the other."""

    rule: WireRule
    type: str
    number: int
    before: str
    after: str


_VARINT = frozenset({ScalarKind.BOOL, ScalarKind.I32, ScalarKind.U32, ScalarKind.I64, ScalarKind.U64})
_MESSAGES = {
    ScalarKind.TIMESTAMP: "google.protobuf.Timestamp",
    ScalarKind.DURATION: "google.protobuf.Duration",
}


def compare_wire(old: Schema, new: Schema) -> tuple[WireFinding, ...]:
    """Compare the types that two schemas share by name, as if one followed the other in one package."""
    return tuple(_findings(old, new))


def _findings(old: Schema, new: Schema) -> Iterator[WireFinding]:
    for name, before in old.types.items():
        after = new.types.get(name)
        if isinstance(before, ObjectType) and isinstance(after, ObjectType):
            yield from _Messages(old, new, name, before, after).findings()
        elif isinstance(before, EnumType) and isinstance(after, EnumType):
            yield from _enum(name, before, after)


def _enum(name: str, before: EnumType, after: EnumType) -> Iterator[WireFinding]:
    kept = {value.number for value in after.values}
    for value in before.values:
        if value.number is not None and value.number not in kept and not after.reserves(value.number):
            yield WireFinding(WireRule.ENUM_VALUE_DELETED, name, value.number, value.name, "")


@dataclass(frozen=True, slots=True)
class _Messages:
    old: Schema
    new: Schema
    name: str
    before: ObjectType
    after: ObjectType

    def findings(self) -> Iterator[WireFinding]:
        """Compare two messages number by number."""
        numbered = {field.number: field for field in self.after.fields if field.number is not None}
        for field in self.before.fields:
            if field.number is None:
                continue
            now = numbered.get(field.number)
            if now is not None:
                yield from self._field(field.number, field, now)
            elif not self.after.reserves(field.number):
                yield WireFinding(WireRule.FIELD_DELETED, self.name, field.number, field.name, "")

    def _field(self, number: int, before: Field, after: Field) -> Iterator[WireFinding]:
        one, other = _cardinality(before.type), _cardinality(after.type)
        if one != other:
            yield WireFinding(WireRule.FIELD_CARDINALITY, self.name, number, one, other)
        if isinstance(before.type, MapType) and isinstance(after.type, MapType):
            yield from self._entries(before, before.type, after.type)
        else:
            old, new = self._encoding(self.old, before), self._encoding(self.new, after)
            yield from self._type(self.name, number, old, new)
        groups = self.before.oneof_of(before.name), self.after.oneof_of(after.name)
        old_group, new_group = (group.name if group else "" for group in groups)
        if old_group != new_group:
            yield WireFinding(WireRule.FIELD_ONEOF, self.name, number, old_group, new_group)

    def _entries(self, field: Field, before: MapType, after: MapType) -> Iterator[WireFinding]:
        """Compare two maps, which are lists of entries with the key as field 1 and the value as 2."""
        entry = f"{self.name}.{field.name}"
        keys = _scalar(ScalarType(before.key)), _scalar(ScalarType(after.key))
        yield from self._type(entry, 1, *keys)
        values = encoded(self.old, before.value), encoded(self.new, after.value)
        yield from self._type(entry, 2, *values)

    def _type(self, name: str, number: int, old: str, new: str) -> Iterator[WireFinding]:
        # Text may be read as bytes; bytes need not be text.
        if old != new and (old, new) != ("string", "bytes"):
            yield WireFinding(WireRule.FIELD_TYPE, name, number, old, new)

    def _encoding(self, schema: Schema, field: Field) -> str:
        if isinstance(field.type, MapType):
            return f"message {self.name}.{field.name}"
        if field.nullable and isinstance(field.type, ScalarType):
            return f"message wrapping {field.type.kind}"  # google.protobuf.Int64Value and its like
        return encoded(schema, field.type)


def encoded(schema: Schema, given: Type) -> str:
    """Name how a value is encoded; two encodings of one name can be read as each other."""
    match given:
        case ListType():
            return encoded(schema, given.item)
        case RefType():
            found = schema.types.get(given.name)
            # An enum that only moved keeps its values, which are compared by themselves where it is.
            short = given.name.rpartition(".")[2]
            return f"enum {short}" if isinstance(found, EnumType) else f"message {given.name}"
        case ScalarType():
            return _scalar(given)
        case ReferenceType() | FilterType():
            return "string"
        case StructType():
            return "message struct"
        case FieldMaskType():
            return "message google.protobuf.FieldMask"
        case _:
            return type(given).__name__


def _scalar(given: ScalarType) -> str:
    if given.format:
        return given.format
    if given.kind in _VARINT:
        return "varint"
    return _MESSAGES.get(given.kind, str(given.kind))


def _cardinality(given: Type) -> str:
    return "repeated" if isinstance(given, ListType | MapType) else "singular"

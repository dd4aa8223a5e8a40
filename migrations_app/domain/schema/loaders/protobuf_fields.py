"""Fields of protobuf messages turned into fields of the IR, in the protobuf JSON mapping."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from google.api import field_behavior_pb2, resource_pb2
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto

from migrations_app.domain.schema.types import (
    Behavior,
    Default,
    DefaultKind,
    Deprecation,
    Field,
    FieldMaskType,
    ListType,
    MapType,
    Presence,
    ReferenceType,
    RefType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
)
from migrations_app.kernel.json import Json, JsonObject

_F = FieldDescriptorProto
_LONG = "string"
_SCALARS: Mapping[int, ScalarType] = {
    _F.TYPE_DOUBLE: ScalarType(ScalarKind.F64),
    _F.TYPE_FLOAT: ScalarType(ScalarKind.F32),
    _F.TYPE_INT32: ScalarType(ScalarKind.I32),
    _F.TYPE_SINT32: ScalarType(ScalarKind.I32, "zigzag"),
    _F.TYPE_SFIXED32: ScalarType(ScalarKind.I32, "fixed32"),
    _F.TYPE_UINT32: ScalarType(ScalarKind.U32),
    _F.TYPE_FIXED32: ScalarType(ScalarKind.U32, "fixed32"),
    _F.TYPE_INT64: ScalarType(ScalarKind.I64, json_encoding=_LONG),
    _F.TYPE_SINT64: ScalarType(ScalarKind.I64, "zigzag", _LONG),
    _F.TYPE_SFIXED64: ScalarType(ScalarKind.I64, "fixed64", _LONG),
    _F.TYPE_UINT64: ScalarType(ScalarKind.U64, json_encoding=_LONG),
    _F.TYPE_FIXED64: ScalarType(ScalarKind.U64, "fixed64", _LONG),
    _F.TYPE_BOOL: ScalarType(ScalarKind.BOOL),
    _F.TYPE_STRING: ScalarType(ScalarKind.STRING),
    _F.TYPE_BYTES: ScalarType(ScalarKind.BYTES),
}
_G = ".google.protobuf."
_WELL_KNOWN: Mapping[str, Type] = {
    f"{_G}Timestamp": ScalarType(ScalarKind.TIMESTAMP),
    f"{_G}Duration": ScalarType(ScalarKind.DURATION),
    f"{_G}FieldMask": FieldMaskType(),
    f"{_G}Struct": StructType(),
    f"{_G}Value": StructType(),
    f"{_G}ListValue": StructType(),
    f"{_G}Any": StructType(),
}
_WRAPPERS: Mapping[str, ScalarType] = {
    f"{_G}DoubleValue": ScalarType(ScalarKind.F64),
    f"{_G}FloatValue": ScalarType(ScalarKind.F32),
    f"{_G}Int32Value": ScalarType(ScalarKind.I32),
    f"{_G}UInt32Value": ScalarType(ScalarKind.U32),
    f"{_G}Int64Value": ScalarType(ScalarKind.I64, json_encoding=_LONG),
    f"{_G}UInt64Value": ScalarType(ScalarKind.U64, json_encoding=_LONG),
    f"{_G}BoolValue": ScalarType(ScalarKind.BOOL),
    f"{_G}StringValue": ScalarType(ScalarKind.STRING),
    f"{_G}BytesValue": ScalarType(ScalarKind.BYTES),
}
_BEHAVIORS: Mapping[int, Behavior] = {
    field_behavior_pb2.OUTPUT_ONLY: Behavior.OUTPUT_ONLY,
    field_behavior_pb2.INPUT_ONLY: Behavior.INPUT_ONLY,
    field_behavior_pb2.IMMUTABLE: Behavior.IMMUTABLE,
    field_behavior_pb2.IDENTIFIER: Behavior.IDENTIFIER,
}


class FieldReader:
    """Reads the fields of one message and remembers the types they reach."""

    def __init__(
        self,
        service: str,
        short: Callable[[str], str],
        messages: Mapping[str, tuple[FileDescriptorProto, DescriptorProto]],
        patterns: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._lineage, self._short = service.split(".")[0], short
        self._messages, self._patterns = messages, patterns
        self.reached: list[str] = []

    def field(self, file: FileDescriptorProto, owner: str, full: str, given: FieldDescriptorProto) -> Field:
        """Read one field of the message `full`, known as `owner` in the schema."""
        repeated = given.label == _F.LABEL_REPEATED
        said = frozenset(given.options.Extensions[field_behavior_pb2.field_behavior])
        kind = self._kind(given)
        wrapped = given.type_name in _WRAPPERS and not repeated
        constraints: JsonObject = {}
        if field_behavior_pb2.UNORDERED_LIST in said:
            constraints["unordered"] = True
        implicit = repeated or _is_implicit(file, given)
        return Field(
            name=given.name,
            type=kind,
            id=f"{self._lineage}.{owner}/{given.name}",
            json_name=given.json_name,
            number=given.number,
            required=field_behavior_pb2.REQUIRED in said or given.label == _F.LABEL_REQUIRED,
            always=given.label == _F.LABEL_REQUIRED,
            presence=Presence.IMPLICIT if implicit else Presence.EXPLICIT,
            nullable=wrapped,
            empty_is_absent=repeated,
            default=Default(DefaultKind.STATIC, _literal(given)) if given.default_value else Default(),
            behavior=frozenset(_BEHAVIORS[each] for each in said if each in _BEHAVIORS),
            constraints=constraints,
            deprecated=Deprecation() if given.options.deprecated else None,
        )

    def _kind(self, given: FieldDescriptorProto) -> Type:
        entry = self._messages.get(given.type_name)
        if entry is not None and entry[1].options.map_entry:
            key, value = entry[1].field
            return MapType(self._single(value), _SCALARS[key.type].kind)
        single = self._single(given)
        return ListType(single) if given.label == _F.LABEL_REPEATED else single

    def _single(self, given: FieldDescriptorProto) -> Type:
        if given.type in _SCALARS:
            reference = given.options.Extensions[resource_pb2.resource_reference]
            if given.type == _F.TYPE_STRING and (reference.type or reference.child_type):
                return ReferenceType(self._referred(reference.type, reference.child_type))
            return _SCALARS[given.type]
        known = _WELL_KNOWN.get(given.type_name) or _WRAPPERS.get(given.type_name)
        if known is not None:
            return known
        self.reached.append(given.type_name)
        return RefType(self._short(given.type_name))

    def _referred(self, kind: str, child: str) -> tuple[str, ...]:
        """List what a reference may hold; of a child type, the types whose names are above the child's."""
        if kind:
            return (kind,)
        above = {parent_pattern(pattern) for pattern in self._patterns.get(child, ())}
        found = tuple(sorted(name for name, patterns in self._patterns.items() if above & set(patterns)))
        return found or ("*",)


def parent_pattern(pattern: str) -> str:
    """Drop the last collection and id of a name pattern, or the last segment of a singleton's."""
    segments = pattern.split("/")
    return "/".join(segments[: -2 if "{" in segments[-1] else -1])


def _is_implicit(file: FileDescriptorProto, given: FieldDescriptorProto) -> bool:
    is_message = given.type in (_F.TYPE_MESSAGE, _F.TYPE_GROUP)
    proto3 = file.syntax == "proto3"
    return proto3 and not is_message and not given.proto3_optional and not given.HasField("oneof_index")


def _literal(given: FieldDescriptorProto) -> Json:
    text = given.default_value
    if given.type == _F.TYPE_BOOL:
        return text == "true"
    scalar = _SCALARS.get(given.type)
    if scalar is None or scalar.kind in (ScalarKind.STRING, ScalarKind.BYTES) or scalar.json_encoding:
        return text
    return float(text) if scalar.kind in (ScalarKind.F32, ScalarKind.F64) else int(text)

"""Documents made up from the IR, by a seed: every state, every edge of every kind."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from migrations_app.domain.conversion.laws.ids import example_id
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.domain.resources.id_patterns import compile_id_pattern
from migrations_app.domain.schema.ir import ResourceDefinition, Schema
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    FieldMaskType,
    FilterType,
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
    UnionType,
)
from migrations_app.kernel.json import Json, JsonObject

_DEPTH: Final = 5
_TEXTS: Final = (
    "",
    "a",
    "Database",
    "Grüße, 世界 🌍",
    "0",
    "123",
    "null",
    "İstanbul",
    "a,b",
    "x" * 60,
    "$sy",
    '"',
)
_IDS: Final = ("p1", "prod", "db-7", "eu-west1", "a0", "team-blue")
_NUMBERS: Final[Mapping[ScalarKind, tuple[Json, ...]]] = {
    ScalarKind.I32: (0, 1, -1, 30, 2**31 - 1, -(2**31)),
    ScalarKind.U32: (0, 1, 90, 2**32 - 1),
    ScalarKind.I64: (0, 1, -1, 1000, 2**53 + 1, 2**63 - 1, -(2**63)),
    ScalarKind.U64: (0, 1, 2**53 + 1, 2**64 - 1),
    ScalarKind.F32: (0.0, 0.5, -1.25, 3.0e38),
    ScalarKind.F64: (0.0, 0.1, -2.5, 1e300, 2**53 + 1.0),
    ScalarKind.DECIMAL: ("0", "0.1000000000000000055511151231257827", "123456789012345678901234567890"),
    ScalarKind.BOOL: (True, False),
    ScalarKind.BYTES: ("", "AA==", "AQID", "+/8="),
    ScalarKind.TIMESTAMP: ("2026-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-01-31T12:00:00.123456789Z"),
    ScalarKind.DURATION: ("0s", "30s", "90s", "1.5s", "-3s", "0.000000001s", "315576000000s"),
    ScalarKind.DATE: ("2026-01-31", "0001-01-01", "9999-12-31"),
    ScalarKind.QUANTITY: ("500m", "2Gi", "1", "0.5", "100k"),
}


class Exemplars:
    """Makes documents of one version; the same seed makes the same documents."""

    def __init__(self, schema: Schema, seed: int) -> None:
        self.schema = schema
        self.chance = random.Random(seed)  # noqa: S311 - exemplars, not secrets

    def resource(self, resource: ResourceDefinition) -> tuple[str, JsonObject]:
        """Make a resource: its name and its document, which carries the name too."""
        name = self.name(resource)
        given = self.schema.object(resource.message)
        document = self.object(given, 0, skip=resource.name_field)
        field = given.field(resource.name_field)
        if field is not None:
            document = {field.key: name, **document}
        return name, document

    def name(self, resource: ResourceDefinition) -> str:
        """Make a name of one of the patterns."""
        pattern = self.chance.choice(resource.patterns or ("things/{thing}",))
        parts = [self._segment(part, resource.id_patterns) for part in pattern.split("/")]
        return "/".join(parts)

    def _segment(self, part: str, ids: Mapping[str, str]) -> str:
        if not part.startswith("{"):
            return part
        body = ids.get(part.strip("{}").partition("=")[0])
        if body is None:
            return self.chance.choice(_IDS)
        fitting = [each for each in _IDS if compile_id_pattern(body).fullmatch(each)]
        return self.chance.choice(fitting) if fitting else example_id(body, self.chance) or _IDS[0]

    def object(self, given: ObjectType, depth: int = 0, skip: str = "") -> JsonObject:
        """Make an object; of a oneof at most one member is set."""
        silent: set[str] = set()
        for group in given.oneofs:
            silent |= {*group.members} - {self.chance.choice(group.members)}
        made: JsonObject = {}
        for field in given.fields:
            if field.name == skip or field.name in silent:
                continue
            state = self._field(field, depth)
            if state is not ABSENT:
                made[field.key] = state
        return made

    def _field(self, field: Field, depth: int) -> State:
        roll = self.chance.random()
        if not field.required and (roll < 0.25 or depth >= _DEPTH):
            return ABSENT
        if field.nullable and roll < 0.35:
            return None
        value = self.value(field.type, depth)
        maximum = field.constraints.get("maxItems")
        if isinstance(value, list) and isinstance(maximum, int):
            return value[:maximum]
        return value

    def value(self, given: Type, depth: int) -> Json:
        """Make a value of a type."""
        given = self.schema.resolve(given)
        if isinstance(given, ObjectType):
            return self.object(given, depth + 1)
        if isinstance(given, EnumType):
            return self.chance.choice([value.name for value in given.values] or ["NONE"])
        if isinstance(given, ListType):
            return [self.value(given.item, depth + 1) for _ in range(self._size(depth))]
        if isinstance(given, MapType):
            keys = self.chance.sample(self._keys(given.key), self._size(depth))
            return {key: self.value(given.value, depth + 1) for key in keys}
        if isinstance(given, UnionType):
            return self.value(self.chance.choice(given.branches), depth + 1)
        return self._single(given)

    def _size(self, depth: int) -> int:
        return 0 if depth >= _DEPTH else self.chance.choice((0, 1, 1, 2, 3))

    @staticmethod
    def _keys(kind: ScalarKind) -> list[str]:
        if kind is ScalarKind.BOOL:
            return ["true", "false"] * 2
        return ["1", "2", "30", "4"] if kind is not ScalarKind.STRING else ["a", "x.y", "Größe", "k-1"]

    def _single(self, given: Type) -> Json:
        if isinstance(given, ReferenceType):
            return self._reference(given)
        if isinstance(given, ScalarType):
            made = self.chance.choice(_NUMBERS.get(given.kind, _TEXTS))
            return str(made) if given.json_encoding == "string" and isinstance(made, int) else made
        if isinstance(given, FieldMaskType):
            return self.chance.choice(("", "a", "a.b,c"))
        if isinstance(given, StructType):
            structs: tuple[Json, ...] = ({}, {"k": [1, None]}, {"deep": {"er": "x"}})
            return self.chance.choice(structs)
        return "a = 1" if isinstance(given, FilterType) else "x"

    def _reference(self, given: ReferenceType) -> Json:
        own = [
            self.schema.resources[each.rpartition("/")[2]] for each in given.resource if self._is_own(each)
        ]
        return self.name(self.chance.choice(own)) if own else "projects/p1/things/a0"

    def _is_own(self, resource: str) -> bool:
        service, _, short = resource.rpartition("/")
        return service in ("", self.schema.service) and short in self.schema.resources

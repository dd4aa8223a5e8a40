"""The types of the schema IR: what a value in a document of one version may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from migrations_app.kernel.json import Json


class ScalarKind(StrEnum):
    """The kinds a scalar may have; all but the numbers, `bool` and `any` are text in JSON."""

    BOOL = "bool"
    I32 = "i32"
    I64 = "i64"
    U32 = "u32"
    U64 = "u64"
    F32 = "f32"
    F64 = "f64"
    DECIMAL = "decimal"
    STRING = "string"
    BYTES = "bytes"
    TIMESTAMP = "timestamp"
    DURATION = "duration"
    DATE = "date"
    QUANTITY = "quantity"
    ANY = "any"


class ListKind(StrEnum):
    """How the elements of a list are told apart: by place, by value or by key fields."""

    ORDERED = "ordered"
    SET = "set"
    KEYED = "keyed"


class UnknownKeys(StrEnum):
    """What an object does with a key that its version does not know.

    All but `drop` say it of what clients send, and leave alone what is stored; `drop` says it of both.
    """

    STRICT = "strict"
    FILTER = "filter"
    PASS = "pass"  # noqa: S105 - a policy, not a password
    DROP = "drop"


class Presence(StrEnum):
    """Whether an absent value can be told from a default one."""

    EXPLICIT = "explicit"
    IMPLICIT = "implicit"


class Behavior(StrEnum):
    """What may be done with a field beside reading and writing it."""

    OUTPUT_ONLY = "output_only"
    INPUT_ONLY = "input_only"
    IMMUTABLE = "immutable"
    IDENTIFIER = "identifier"


class DefaultKind(StrEnum):
    """What fills an absent field: nothing, the schema or the server."""

    NONE = "none"
    STATIC = "static"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A single value; `json_encoding` is `string` for 64-bit integers in the protobuf mapping."""

    kind: ScalarKind
    format: str = ""
    json_encoding: str = ""


@dataclass(frozen=True, slots=True)
class EnumValue:
    """One symbol of an enum and, where the source has one, its number."""

    name: str
    number: int | None = None
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Reserved:
    """Numbers, as inclusive ranges, and names that were used once and must not be used again."""

    numbers: tuple[tuple[int, int], ...] = ()
    names: tuple[str, ...] = ()

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and any(low <= number <= high for low, high in self.numbers)


@dataclass(frozen=True, slots=True)
class EnumType:
    """A closed or open set of symbols; `zero` is the symbol that an implicit field means by absence."""

    values: tuple[EnumValue, ...]
    open: bool = False
    zero: str = ""
    reserved: Reserved = Reserved()

    def reserves(self, number: int) -> bool:
        """Tell whether a number was used once and is kept from use."""
        return number in self.reserved

    def value(self, name: str) -> EnumValue | None:
        """Find a symbol by its name."""
        return next((value for value in self.values if value.name == name), None)


@dataclass(frozen=True, slots=True)
class ListType:
    """A list; `keys` name the fields that identify an element of a keyed list."""

    item: Type
    kind: ListKind = ListKind.ORDERED
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MapType:
    """A map; in JSON every key is text, `key` says what the text stands for."""

    value: Type
    key: ScalarKind = ScalarKind.STRING


@dataclass(frozen=True, slots=True)
class UnionType:
    """One of several types, told apart by a discriminator field or by the JSON kind."""

    branches: tuple[Type, ...]
    discriminator: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceType:
    """The name of a resource: `resource` lists the full types (`limits.example.com/Plan`) it may be of."""

    resource: tuple[str, ...]
    form: str = "relative"


@dataclass(frozen=True, slots=True)
class RefType:
    """A named type of the same schema."""

    name: str


@dataclass(frozen=True, slots=True)
class StructType:
    """Opaque JSON that no version looks into."""


@dataclass(frozen=True, slots=True)
class FieldMaskType:
    """A list of field paths, as text separated by commas."""


@dataclass(frozen=True, slots=True)
class FilterType:
    """The text of a filter over a resource type."""

    resource: str = ""


@dataclass(frozen=True, slots=True)
class Default:
    """What an absent field means."""

    kind: DefaultKind = DefaultKind.NONE
    value: Json = None


@dataclass(frozen=True, slots=True)
class Deprecation:
    """Since when a field is deprecated, when it may go and what replaces it."""

    since: str = ""
    sunset: str = ""
    replaced_by: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """What a number counts: a dimension (`time`) and the unit's name in it (`s`)."""

    dim: str
    name: str


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an object.

    `id` is the lineage: the first type and name the field ever had, stable through renames. Documents
    carry the field under `key`; paths in edges, filters and masks are written with `name`. `place` is the file and
    line of the source, where that is known; it is not part of what the field means.
    """

    name: str
    type: Type
    id: str = ""
    json_name: str = ""
    number: int | None = None
    required: bool = False
    always: bool = False
    presence: Presence = Presence.EXPLICIT
    nullable: bool = False
    empty_is_absent: bool = False
    default: Default = Default()
    behavior: frozenset[Behavior] = frozenset()
    constraints: Mapping[str, Json] = field(default_factory=dict)
    unit: Unit | None = None
    deprecated: Deprecation | None = None
    sensitive: bool = False
    description: str = ""
    place: str = field(default="", compare=False, repr=False)

    @property
    def key(self) -> str:
        """The key under which a JSON document carries the field."""
        return self.json_name or self.name


@dataclass(frozen=True, slots=True)
class Oneof:
    """A group of fields of which at most one is set."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ObjectType:
    """An object: its fields in the order of the source."""

    fields: tuple[Field, ...]
    oneofs: tuple[Oneof, ...] = ()
    unknown: UnknownKeys = UnknownKeys.FILTER
    recursive: bool = False
    description: str = ""
    reserved: Reserved = Reserved()
    _by_name: dict[str, Field] = field(init=False, repr=False, compare=False, hash=False)
    _by_key: dict[str, Field] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {each.name: each for each in self.fields})
        object.__setattr__(self, "_by_key", {each.key: each for each in self.fields})

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def reserves(self, number: int) -> bool:
        """Tell whether a number was used once and is kept from use."""
        return number in self.reserved

    def field(self, name: str) -> Field | None:
        """Find a field by its name, else by its JSON key."""
        return self._by_name.get(name) or self._by_key.get(name)

    def by_key(self, key: str) -> Field | None:
        """Find the field that documents carry under `key`."""
        return self._by_key.get(key)

    def oneof_of(self, name: str) -> Oneof | None:
        """Find the oneof that a field is a member of."""
        return next((group for group in self.oneofs if name in group.members), None)


Type: TypeAlias = (
    ScalarType
    | EnumType
    | ListType
    | MapType
    | ObjectType
    | UnionType
    | ReferenceType
    | RefType
    | StructType
    | FieldMaskType
    | FilterType
)

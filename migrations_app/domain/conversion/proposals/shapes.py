"""How alike two types of two versions are, named types looked into."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.domain.conversion.proposals.names.words import likeness, type_words, words
from migrations_app.domain.conversion.proposals.samples import NO_SAMPLES, Samples
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    RefType,
    ScalarKind,
    ScalarType,
    Type,
    UnionType,
)

_DEPTH = 3
_FEW, _MOST = 2, 0.7  # fields, and the share of two object types that is most of them
_WIDER = frozenset(
    {(ScalarKind.I32, ScalarKind.I64), (ScalarKind.U32, ScalarKind.U64), (ScalarKind.F32, ScalarKind.F64)}
)
_PLAIN = (ScalarKind.STRING, ScalarKind.BOOL, ScalarKind.I32, ScalarKind.I64)


class Shapes:
    """Compares types of the old version with types of the new one; what was compared is kept.

    `samples` are documents of both, if there are any.
    """

    def __init__(self, old: Schema, new: Schema, samples: Samples = NO_SAMPLES) -> None:
        self.old, self.new, self.samples = old, new, samples
        self._kept: dict[tuple[str, str], float] = {}

    def likeness(self, old: Type, new: Type, depth: int = _DEPTH) -> float:
        """Tell how alike two types are: 0 when no value of one is a value of the other, 1 when they are equal."""
        if isinstance(old, RefType) and isinstance(new, RefType):
            key = (old.name, new.name)
            if key not in self._kept:
                self._kept[key] = 0.5  # what a recursive type says of itself
                self._kept[key] = self._resolved(old, new, depth)
            return self._kept[key]
        return self._resolved(old, new, depth)

    def _resolved(self, old: Type, new: Type, depth: int) -> float:
        left, right = self.old.resolve(old), self.new.resolve(new)
        match left, right:
            case ObjectType(), ObjectType():
                return self.objects(left, right, depth)
            case EnumType(), EnumType():
                return symbols_alike(left, right)
            case ListType(), ListType():
                return self.likeness(left.item, right.item, depth)
            case MapType(), MapType():
                return self.likeness(left.value, right.value, depth)
            case ScalarType(), ScalarType():
                return self._scalars(left, right)
            case ReferenceType(), ReferenceType():
                return 1.0 if _last(left) & _last(right) or not left.resource or not right.resource else 0.1
            case (ReferenceType(), ScalarType(kind=ScalarKind.STRING)) | (
                ScalarType(kind=ScalarKind.STRING),
                ReferenceType(),
            ):
                return 0.7
            case UnionType(), UnionType():
                return 1.0 if left == right else 0.0
            case _:
                return 1.0 if type(left) is type(right) else 0.0

    @staticmethod
    def _scalars(old: ScalarType, new: ScalarType) -> float:
        if old.kind is new.kind:
            return 1.0
        return 0.9 if (old.kind, new.kind) in _WIDER else 0.0

    def objects(self, old: ObjectType, new: ObjectType, depth: int = _DEPTH) -> float:
        """Tell how much of two object types is alike."""
        if not old.fields or not new.fields:
            return 1.0 if not old.fields and not new.fields else 0.3
        common = self._common(old, new, depth, bare=False)
        if not common:  # all fields of a type may begin with the words of its name
            common = self._common(old, new, depth, bare=True)
        return 2 * common / (len(old.fields) + len(new.fields))

    def _common(self, old: ObjectType, new: ObjectType, depth: int, *, bare: bool) -> float:
        """Add up how alike the fields are that two object types both have."""
        mine, theirs = (_field_words(each, bare=bare) for each in (old, new))
        common = 0.0
        for name, each in mine.items():
            fellow = theirs.get(name)
            if fellow is not None:
                common += self.likeness(each.type, fellow.type, depth - 1) if depth else 0.7
        return common

    def size(self, old: Type, new: Type) -> int:
        """Count the fields of the smaller of two object types; 1 for other types."""
        counts = []
        for schema, given in ((self.old, old), (self.new, new)):
            found = _element(schema, given)
            counts.append(len(found.fields) if isinstance(found, ObjectType) else 1)
        return min(counts)

    def are_objects(self, old: Type, new: Type) -> bool:
        """Tell whether two fields hold objects, not lists of them, of one type, or with half of their fields in common."""
        both = isinstance(self.old.resolve(old), ObjectType) and isinstance(self.new.resolve(new), ObjectType)
        return both and (same_type_name(old, new) or self.likeness(old, new) >= 0.5)

    def are_own_types(self, old: Type, new: Type) -> bool:
        """Tell whether two object types have most in common, and no version has a type of the other one's name.

        Fields that stand side by side in one version and hold one type have none of their own.
        """
        ends = _last_name(old), _last_name(new)
        if not all(ends) or self.size(old, new) < _FEW or self.likeness(old, new) < _MOST:
            return False
        kept = [{name.rpartition(".")[2] for name in schema.types} for schema in (self.new, self.old)]
        return all(name not in names for name, names in zip(ends, kept, strict=True))

    def is_telling(self, given: Type, *, old: bool) -> bool:
        """Tell whether a type says something of its field: objects, enums and references do, texts and numbers do not."""
        found = _element(self.old if old else self.new, given)
        if isinstance(found, ObjectType):
            return bool(found.fields)
        if isinstance(found, ReferenceType):
            return bool(found.resource)
        return isinstance(found, EnumType) or (isinstance(found, ScalarType) and found.kind not in _PLAIN)


def _field_words(given: ObjectType, *, bare: bool) -> dict[tuple[str, ...], Field]:
    """List the fields of an object by the words of their names, if bare without those that all of them begin with."""
    if not bare:
        return {words(each.name): each for each in given.fields}
    shorter = without_shared_start({each.name: words(each.name) for each in given.fields})
    return {shorter[each.name]: each for each in given.fields}


def _element(schema: Schema, given: Type) -> Type:
    """Find the type of what a field holds, inside lists and maps."""
    found = schema.resolve(given)
    while isinstance(found, ListType | MapType):
        found = schema.resolve(found.item if isinstance(found, ListType) else found.value)
    return found


def _last_name(given: Type) -> str:
    """Name the type that a field holds, inside lists and maps, without the types around it."""
    while isinstance(given, ListType | MapType):
        given = given.item if isinstance(given, ListType) else given.value
    return given.name.rpartition(".")[2] if isinstance(given, RefType) else ""


def is_flag(given: Type) -> bool:
    """Tell whether a type is that of true and false."""
    return isinstance(given, ScalarType) and given.kind is ScalarKind.BOOL


def is_time(given: Type) -> bool:
    """Tell whether a type is that of moments."""
    return isinstance(given, ScalarType) and given.kind is ScalarKind.TIMESTAMP


def same_type_name(old: Type, new: Type) -> bool:
    """Tell whether two named types have one last name."""
    if not isinstance(old, RefType) or not isinstance(new, RefType):
        return False
    return old.name.rpartition(".")[2] == new.name.rpartition(".")[2]


def _last(given: ReferenceType) -> set[str]:
    return {each.rpartition("/")[2] for each in given.resource}


def symbols_alike(old: EnumType, new: EnumType) -> float:
    """Tell how much two enums have in common, prefixes and the case of symbols aside."""
    left, right = set(bare_symbols(old).values()), set(bare_symbols(new).values())
    return 2 * len(left & right) / (len(left) + len(right)) if left or right else 0.5


def bare_symbols(enum: EnumType) -> dict[str, tuple[str, ...]]:
    """Split the symbols of an enum into words, without the words that all of them begin with."""
    return without_shared_start({value.name: words(value.name) for value in enum.values})


def without_shared_start(names: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Cut off the words that all names begin with; each keeps one at least."""
    prefix = 0
    if len(names) > 1:
        shortest = min(map(len, names.values()))
        while prefix < shortest - 1 and len({parts[prefix] for parts in names.values()}) == 1:
            prefix += 1
    return {name: parts[prefix:] for name, parts in names.items()}


def names_alike(old: str, new: str) -> float:
    """Tell how alike the last segments of two type names are."""
    left, right = old.rpartition(".")[2], new.rpartition(".")[2]
    return 1.0 if type_words(left) == type_words(right) else likeness(left, right)

"""How much two resource types have in common of the fields that few other resource types have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from migrations_app.domain.conversion.proposals.names.common_names import FILLERS, is_common
from migrations_app.domain.conversion.proposals.names.synonyms import are_synonyms
from migrations_app.domain.conversion.proposals.names.words import documents_equal, type_words, words
from migrations_app.domain.conversion.proposals.shapes import Shapes
from migrations_app.domain.schema.ir import ResourceDefinition, Schema
from migrations_app.domain.schema.types import Field, ObjectType, RefType, Type

_DEPTH = 3
_FEW_TYPES, _RARE, _ALIKE = 2, 0.5, 0.5
_OPEN_AHEAD, _STAYING_AHEAD = 1.5, 1.1  # so many times the share of the next best pair
_LEAST, _MANY, _RARE_DOCUMENTS, _LONG_NAME, _ALONE = 1.25, 4.0, 2, 3, 3
# Shares of fields that are enough, by what the names have in common: one has all words of the other, also its noun; some; none.
_ADDED, _SAME_NOUN, _SHARED, _OTHER = 0.4, 0.25, 0.55, 0.9
_VARIANTS = frozenset(
    {"create", "update", "or", "patch", "fragment", "parameter", "request", "response", "input"}
)
_EMPTY = FILLERS | {"resource", "contract", "model", "definition", "profile"}
Fields = dict[tuple[str, ...], Field]


@dataclass(frozen=True, slots=True)
class Common:
    """The weighted share of two types, the weight of what they share, and how many rare fields keep their document.

    `alone` counts shared fields that no third type has and that documents of any kind seldom have, as `status`.
    """

    share: float = 0.0
    weight: float = 0.0
    documents: int = 0
    alone: int = 0


class OwnFields:
    """Compares resource types by their fields, wherever in the document they stand; each counts less the more types have it."""

    def __init__(self, shapes: Shapes, left: list[ResourceDefinition], right: list[ResourceDefinition]):
        self._shapes = shapes
        self._open = {each.type for each in left}, {each.type for each in right}
        self._kept: dict[tuple[str, str], Common] = {}

    @cached_property
    def _fields(self) -> tuple[dict[str, Fields], dict[str, Fields]]:
        old, new = (
            {name: dict(_fields_of(schema, RefType(each.message))) for name, each in schema.resources.items()}
            for schema in (self._shapes.old, self._shapes.new)
        )
        return old, new

    @cached_property
    def _counts(self) -> Counter[tuple[str, ...]]:
        return Counter(name for side in self._fields for given in side.values() for name in given)

    def _weight(self, name: tuple[str, ...]) -> float:
        return 1 / (1 + max(0, self._counts[name] - _FEW_TYPES) / 2)

    def common(self, old: str, new: str) -> Common:
        """Tell what two resource types have in common."""
        if (old, new) not in self._kept:
            self._kept[old, new] = self._compare(self._fields[0][old], self._fields[1][new])
        return self._kept[old, new]

    def _compare(self, mine: Fields, theirs: Fields) -> Common:
        both = [
            name
            for name in mine
            if name in theirs and self._shapes.likeness(mine[name].type, theirs[name].type) >= _ALIKE
        ]
        documents = sum(
            documents_equal(*((each[name].description, each[name].name) for each in (mine, theirs)))
            for name in both
            if self._weight(name) >= _RARE
        )
        weight = sum(map(self._weight, both))
        every = sum(map(self._weight, mine)) + sum(map(self._weight, theirs))
        alone = sum(self._counts[name] <= _FEW_TYPES and not is_common(mine[name].name) for name in both)
        return Common(2 * weight / every if every else 0.0, weight, documents, alone)

    def are_one(self, old: str, new: str) -> bool:
        """Tell whether what two types have in common makes them near certain to be one, and no other type comes near."""
        found = self.common(old, new)
        if found.weight < _LEAST or any(map(_is_variant, (old, new), self._schemas)):
            return False
        mine, theirs = set(type_words(old)), set(type_words(new))
        if mine <= theirs or theirs <= mine or are_synonyms(type_words(old), type_words(new)):
            same_noun = type_words(old)[-1] == type_words(new)[-1]
            is_much = found.weight >= _MANY or len(mine & theirs) >= _LONG_NAME
            least = _SAME_NOUN if same_noun and is_much else _ADDED
            enough = found.documents > 0 or found.weight >= _MANY
        elif (mine & theirs) - _EMPTY:
            least = _SHARED
            enough = found.documents >= _RARE_DOCUMENTS or (found.share >= _OTHER and found.alone >= _ALONE)
        else:
            least, enough = _OTHER, found.documents > 0
        return enough and found.share >= least and self._is_ahead(old, new)

    @property
    def _schemas(self) -> tuple[Schema, Schema]:
        return self._shapes.old, self._shapes.new

    def _is_ahead(self, old: str, new: str) -> bool:
        """Tell whether neither type is nearly as much like another one; forms of a type for requests are none."""
        own = self.common(old, new).share
        rivals = [(old, each) for each in self._fields[1] if each != new]
        rivals += [(each, new) for each in self._fields[0] if each != old]
        for one, other in rivals:
            if any(map(_is_variant, (one, other), self._schemas)):
                continue
            is_open = one in self._open[0] and other in self._open[1]
            if own < self.common(one, other).share * (_OPEN_AHEAD if is_open else _STAYING_AHEAD):
                return False
        return True


def _is_variant(name: str, schema: Schema) -> bool:
    """Tell whether a type is another one as requests or lists write it: `ThingCreate` beside `Thing`."""
    bare = tuple(word for word in type_words(name) if word not in _VARIANTS)
    return bare != type_words(name) and any(type_words(each) == bare for each in schema.resources)


def _fields_of(
    schema: Schema, given: Type, above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Field]]:
    """List the fields of a type by their words, with those of the objects in it."""
    found = schema.resolve(given)
    if not isinstance(found, ObjectType) or len(above) > _DEPTH:
        return
    for each in found.fields:
        name = each.type.name if isinstance(each.type, RefType) else ""
        if isinstance(schema.resolve(each.type), ObjectType) and (not name or name not in above):
            yield from _fields_of(schema, each.type, (*above, name))
        yield words(each.name), each

"""Which true renames nothing in two definitions tells, by a rule that was written down before they were counted.

A rename is not derivable if all of this holds: the two names share no word, no abbreviation of one and no synonym; no
document names the other field; their documents, where both have one, have less than two words in common that the names
do not have; their types are no objects, enums or references; and another field of either side is open in the object.
"""

from __future__ import annotations

from migrations_app.domain.conversion.proposals.names.synonyms import are_synonyms
from migrations_app.domain.conversion.proposals.names.words import are_opposites, document_words, words
from migrations_app.domain.conversion.proposals.shapes import Shapes
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import Field, ListType, MapType, ObjectType, Type

_SHARED_WORDS = 2


def is_derivable(old: Schema, new: Schema, rename: tuple[str, str, str], owner_in_new: str = "") -> bool:
    """Tell whether anything in two definitions speaks for a rename; one that is not found in them counts as derivable."""
    owner, before, after = rename
    mine, theirs = _object_at(old, owner), _object_at(new, owner_in_new or owner)
    left = mine.field(before) if mine else None
    right = theirs.field(after) if theirs else None
    if mine is None or theirs is None or left is None or right is None:
        return True
    return (
        _names_tell(left, right)
        or _documents_tell(left, right)
        or _types_tell(Shapes(old, new), left, right)
        or (_count_open(mine, theirs) == 1 and _count_open(theirs, mine) == 1)
    )


def _names_tell(left: Field, right: Field) -> bool:
    mine, theirs = words(left.name), words(right.name)
    joined = "".join(mine), "".join(theirs)
    is_short = any(
        short != long and long.startswith(short) and len(short) > 2 for short, long in (joined, joined[::-1])
    )
    if are_opposites(mine, theirs):
        return False
    return bool(set(mine) & set(theirs)) or is_short or are_synonyms(mine, theirs)


def _documents_tell(left: Field, right: Field) -> bool:
    if left.name in right.description or right.name in left.description:
        return True
    names = {*words(left.name), *words(right.name)}
    shared = document_words(left.description) & document_words(right.description)
    return len(shared - names) >= _SHARED_WORDS


def _types_tell(shapes: Shapes, left: Field, right: Field) -> bool:
    return shapes.is_telling(left.type, old=True) and shapes.is_telling(right.type, old=False)


def _count_open(own: ObjectType, other: ObjectType) -> int:
    known = {each.key for each in other.fields}
    return sum(each.key not in known for each in own.fields)


def _object_at(schema: Schema, owner: str) -> ObjectType | None:
    """Find an object type by its name, or by the place that holds one without a name of its own."""
    parts = owner.split(".")
    for size in range(len(parts), 0, -1):
        found: Type | None = schema.types.get(".".join(parts[:size]))
        for name in parts[size:]:
            field = found.field(name) if isinstance(found, ObjectType) else None
            found = _element(schema, field.type) if field is not None else None
        if isinstance(found, ObjectType):
            return found
    return None


def _element(schema: Schema, given: Type) -> Type:
    found = schema.resolve(given)
    while isinstance(found, ListType | MapType):
        found = schema.resolve(found.item if isinstance(found, ListType) else found.value)
    return found

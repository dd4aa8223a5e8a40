"""Published types of which one sibling goes and another one comes, so that every line that takes one for the other is wrong.

Two fields that stand side by side in one published type are two fields, however alike they are. The old version of a
decoy lacks one of them, the new version the other; nothing was renamed or moved. The seed alone decides which.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from benchmarks.published.evolutions import Truth, reached_types
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import Field, ObjectType, Type

_LEAST_FIELDS = 4  # of a type that has siblings enough to lose two


@dataclass(frozen=True, slots=True)
class Decoys:
    """Two versions made of one, and the pairs of fields that a line could wrongly take for one."""

    old: Schema
    new: Schema
    pairs: frozenset[Truth]


def decoys(schema: Schema, seed: str) -> Decoys:
    """Take one field out of each version of every type that resources hold, both of one type."""
    choice = random.Random(seed)
    old: dict[str, Type] = dict(schema.types)
    new: dict[str, Type] = dict(schema.types)
    pairs: set[Truth] = set()
    names = {each.message: each.name_field for each in schema.resources.values()}
    for owner in sorted(reached_types(schema)):
        given = schema.types[owner]
        if not isinstance(given, ObjectType) or len(given.fields) < _LEAST_FIELDS:
            continue
        siblings = _siblings(given, names.get(owner))
        if not siblings:
            continue
        gone, come = choice.choice(siblings)
        if choice.random() < 0.5:
            gone, come = come, gone
        old[owner] = _without(given, come)
        new[owner] = _without(given, gone)
        pairs.add((owner, gone.name, come.name))
    return Decoys(
        replace(schema, version="v1", ordinal=10, types=old),
        replace(schema, version="v2", ordinal=20, types=new),
        frozenset(pairs),
    )


def _siblings(given: ObjectType, name_field: str | None) -> list[tuple[Field, Field]]:
    """List the pairs of fields of one type; the likest names first would favour none, so all count alike."""
    held = {member for oneof in given.oneofs for member in oneof.members} | {name_field}
    free = [each for each in given.fields if each.name not in held]
    return [
        (left, right) for at, left in enumerate(free) for right in free[at + 1 :] if left.type == right.type
    ]


def _without(given: ObjectType, field: Field) -> ObjectType:
    return replace(given, fields=tuple(each for each in given.fields if each is not field))

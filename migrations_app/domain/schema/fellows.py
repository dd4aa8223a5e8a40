"""Which elements of a list are the same elements before and after an update."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from migrations_app.domain.schema.types import ListKind, ListType
from migrations_app.kernel.json import Json, canonical


def fellows(
    given: ListType, after: Sequence[Json], before: Sequence[Json], *forms: Callable[[Json], Json]
) -> list[int | None]:
    """Find for every element after an update the place of the one before it that it stems from.

    By declared keys; else by being equal in one of the forms, the strictest first, each element before it once, in
    order; else by place when nothing was added or taken away.
    """
    found: list[int | None] = [None] * len(after)
    if given.kind is ListKind.KEYED:
        _match(found, after, before, lambda value: _keys(value, given.keys))
        return found
    for form in forms:
        _match(found, after, before, form)
    if len(after) == len(before):
        taken = set(found)
        for place, index in enumerate(found):
            if index is None and place not in taken:
                found[place] = place
    return found


def _keys(value: Json, keys: tuple[str, ...]) -> Json:
    return [value.get(key) for key in keys] if isinstance(value, dict) else value


def _match(
    found: list[int | None], after: Sequence[Json], before: Sequence[Json], form: Callable[[Json], Json]
) -> None:
    taken = set(found)
    places: dict[bytes, list[int]] = {}
    for index, value in enumerate(before):
        if index not in taken:
            places.setdefault(canonical(form(value)), []).append(index)
    for place, value in enumerate(after):
        if found[place] is None and (free := places.get(canonical(form(value)))):
            found[place] = free.pop(0)

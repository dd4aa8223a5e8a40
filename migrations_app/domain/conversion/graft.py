"""Laying a client's new view over a stored document, so that what the view cannot show survives."""

from __future__ import annotations

from collections.abc import Iterable

from migrations_app.domain.conversion.bag import BAG, is_bagged, strip
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import ListKind, ListType, MapType, ObjectType, Type
from migrations_app.kernel.json import Json, JsonObject, canonical


class Grafter:
    """Knows one version's types, and so which elements of a list are the same element."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def graft(self, given: ObjectType, view: JsonObject, stored: JsonObject) -> JsonObject:
        """Take everything visible from the view and every bag from the stored document."""
        made: JsonObject = {}
        for key, value in view.items():
            field = given.by_key(key)
            below = stored.get(key)
            made[key] = value if field is None or below is None else self._value(field.type, value, below)
        if BAG in stored:
            made[BAG] = stored[BAG]
        return made

    def _value(self, given: Type, view: Json, stored: Json) -> Json:
        found = self.schema.resolve(given)
        if isinstance(view, dict) and isinstance(stored, dict):
            if isinstance(found, ObjectType):
                return self.graft(found, view, stored)
            if isinstance(found, MapType):
                return {
                    key: self._value(found.value, value, stored[key]) if key in stored else value
                    for key, value in view.items()
                }
        if isinstance(found, ListType) and isinstance(view, list) and isinstance(stored, list):
            return self._list(found, view, stored)
        return view

    def _list(self, given: ListType, view: list[Json], stored: list[Json]) -> Json:
        if not is_bagged(stored):
            return view
        fellows = self._fellows(given, view, stored)
        return [
            value if fellow is None else self._value(given.item, value, stored[fellow])
            for value, fellow in zip(view, fellows, strict=True)
        ]

    def _fellows(self, given: ListType, view: list[Json], stored: list[Json]) -> list[int | None]:
        """Find for every element of the view the stored one it stems from.

        By declared keys; else by equal image, each stored element once, in order; else by place when
        nothing was added or taken away.
        """
        if given.kind is ListKind.KEYED:
            return _correlated(
                (_key(value, given.keys) for value in view), (_key(value, given.keys) for value in stored)
            )
        found = _correlated(map(canonical, view), (canonical(strip(value)) for value in stored))
        if len(view) == len(stored):
            free = set(range(len(stored))) - {index for index in found if index is not None}
            found = [place if index is None and place in free else index for place, index in enumerate(found)]
        return found


def _key(value: Json, keys: tuple[str, ...]) -> bytes:
    return canonical([value.get(key) for key in keys] if isinstance(value, dict) else value)


def _correlated(view: Iterable[bytes], stored: Iterable[bytes]) -> list[int | None]:
    places: dict[bytes, list[int]] = {}
    for index, name in enumerate(stored):
        places.setdefault(name, []).append(index)
    return [places[name].pop(0) if places.get(name) else None for name in view]

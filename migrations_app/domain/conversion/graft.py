"""Laying a client's new view over a stored document, so that what the view cannot show survives."""

from __future__ import annotations

from migrations_app.domain.conversion.bag import BAG, is_bagged, strip
from migrations_app.domain.schema.fellows import fellows
from migrations_app.domain.schema.ir import Schema, UnknownKeys
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, Type
from migrations_app.domain.schema.untouched import object_of, trimmed
from migrations_app.kernel.json import Json, JsonObject


class Grafter:
    """Knows one version's types, and so which elements of a list are the same element.

    With `carries`, keys that the version does not know are taken from the stored document too.
    """

    def __init__(self, schema: Schema, *, carries: bool) -> None:
        self.schema, self._carries = schema, carries

    def graft(
        self, given: ObjectType, view: JsonObject, stored: JsonObject, unknown: UnknownKeys | None = None
    ) -> JsonObject:
        """Take everything visible from the view, and every bag from the stored document.

        `unknown` overrides what the types say of unknown keys.
        """
        made: JsonObject = {}
        for key, value in view.items():
            field = given.by_key(key)
            below = stored.get(key)
            if field is None or below is None:
                made[key] = value
            else:
                made[key] = self._value(field.type, value, below, unknown)
        if self._carries and (unknown or given.unknown) is not UnknownKeys.DROP:
            for key, value in stored.items():
                if key not in made and given.by_key(key) is None:
                    made[key] = value
        if BAG in stored:
            made[BAG] = stored[BAG]
        return made

    def _value(self, given: Type, view: Json, stored: Json, unknown: UnknownKeys | None) -> Json:
        found = object_of(self.schema, given) if self._carries else self.schema.resolve(given)
        if isinstance(view, dict) and isinstance(stored, dict):
            if isinstance(found, ObjectType):
                return self.graft(found, view, stored, unknown)
            if isinstance(found, MapType):
                return {
                    key: self._value(found.value, value, stored[key], unknown) if key in stored else value
                    for key, value in view.items()
                }
        if isinstance(found, ListType) and isinstance(view, list) and isinstance(stored, list):
            return self._list(found, view, stored, unknown)
        return view

    def _list(
        self, given: ListType, view: list[Json], stored: list[Json], unknown: UnknownKeys | None
    ) -> Json:
        if not self._carries and not is_bagged(stored):
            return view

        def _known(value: Json) -> Json:
            return trimmed(self.schema, given.item, strip(value), lambda found: True)

        places = fellows(given, view, stored, strip, _known)
        return [
            value if place is None else self._value(given.item, value, stored[place], unknown)
            for value, place in zip(view, places, strict=True)
        ]

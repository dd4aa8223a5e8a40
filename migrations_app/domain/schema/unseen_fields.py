"""What an update keeps because answers left it out: its client cannot have meant to take away what it did not see."""

from __future__ import annotations

from migrations_app.domain.schema.fellows import fellows
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.key_strategies import EACH, ENTRIES
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, Type
from migrations_app.domain.schema.untouched import object_of
from migrations_app.kernel.json import Json, JsonObject


class UnseenFields:
    """Fields of one resource type, by canonical paths such as `lid.colour`, `parts[].note` and `tags{}.note`."""

    def __init__(self, schema: Schema, document: ObjectType, paths: frozenset[str]) -> None:
        self._schema, self._document, self._paths = schema, document, paths

    def kept(self, sent: JsonObject, before: JsonObject) -> JsonObject:
        """Put the fields back that a whole resource was sent without, as they are stored."""
        made = self._kept(self._document, sent, before, "")
        assert isinstance(made, dict)
        return made

    def _kept(self, given: Type, sent: Json, before: Json, at: str) -> Json:
        if not any(path.startswith(at) for path in self._paths):
            return sent
        found = object_of(self._schema, given)
        if isinstance(sent, dict) and isinstance(before, dict):
            if isinstance(found, ObjectType):
                return self._of_object(found, sent, before, at)
            if isinstance(found, MapType):
                return {
                    key: self._kept(found.value, value, before.get(key), f"{at}{ENTRIES}")
                    for key, value in sent.items()
                }
        if isinstance(found, ListType) and isinstance(sent, list) and isinstance(before, list):
            places = fellows(found, sent, before, lambda value: value, lambda value: self._seen(value, at))
            return [
                value if place is None else self._kept(found.item, value, before[place], f"{at}{EACH}")
                for value, place in zip(sent, places, strict=True)
            ]
        return sent

    def _of_object(self, given: ObjectType, sent: JsonObject, before: JsonObject, at: str) -> JsonObject:
        made = dict(sent)
        for field in given.fields:
            path = f"{at}.{field.key}" if at else field.key
            if field.key in sent:
                made[field.key] = self._kept(field.type, sent[field.key], before.get(field.key), path)
            elif path in self._paths and field.name not in sent and field.key in before:
                made[field.key] = before[field.key]
        return made

    def _seen(self, value: Json, at: str) -> Json:
        """Show of an element of a list what a client sees of it, at its own level."""
        if not isinstance(value, dict):
            return value
        return {key: each for key, each in value.items() if f"{at}{EACH}.{key}" not in self._paths}

"""Names of the resources that messages hold: documents inside a message are called as in its version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, RefType, Type
from migrations_app.kernel.json import Json, JsonObject

Rename = Callable[[str], "str | None"]
_HIDDEN: Json = {"hidden": True}
"""Stands for a resource that has no name in the other version; known by identity."""


@dataclass(frozen=True, slots=True)
class ResourceNames:
    """Converts the names of resources inside messages of a version; `renames` are by the types of their documents.

    `keys` tells the key of the name in each. A resource without a name in the version is left out.
    """

    schema: Schema
    renames: Mapping[str, Rename]
    keys: Mapping[str, str]

    def function(self, type_: str) -> Callable[[JsonObject], JsonObject] | None:
        """Give the conversion of messages of a type; None when they hold no resources with other names."""
        if not self.renames or type_ not in self.schema.types or not self._holds(RefType(type_), set()):
            return None

        def _converted(message: JsonObject) -> JsonObject:
            found = self._value(self.schema.type(type_), message)
            assert isinstance(found, dict)
            return found

        return _converted

    def _holds(self, given: Type, seen: set[str]) -> bool:
        match given:
            case RefType():
                if given.name in self.renames:
                    return True
                if given.name in seen:
                    return False
                seen.add(given.name)
                return self._holds(self.schema.type(given.name), seen)
            case ObjectType():
                return any(self._holds(each.type, seen) for each in given.fields)
            case ListType():
                return self._holds(given.item, seen)
            case MapType():
                return self._holds(given.value, seen)
            case _:
                return False

    def _value(self, given: Type, value: Json) -> Json:
        match given:
            case RefType():
                inner = self._value(self.schema.type(given.name), value)
                return self._renamed(given.name, inner) if given.name in self.renames else inner
            case ObjectType() if isinstance(value, dict):
                types = {each.key: each.type for each in given.fields}
                parts = (
                    (key, self._value(types[key], each) if key in types else each)
                    for key, each in value.items()
                )
                return {key: each for key, each in parts if each is not _HIDDEN}
            case ListType() if isinstance(value, list):
                items = (self._value(given.item, each) for each in value)
                return [each for each in items if each is not _HIDDEN]
            case MapType() if isinstance(value, dict):
                entries = ((key, self._value(given.value, each)) for key, each in value.items())
                return {key: each for key, each in entries if each is not _HIDDEN}
            case _:
                return value

    def _renamed(self, type_: str, document: Json) -> Json:
        key = self.keys[type_]
        name = document.get(key) if isinstance(document, dict) else None
        if not isinstance(document, dict) or not isinstance(name, str) or not name:
            return document
        found = self.renames[type_](name)
        return _HIDDEN if found is None else {**document, key: found}

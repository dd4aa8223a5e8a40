"""What an update leaves as it is: whatever its client did not touch, and keys that its version does not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from migrations_app.domain.schema.fellows import fellows
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.key_strategies import EACH, ENTRIES, NO_KEY_STRATEGIES, KeyStrategies
from migrations_app.domain.schema.types import (
    Field,
    ListType,
    MapType,
    ObjectType,
    StructType,
    Type,
    UnionType,
    UnknownKeys,
)
from migrations_app.kernel.json import Json, JsonObject, canonical


def is_same(left: Json, right: Json) -> bool:
    """Tell whether two values are the same JSON: 1, 1.0 and true are not."""
    return left is right or (left == right and canonical(left) == canonical(right))


class Untouched:
    """Knows one version's types, and so what of a stored document an update could not mean to change.

    A key that the version does not know was stored by an earlier definition. No client of this one can have meant to
    take it away, so it stays, wherever the object that holds it stays. Where unknown keys pass, clients see and send
    them as any other: what they leave out is gone. Where they are dropped, what is stored is dropped too, whatever `keys` say of single ones.
    """

    def __init__(
        self, schema: Schema, unknown: UnknownKeys | None, keys: KeyStrategies = NO_KEY_STRATEGIES
    ) -> None:
        self._schema, self._unknown, self._keys = schema, unknown, keys
        self._top = "" if keys.entries else None
        types = (each.unknown for each in schema.types.values() if isinstance(each, ObjectType))
        self._drops = UnknownKeys.DROP in ((unknown,) if unknown else tuple(types))

    def asked(self, given: Type, sent: Json, before: Json) -> Json:
        """Leave out of what was sent the unknown keys that were only sent back, as they are stored."""
        return self._asked(given, sent, before, self._top)

    def kept(self, given: Type, made: Json, sent: Json, before: Json) -> Json:
        """Put back into what was made of a sent value all that was not touched, as it was stored."""
        return self._kept(given, made, sent, before, self._top)

    def _asked(self, given: Type, sent: Json, before: Json, at: str | None) -> Json:
        found = object_of(self._schema, given)
        if isinstance(sent, dict) and isinstance(before, dict):
            if isinstance(found, ObjectType):
                return self._asked_of(found, sent, before, at)
            if isinstance(found, MapType):
                inner = self._keys.below(at, ENTRIES)
                return {
                    key: self._asked(found.value, value, before.get(key), inner)
                    for key, value in sent.items()
                }
        if isinstance(found, ListType) and isinstance(sent, list) and isinstance(before, list):
            pairs = zip(sent, self._fellows(found, sent, before), strict=True)
            inner = self._keys.below(at, EACH)
            return [
                value if place is None else self._asked(found.item, value, before[place], inner)
                for value, place in pairs
            ]
        return sent

    def _kept(self, given: Type, made: Json, sent: Json, before: Json, at: str | None) -> Json:
        if is_same(sent, before):
            return self._without_dropped(given, before) if self._drops else before
        found = object_of(self._schema, given)
        if isinstance(made, dict) and isinstance(sent, dict) and isinstance(before, dict):
            if isinstance(found, ObjectType):
                return self._kept_of(found, made, sent, before, at)
            if isinstance(found, MapType):
                inner = self._keys.below(at, ENTRIES)
                return {
                    key: self._kept(found.value, value, sent[key], before[key], inner)
                    if key in before
                    else value
                    for key, value in made.items()
                }
        if isinstance(made, list) and isinstance(sent, list) and isinstance(before, list):
            if not isinstance(found, ListType):
                return made
            triples = zip(made, sent, self._fellows(found, sent, before), strict=True)
            inner = self._keys.below(at, EACH)
            return [
                value if place is None else self._kept(found.item, value, theirs, before[place], inner)
                for value, theirs, place in triples
            ]
        return made

    def _asked_of(
        self, given: ObjectType, sent: JsonObject, before: JsonObject, at: str | None
    ) -> JsonObject:
        own, strategy = self._keys.within(at), self._strategy(given)
        asked: JsonObject = {}
        for key, value in sent.items():
            field = given.by_key(key)
            if field is not None:
                inner = None if at is None else self._keys.below(at, key)
                asked[key] = self._asked(field.type, value, before.get(key), inner)
            elif key not in before or not is_same(value, before[key]):
                asked[key] = value
            elif own.get(key, strategy) is UnknownKeys.PASS and given.field(key) is None:
                # A field of that name would take it for its own.
                asked[key] = value
        return asked

    def _kept_of(
        self, given: ObjectType, made: JsonObject, sent: JsonObject, before: JsonObject, at: str | None
    ) -> JsonObject:
        kept: JsonObject = {}
        for key, value in made.items():
            field = given.by_key(key)
            if field is None or key not in before:
                kept[key] = value
            else:
                theirs = sent.get(key, sent.get(field.name, value))
                inner = None if at is None else self._keys.below(at, key)
                kept[key] = self._kept(field.type, value, theirs, before[key], inner)
        own = self._keys.within(at)
        for key, value in before.items():
            if key not in kept and self._stays(given, key, sent, value, own):
                kept[key] = value
        return kept

    def _stays(
        self, given: ObjectType, key: str, sent: JsonObject, value: Json, own: Mapping[str, UnknownKeys]
    ) -> bool:
        """Tell whether a stored key stays that the checked document has not."""
        sent_back = key in sent and is_same(sent[key], value)
        if given.by_key(key) is not None:
            # Null reads as absent here; sent back, it is left as it was written.
            return sent_back and value is None
        strategy = self._strategy(given)
        passes = own.get(key, strategy) is UnknownKeys.PASS
        return strategy is not UnknownKeys.DROP and (sent_back or not passes)

    def _strategy(self, given: ObjectType) -> UnknownKeys:
        return self._unknown or given.unknown

    def _fellows(self, given: ListType, after: list[Json], before: list[Json]) -> list[int | None]:
        return fellows(given, after, before, lambda value: value, self._known(given.item))

    def _known(self, given: Type) -> Callable[[Json], Json]:
        """Show of a value what its version knows."""
        return lambda value: trimmed(self._schema, given, value, lambda found: True)

    def _without_dropped(self, given: Type, value: Json) -> Json:
        return trimmed(self._schema, given, value, lambda found: self._strategy(found) is UnknownKeys.DROP)


def trimmed(schema: Schema, given: Type, value: Json, trims: Callable[[ObjectType], bool]) -> Json:
    """Leave the unknown keys of the objects out that `trims` says."""
    found = object_of(schema, given)
    if isinstance(found, ObjectType) and isinstance(value, dict):
        all_ = not trims(found)
        return {
            key: each if (field := found.by_key(key)) is None else trimmed(schema, field.type, each, trims)
            for key, each in value.items()
            if all_ or found.by_key(key) is not None
        }
    if isinstance(found, MapType) and isinstance(value, dict):
        return {key: trimmed(schema, found.value, each, trims) for key, each in value.items()}
    if isinstance(found, ListType) and isinstance(value, list):
        return [trimmed(schema, found.item, each, trims) for each in value]
    return value


def object_of(schema: Schema, given: Type) -> Type:
    """Follow named types; of a union of objects, make one object that knows what each of them knows."""
    found = schema.resolve(given)
    if not isinstance(found, UnionType):
        return found
    branches = [object_of(schema, each) for each in found.branches]
    objects = [each for each in branches if isinstance(each, ObjectType)]
    if not objects or any(isinstance(each, MapType | StructType) for each in branches):
        return found
    fields: dict[str, Field] = {}
    for each in (field for one in objects for field in one.fields):
        known = fields.setdefault(each.key, each)
        if known.type != each.type:
            fields[each.key] = replace(known, type=StructType())
    strategies = {each.unknown for each in objects}
    unknown = strategies.pop() if len(strategies) == 1 else UnknownKeys.FILTER
    return ObjectType(tuple(fields.values()), unknown=unknown)

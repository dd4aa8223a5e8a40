"""`mapToList` and `listToMap`: a map becomes a list of entries, and back."""

from __future__ import annotations

from migrations_app.domain.conversion.ops.base import PLACES, Leaf, OpClass, OpForm, OpKind
from migrations_app.domain.conversion.shapes import Entries, Indexed
from migrations_app.domain.conversion.values import SAME, Conv
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, Type
from migrations_app.kernel.messages import message

_ARGUMENTS = {**PLACES, "key": "!the entry's field for the key", "value": "!the entry's field for the value"}


def _to_list(leaf: Leaf) -> Conv:
    entry = _entry(leaf, leaf.target_type, old=False)
    if entry is None or not isinstance(leaf.source_type, MapType):
        leaf.wrong("E-TYPE", message("`mapToList` leads from a map to a list of objects."))
        return SAME
    key, value, held = entry
    return Entries(key, value, leaf.site.between(leaf.source_type.value, held, leaf.decl))


def _to_map(leaf: Leaf) -> Conv:
    entry = _entry(leaf, leaf.source_type, old=True)
    if entry is None or not isinstance(leaf.target_type, MapType):
        leaf.wrong("E-TYPE", message("`listToMap` leads from a list of objects to a map."))
        return SAME
    key, value, held = entry
    return Indexed(key, value, leaf.site.between(held, leaf.target_type.value, leaf.decl))


def _entry(leaf: Leaf, given: Type, *, old: bool) -> tuple[str, str, Type] | None:
    item = leaf.site.resolve(given.item, old=old) if isinstance(given, ListType) else None
    if not isinstance(item, ObjectType):
        return None
    key, value = item.field(leaf.decl.text("key")), item.field(leaf.decl.text("value"))
    return (key.key, value.key, value.type) if key is not None and value is not None else None


OP = OpForm(
    name="mapToList",
    kind=OpKind.PAIR,
    keeps=OpClass.INJECTIVE,
    summary="A map becomes a list of entries, sorted by key.",
    arguments=_ARGUMENTS,
    example="mapToList: {from: labels, to: label_list, key: name, value: text}",
    conv=_to_list,
    backward="by key; order and doubles wait in the bag while the map is unchanged",
    filters="residual",
    masks="the whole list",
)

LIST_TO_MAP = OpForm(
    name="listToMap",
    kind=OpKind.PAIR,
    keeps=OpClass.INJECTIVE,
    summary="A list of entries becomes a map; of entries with one key the last counts.",
    arguments=_ARGUMENTS,
    example="listToMap: {from: label_list, to: labels, key: name, value: text}",
    conv=_to_map,
    backward="entries sorted by key; the first order and doubles come back while the map is unchanged",
    filters="residual",
    masks="the whole map",
)

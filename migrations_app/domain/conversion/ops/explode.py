"""`explode` and `group`: a list of objects with a map inside becomes a flat list, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from migrations_app.domain.conversion.ops.base import PLACES, Leaf, OpClass, OpForm, OpKind
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.domain.conversion.values import SAME, Conv
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, Type
from migrations_app.kernel.json import Json, JsonObject, canonical
from migrations_app.kernel.messages import message

_ARGUMENTS = {
    **PLACES,
    "map": "!the field of the grouped element that holds the map",
    "mapKey": "!the field of the flat element for the map's key",
    "mapValue": "!the field of the flat element for the map's value",
    "keep": "field of the grouped element: field of the flat one",
}


@dataclass(frozen=True, slots=True, eq=False)
class Explode:
    """One flat element for every entry of every element's map, in order of element, then key."""

    map: str
    key: str
    value: str
    keep: Mapping[str, str]
    item: Conv
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """Group them again."""
        return Group(self.map, self.key, self.value, self.keep, self.item.inverse)

    def __call__(self, state: State) -> State:
        """Flatten a list; elements without a map give nothing, the bag keeps the list for them."""
        if not isinstance(state, list):
            return state
        made: list[Json] = []
        for element in state:
            entries = element.get(self.map) if isinstance(element, dict) else None
            if not isinstance(element, dict) or not isinstance(entries, dict):
                continue
            kept = {new: element[old] for old, new in self.keep.items() if old in element}
            for key in sorted(entries):
                value = self.item(entries[key])
                made.append({**kept, self.key: key, **({} if value is ABSENT else {self.value: value})})
        return made


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """One element for every set of kept fields; of two entries with one key the last counts."""

    map: str
    key: str
    value: str
    keep: Mapping[str, str]
    item: Conv
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """Flatten them again."""
        return Explode(self.map, self.key, self.value, self.keep, self.item.inverse)

    def __call__(self, state: State) -> State:
        """Group a list; elements without a key belong to no map."""
        if not isinstance(state, list):
            return state
        groups: dict[bytes, tuple[JsonObject, JsonObject]] = {}
        for element in state:
            if not isinstance(element, dict) or not isinstance(key := element.get(self.key), str):
                continue
            kept: JsonObject = {old: element[new] for old, new in self.keep.items() if new in element}
            _, entries = groups.setdefault(canonical(kept), (kept, {}))
            value = self.item(element.get(self.value, ABSENT))
            entries[key] = None if value is ABSENT else value
        return [{**kept, self.map: entries} for kept, entries in groups.values()]


def _explode(leaf: Leaf) -> Conv:
    return _conv(leaf, leaf.source_type, leaf.target_type, Explode)


def _group(leaf: Leaf) -> Conv:
    return _conv(leaf, leaf.target_type, leaf.source_type, Group)


def _conv(leaf: Leaf, grouped: Type, flat: Type, maker: type[Explode] | type[Group]) -> Conv:
    """Look up the fields on both sides; `grouped` is the side with the map."""
    grouped_is_old = maker is Explode
    outer = _element(leaf, grouped, old=grouped_is_old)
    inner = _element(leaf, flat, old=not grouped_is_old)
    if outer is None or inner is None:
        leaf.wrong("E-TYPE", message("`{op}` leads between two lists of objects.", op=leaf.decl.op))
        return SAME
    holder = outer.field(leaf.decl.text("map"))
    held = leaf.site.resolve(holder.type, old=grouped_is_old) if holder else None
    key, value = inner.field(leaf.decl.text("mapKey")), inner.field(leaf.decl.text("mapValue"))
    pairs = [(outer.field(str(old)), inner.field(str(new))) for old, new in leaf.decl.table("keep").items()]
    if holder is None or not isinstance(held, MapType) or key is None or value is None:
        leaf.wrong("E-PATH", message("map, mapKey or mapValue name no field, or the map is none."))
        return SAME
    covered = {holder.name, key.name, value.name, *(each.name for pair in pairs for each in pair if each)}
    for each in (*outer.fields, *inner.fields):
        if each.name not in covered:
            leaf.wrong(
                "E-UNASSESSED",
                message("{name} is not said.", name=each.name),
                message("Add keep: {example}.", example=f"{{{each.name}: …}}"),
            )
    ends = (held.value, value.type) if grouped_is_old else (value.type, held.value)
    keep = {old.key: new.key for old, new in pairs if old is not None and new is not None}
    return maker(holder.key, key.key, value.key, keep, leaf.site.between(*ends, leaf.decl))


def _element(leaf: Leaf, given: Type, *, old: bool) -> ObjectType | None:
    item = leaf.site.resolve(given.item, old=old) if isinstance(given, ListType) else None
    return item if isinstance(item, ObjectType) else None


OP = OpForm(
    name="explode",
    kind=OpKind.PAIR,
    keeps=OpClass.INJECTIVE,
    summary="A list of objects, each with a map, becomes a flat list with an element per map entry.",
    arguments=_ARGUMENTS,
    example=(
        "explode: {from: regional_distributions, to: allowances, map: limits_by_region, mapKey: region, "
        "mapValue: value, keep: {resource: resource}}"
    ),
    conv=_explode,
    backward="grouped by the kept fields; order and doubles wait in the bag while the list is unchanged",
    filters="residual",
    masks="the whole list",
)

GROUP = OpForm(
    name="group",
    kind=OpKind.PAIR,
    keeps=OpClass.INJECTIVE,
    summary="A flat list becomes a list of objects, each with a map.",
    arguments=_ARGUMENTS,
    example=(
        "group: {from: allowances, to: regional_distributions, map: limits_by_region, mapKey: region, "
        "mapValue: value, keep: {resource: resource}}"
    ),
    conv=_group,
    backward="flattened; the first order comes back while the list is unchanged",
    filters="residual",
    masks="the whole list",
)

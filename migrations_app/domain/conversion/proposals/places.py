"""The places of a pair of types that nothing speaks for, also inside objects without counterpart or beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from migrations_app.domain.conversion.planning.paths import FieldPath, PathSegment
from migrations_app.domain.conversion.planning.planner import LinkedFields, Open
from migrations_app.domain.conversion.proposals.unmatched import UnmatchedField
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import ObjectType, RefType, Type

_DEPTH = 3
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Gap:
    """A pair of types with its open places on both sides, and the fields of it that are linked."""

    source_type: str
    target_type: str
    old: tuple[UnmatchedField, ...]
    new: tuple[UnmatchedField, ...]
    links: tuple[LinkedFields, ...]
    types: tuple[ObjectType, ObjectType]


def gaps(
    opens: tuple[Open, ...],
    links: tuple[LinkedFields, ...],
    schemas: tuple[Schema, Schema],
    *,
    beside: bool = False,
) -> Iterator[Gap]:
    """List the open places of every pair of types that has some; with `beside`, those of linked objects too."""
    by_pair: dict[Pair, Open] = {(each.source_type, each.target_type): each for each in opens}
    linked: dict[Pair, list[LinkedFields]] = {}
    for link in links:
        linked.setdefault((link.source_type, link.target_type), []).append(link)
    for pair, own in by_pair.items():
        links_here = tuple({_by_names(each): each for each in linked.get(pair, ())}.values())
        old = list(_own(schemas[0], own.source_type, own.types[0], own.old))
        new = list(_own(schemas[1], own.target_type, own.types[1], own.new))
        for link in links_here if beside else ():
            below = _objects(link, schemas)
            if below is None or below == pair or below not in by_pair:
                continue
            inner = by_pair[below]
            old += _beside(schemas[0], (below[0], inner.types[0]), inner.old, link.old.name)
            new += _beside(schemas[1], (below[1], inner.types[1]), inner.new, link.new.name)
        yield Gap(own.source_type, own.target_type, tuple(old), tuple(new), links_here, own.types)


def _by_names(link: LinkedFields) -> tuple[str, str]:
    return link.old.name, link.new.name


def _objects(link: LinkedFields, schemas: tuple[Schema, Schema]) -> Pair | None:
    """Name the pair of object types that a linked field leads to, lists and maps not looked into."""
    names = []
    for given, schema, owner, field in (
        (link.old.type, schemas[0], link.source_type, link.old),
        (link.new.type, schemas[1], link.target_type, link.new),
    ):
        if not isinstance(schema.resolve(given), ObjectType):
            return None
        names.append(given.name if isinstance(given, RefType) else f"{owner}.{field.name}")
    return names[0], names[1]


def _own(schema: Schema, owner: str, given: ObjectType, paths: tuple[str, ...]) -> Iterator[UnmatchedField]:
    order = {each.name: index for index, each in enumerate(given.fields)}
    for text in paths:
        path = FieldPath.of(text) if given.field(text) else FieldPath.parse(text)
        place = find_place(schema, owner, given, path)
        if place is not None:
            place = replace(place, order=order.get(path.head.name, 0))
            yield place
            yield from _inside(schema, place, (owner,))


def _beside(
    schema: Schema, named: tuple[str, ObjectType], paths: tuple[str, ...], under: str
) -> Iterator[UnmatchedField]:
    """List what is open in an object that both sides have, as seen from the object that holds it."""
    for place in _own(schema, named[0], named[1], paths):
        yield replace(
            place, path=FieldPath((PathSegment(under), *place.path.segments)), is_fresh=len(place.path) > 1
        )


def _inside(schema: Schema, place: UnmatchedField, above: tuple[str, ...]) -> Iterator[UnmatchedField]:
    """List the fields of an object without counterpart, which may have gone to other places one by one."""
    below = schema.resolve(place.field.type)
    name = type_name(place.field.type, f"{place.owner}.{place.field.name}")
    if not isinstance(below, ObjectType) or name in above or len(above) > _DEPTH:
        return
    for each in below.fields:
        inner = UnmatchedField(
            FieldPath((*place.path.segments, PathSegment(each.name))), each, name, place.order
        )
        yield inner
        yield from _inside(schema, inner, (*above, name))


def type_name(given: Type, otherwise: str) -> str:
    """Tell what the object type of a field goes by."""
    return given.name if isinstance(given, RefType) else otherwise


def find_place(schema: Schema, owner: str, given: ObjectType, path: FieldPath) -> UnmatchedField | None:
    """Walk to the field at the end of a path through objects."""
    at, name = given, owner
    for index, segment in enumerate(path.segments):
        field = at.field(segment.name)
        if field is None:
            return None
        if index + 1 == len(path):
            return UnmatchedField(path, field, name)
        below = schema.resolve(field.type)
        name = type_name(field.type, f"{name}.{field.name}")
        if not isinstance(below, ObjectType):
            return None
        at = below
    return None


def mapping_of(links: tuple[LinkedFields, ...]) -> Mapping[str, str]:
    """Tell which new field every linked old field is."""
    return {link.old.name: link.new.name for link in links}

"""Names of a resource: what is stored behind a name, and what it is called in every version of its service."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.stored_types import kept_type
from migrations_app.engine.serving.presentation import ResourcePresenter
from migrations_app.engine.serving.routing import ServingMode, ServingRoute
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.store import Query, Reading, StoredResource

TypedName = tuple[str, str]
_MOST_ALIKE = 1000


def stored_name(route: ServingRoute, type_: str, name: str) -> str | None:
    """Tell the name under which a resource is stored; None when its version has none for it."""
    place = route.place(type_, name)
    return None if place is None else place[1]


def find(route: ServingRoute, reading: Reading, type_: str, name: str) -> StoredResource | None:
    """Find the stored resource behind a name."""
    if route.names_ask_documents(type_):
        return finds(route, reading, type_, [name]).get(name)
    place = route.place(type_, name)
    return None if place is None else reading.get(*place)


def finds(
    route: ServingRoute, reading: Reading, type_: str, names: Sequence[str]
) -> dict[str, StoredResource]:
    """Find the stored resources behind several names.

    Where a field decides names, one is found by all names like it, and is what it is called by its fields.
    """
    places = {name: route.place(type_, name) for name in names}
    found: dict[tuple[str, str], StoredResource] = {}
    for stored_type in route.stored_types(type_):
        listed = [place[1] for place in places.values() if place is not None and place[0] == stored_type]
        held = reading.batch_get(stored_type, listed) if listed else {}
        found |= {(stored_type, name): each for name, each in held.items()}
    if not route.names_ask_documents(type_):
        return {name: found[place] for name, place in places.items() if place in found}
    told: dict[str, StoredResource] = {}
    for name, place in places.items():
        alike = [found[place]] if place in found else _alike(route, reading, type_, name)
        for each in alike:
            try:
                shown = route.reader(type_, each.type).get(each.name, each.body)[0]
            except NoImage:
                continue
            if shown == name:
                told[name] = each
                break
    return told


def _alike(route: ServingRoute, reading: Reading, type_: str, name: str) -> list[StoredResource]:
    """List what may be stored for a name that a field decides."""
    found: list[StoredResource] = []
    for converter in route.converters(type_):
        like = None if route.place(type_, name) else converter.wild_name(name)
        if like is not None and converter.target_type:
            query = Query(converter.target_type, named=like, limit=_MOST_ALIKE)
            found += reading.list(query).resources
    return found


def within(parent: str) -> Callable[[str], bool]:
    """Give the test whether a name lies under a parent, whose segments may be `-`."""
    asked = parent.split("/") if parent else []

    def _lies(name: str) -> bool:
        return all(each in ("-", given) for each, given in zip(asked, name.split("/"), strict=False))

    return _lies


def stored_parent(
    route: ServingRoute, presenter: ResourcePresenter, asked: str, stored_type: str
) -> str | None:
    """Tell below what a parent's resources are stored; None when their version has no place for them."""
    if route.how is not ServingMode.TRANSLATED or not asked:
        return asked
    if set(asked.split("/")[1::2]) == {"-"}:
        return ""
    reader = route.reader(presenter.type, stored_type)
    found = reader.name(f"{asked}/{presenter.patterns[0].collection}/-")
    return None if found is None else found.rpartition("/")[0].rpartition("/")[0]


def stored_as(route: ServingRoute, version: str, type_: str, name: str) -> TypedName | None:
    """Tell the type and name under which the active version keeps what another version calls so.

    None when there is no such version or type, or its names have no counterpart.
    """
    compiled, stored = route.served.compiled, route.stored_version
    if version not in compiled.versions or type_ not in compiled.schema(version).resources:
        return None
    if version == stored:
        return type_, name
    try:
        places = compiled.stored.typed(version, stored).names(type_, name)
    except SwitchyardError:
        return None
    return places[0] if len(places) == 1 else None


def names_of(
    route: ServingRoute, type_: str, name: str, body: JsonObject | None = None
) -> dict[str, TypedName]:
    """Tell type and name in every version that has the type; with the body also where the body decides the name."""
    compiled, stored = route.served.compiled, route.stored_version
    found: dict[str, TypedName] = {stored: (type_, name)}
    for version in compiled.versions:
        if version == stored:
            continue
        try:
            typed = compiled.stored.typed(stored, version)
            places = typed.names(type_, name)
            if not places and body is not None:
                places = (typed.forward(type_, name, body)[:2],)
        except SwitchyardError:
            continue
        if len(places) == 1 and kept_type(places[0][0]) is None:
            found[version] = places[0]
    return found

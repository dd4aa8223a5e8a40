"""Names of one resource in all versions of its service: what peers call it, and what it is stored as."""

from __future__ import annotations

from migrations_app.domain.conversion.stored_types import kept_type
from migrations_app.engine.serving.routing import ServingRoute
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject

TypedName = tuple[str, str]


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

"""Names of one resource in all versions of its service: what peers call it, and what it is stored as."""

from __future__ import annotations

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
        converter = compiled.converter(type_, version, stored)
        found = converter.name(name)
    except SwitchyardError:
        return None
    return (converter.target_type, found) if converter.target_type and found else None


def names_of(
    route: ServingRoute, type_: str, name: str, body: JsonObject | None = None
) -> dict[str, TypedName]:
    """Tell type and name in every version; with the body also where the body decides the name."""
    compiled, stored = route.served.compiled, route.stored_version
    found: dict[str, TypedName] = {stored: (type_, name)}
    for version in compiled.versions:
        if version == stored:
            continue
        try:
            converter = compiled.converter(type_, stored, version)
            other = converter.name(name)
            if other is None and body is not None and converter.target_type:
                other = converter.forward(name, body).name
        except SwitchyardError:
            continue
        if converter.target_type and other:
            found[version] = (converter.target_type, other)
    return found

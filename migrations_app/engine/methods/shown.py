"""Stored resources as a handler sees them: in its version, with what is stored behind them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from migrations_app.engine.serving.face import face_of
from migrations_app.engine.serving.finding import find
from migrations_app.engine.serving.reading import show
from migrations_app.engine.serving.routing import How, Route
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.store import Reading, Resource


@dataclass(frozen=True, slots=True)
class Shown:
    """A resource as one version shows it, and what is stored."""

    document: JsonObject
    stored: Resource


def shown_at(route: Route, reading: Reading, type_: str, name: str) -> Shown:
    """Read a resource by its name in the version of a route.

    Raises: Missing (`not-found`) · Invalid (`name`).
    """
    face = face_of(route.schema, type_, route.served.unknown)
    found = find(route, reading, type_, face.check_name(name))
    if found is None:
        raise Missing(f"There is no {type_} {name}.", code="not-found", name=name)
    return Shown(show(route, face, found), found)


def home_route(route: Route) -> Route:
    """Give the route of the version that a namespace keeps."""
    if route.how is not How.TRANSLATED:
        return route
    return replace(route, version=route.stored_version, how=How.NATIVE)


def shown_in(route: Route, type_: str, stored: Resource) -> JsonObject:
    """Show a stored resource in the version of a route."""
    return show(route, face_of(route.schema, type_, route.served.unknown), stored)

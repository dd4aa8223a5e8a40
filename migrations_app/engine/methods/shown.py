"""Stored resources as a handler sees them: in its version, with what is stored behind them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from migrations_app.engine.serving.presentation import presenter_of, show
from migrations_app.engine.serving.routing import ServingMode, ServingRoute
from migrations_app.engine.serving.stored_names import find
from migrations_app.kernel.errors import NotFound
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.store import Reading, StoredResource


@dataclass(frozen=True, slots=True)
class ShownResource:
    """A resource as one version shows it, and what is stored."""

    document: JsonObject
    stored: StoredResource


def shown_at(route: ServingRoute, reading: Reading, type_: str, name: str) -> ShownResource:
    """Read a resource by its name in the version of a route.

    Raises: Missing (`not-found`) · Invalid (`name`).
    """
    presenter = presenter_of(route.schema, type_, route.served.unknown)
    found = find(route, reading, type_, presenter.check_name(name))
    if found is None:
        raise NotFound(message("There is no {type} {name}.", type=type_, name=name), name=name)
    return ShownResource(show(route, presenter, found), found)


def home_route(route: ServingRoute) -> ServingRoute:
    """Give the route of the version that a namespace keeps."""
    if route.how is not ServingMode.TRANSLATED:
        return route
    return replace(route, version=route.stored_version, how=ServingMode.NATIVE)


def shown_in(route: ServingRoute, type_: str, stored: StoredResource) -> JsonObject:
    """Show a stored resource in the version of a route."""
    return show(route, presenter_of(route.schema, type_, route.served.unknown), stored)

"""Apply a region: make it, or change its title."""

from __future__ import annotations

from migrations_app.actions.save_registered import update_registered
from migrations_app.adapters.repositories.registry_saving import Saved
from migrations_app.domain.access import Actor
from migrations_app.domain.registry.names import Kind, region_name
from migrations_app.kernel.json import JsonObject


def apply_region(actor: Actor, region: str, title: str = "") -> Saved:
    """Make a region, or change its title.

    Once: applying the same again changes nothing.
    Raises: Denied (`region-owner`).
    """
    body: JsonObject = {"title": title} if title else {}
    mask = (("title",),) if title else (("labels",),)
    return update_registered(actor, Kind.REGION, region_name(region), body, mask=mask, allow_missing=True)

"""Apply a region: make it, or change its title and time zone."""

from __future__ import annotations

from migrations_app.control.registry.commands.save_registered import update_registered
from migrations_app.control.registry.repository.saving import Saved
from migrations_app.domain.access import Actor
from migrations_app.domain.registry.names import RegistryKind, region_name
from migrations_app.kernel.json import JsonObject


def apply_region(actor: Actor, region: str, title: str = "", zone: str = "") -> Saved:
    """Make a region, or change its title or time zone.

    Once: applying the same again changes nothing.
    Raises: Denied (`region-owner`).
    """
    body: JsonObject = {"title": title} if title else {}
    mask: tuple[tuple[str, ...], ...] = (("title",),) if title else (("labels",),)
    if zone:
        body["metadata"] = {"annotations": {"timeZone": zone}}
        mask = (*mask, ("metadata", "annotations", "timeZone"))
    return update_registered(
        actor, RegistryKind.REGION, region_name(region), body, mask=mask, allow_missing=True
    )

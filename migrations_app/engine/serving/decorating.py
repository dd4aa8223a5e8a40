"""Decoration of what is saved: the region that owns it and those that keep read copies.

Source: seed 003 §3.2.
"""

from __future__ import annotations

from migrations_app.domain.regions.placement import Placement
from migrations_app.engine.serving.routing import Route
from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.placing import Placing

SYNCING = "syncing"


def placed(placing: Placing | None, route: Route, type_: str, name: str, body: JsonObject) -> Placement:
    """Place what is about to be written here, by its stored type, name and body.

    As long as nothing says where it lives, because its holder or its service is not known, it lives here alone;
    it is touched once its policy is.

    Raises: Conflict (`region-not-enabled`, `control-region-missing`), Invalid (`policy-broken`).
    """
    here = route.served.region
    alone = Placement(here, (here,))
    if placing is None:
        return alone
    try:
        found = placing.place(here, route.served.service, name, type_, route.stored_schema, body)
    except (Conflict, Missing) as error:
        if error.code in ("policy-unknown", "service-unknown", "deployment-missing"):
            return alone
        raise
    return found if found.owning_region == here else alone


def decorated(metadata: JsonObject, placement: Placement) -> JsonObject:
    """Copy metadata with where the resource lives."""
    return {**metadata, SYNCING: syncing_of(placement)}


def syncing_of(placement: Placement) -> JsonObject:
    """Write a placement as `metadata.syncing`."""
    return {"owningRegion": placement.owning_region, "regions": list(placement.regions)}

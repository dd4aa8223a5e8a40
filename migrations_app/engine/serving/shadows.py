"""Shadows for people to look at: what a deployment keeps about a resource for those who refer to it.

Source: seed 003 §3.1.
"""

from __future__ import annotations

from datetime import datetime

from migrations_app.engine.serving.presentation import instant, presenter_of
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel.errors import NotFound
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.store import Reading

SHADOWS = "resourceShadows"


def shadow_of(router: Router, place: tuple[str, str, str], type_: str, name: str) -> JsonObject:
    """Show the shadow of a resource, named as in the version that `place` (region, service, version) asks in.

    Raises: Missing (`not-found`): nothing has one that is not there; a read copy has its shadow at its owner.
    """

    def _answer(route: ServingRoute, reading: Reading) -> JsonObject:
        presenter_of(route.schema, type_).check_name(name)
        return _shown(route, reading, type_, name)

    return router.read(*place, _answer)[1]


def _shown(route: ServingRoute, reading: Reading, type_: str, name: str) -> JsonObject:
    stored_type, stored = route.place(type_, name) or ("", None)
    resource = reading.get(stored_type, stored) if stored else None
    shadow = reading.shadow(stored_type, stored) if stored else None
    is_copy = resource is not None and resource.owning_region not in ("", route.served.region)
    if stored is None or shadow is None or is_copy:
        raise NotFound(
            f"There is no shadow of {name} here.",
            remedy=f"Ask {resource.owning_region}, which owns it." if resource and is_copy else "",
        )
    uid = shadow.uid or (resource.uid if resource else None)
    references: list[Json] = [
        {
            "path": each.path,
            "kind": each.kind.value,
            "service": each.target_service,
            "region": each.target_region,
            "version": each.target_version,
            "type": each.target_type,
            "name": each.target_name,
        }
        for each in reading.references(stored_type, stored)
    ]
    blockades: list[Json] = [
        {"source": each.source, "kind": each.kind, "resolveAfter": instant(each.resolve_after)}
        for each in (reading.constraints.blockades(uid) if uid else ())
    ]
    sources: list[Json] = [*shadow.sources]
    return {
        "name": f"{SHADOWS}/{name}",
        "uid": str(uid or ""),
        "state": shadow.state.value,
        "since": _time(shadow.since),
        "deleteId": shadow.delete_id,
        "refEpoch": shadow.ref_epoch,
        "root": shadow.root,
        "storedType": stored_type,
        "storedName": stored,
        "storedVersion": route.stored_version,
        "references": references,
        "backReferenceSources": sources,
        "blockades": blockades,
    }


def _time(at: datetime | None) -> Json:
    return None if at is None else instant(at)

"""Shadows for people to look at: what a deployment keeps about a resource for those who refer to it.

Source: seed 003 §3.1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from uuid import UUID

from migrations_app.engine.serving.presentation import instant, presenter_of
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel.errors import NotFound
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, message
from migrations_app.ports.store import Reading, Shadow

SHADOWS = "resourceShadows"
_MOST_DELETING, _AT_ONCE = 1000, 200


def shadow_of(router: Router, place: tuple[str, str, str], type_: str, name: str) -> JsonObject:
    """Show the shadow of a resource, named as in the version that `place` (region, service, version) asks in.

    Raises: Missing (`not-found`): nothing has one that is not there; a read copy has its shadow at its owner.
    """

    def _answer(route: ServingRoute, reading: Reading) -> JsonObject:
        presenter_of(route.schema, type_).check_name(name)
        return _shown(route, reading, type_, name)

    return router.read(*place, _answer)[1]


def shadows_of(
    router: Router,
    place: tuple[str, str, str],
    type_: str,
    parent: str,
    names: Collection[str],
    *,
    deleting: bool,
) -> list[JsonObject]:
    """Show the shadows of resources; `deleting` adds those below the parent whose deletion has begun.

    These may outlive their resources. A read copy has its shadow at its owner, and none here.
    """

    def _answer(route: ServingRoute, reading: Reading) -> list[JsonObject]:
        found = [_find(route, reading, type_, name) for name in names]
        shown = [each for each in found if each is not None]
        if deleting:
            known = {each["name"] for each in shown}
            rest = _deleting(route, reading, place[2], type_, parent)
            shown += [each for each in rest if each["name"] not in known]
        return shown

    return router.read(*place, _answer)[1]


def _deleting(
    route: ServingRoute, reading: Reading, version: str, type_: str, parent: str
) -> Iterator[JsonObject]:
    after = ""
    for _ in range(_MOST_DELETING // _AT_ONCE):
        page = reading.constraints.moving(after, _AT_ONCE)
        for shadow in page:
            named = shadow.names.get(version) or (shadow.type, shadow.name)
            if named[0] == type_ and _is_below(named[1], parent):
                yield _document(reading, route.stored_version, shadow, named[1])
        if len(page) < _AT_ONCE:
            return
        after = str(page[-1].uid)


def _is_below(name: str, parent: str) -> bool:
    """Tell whether a resource is directly below a parent, whose ids may be `-` for any."""
    above, wanted = name.split("/")[:-2], parent.split("/") if parent else []
    return len(above) == len(wanted) and all(
        each in ("-", segment) for segment, each in zip(above, wanted, strict=True)
    )


def _shown(route: ServingRoute, reading: Reading, type_: str, name: str) -> JsonObject:
    found = _find(route, reading, type_, name)
    if found is None:
        stored_type, stored = route.place(type_, name) or ("", None)
        resource = reading.get(stored_type, stored) if stored else None
        raise NotFound(
            message("There is no shadow of {name} here.", name=name),
            remedy=message("Ask {owning_region}, which owns it.", owning_region=resource.owning_region)
            if resource and resource.owning_region not in ("", route.served.region)
            else NOTHING,
        )
    return found


def _find(route: ServingRoute, reading: Reading, type_: str, name: str) -> JsonObject | None:
    stored_type, stored = route.place(type_, name) or ("", None)
    resource = reading.get(stored_type, stored) if stored else None
    shadow = reading.shadow(stored_type, stored) if stored else None
    is_copy = resource is not None and resource.owning_region not in ("", route.served.region)
    if stored is None or shadow is None or is_copy:
        return None
    return _document(reading, route.stored_version, shadow, name, resource.uid if resource else None)


def _document(
    reading: Reading, version: str, shadow: Shadow, name: str, resource_uid: UUID | None = None
) -> JsonObject:
    uid, stored_type, stored = shadow.uid or resource_uid, shadow.type, shadow.name
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
        "storedVersion": version,
        "references": references,
        "backReferenceSources": sources,
        "blockades": blockades,
    }


def _time(at: datetime | None) -> Json:
    return None if at is None else instant(at)

"""Since when, and where, each version of a service was served: from what was registered and every switch since."""

from __future__ import annotations

from datetime import datetime
from operator import itemgetter

from migrations_app.control.registry.repository import registry
from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, Target, reach_of, require
from migrations_app.domain.registry.names import RegistryKind, service_name
from migrations_app.kernel.clock import iso
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models import registry as rows
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.upgrades import RecordedTransition

FORWARD, BACK = ("H", "Q"), ("K",)
"""The moves after which another version is served: the switch, one that a person settled, and the rollback."""


def timeline(actor: Actor, service: str) -> list[Json]:
    """List who served which version from when until when, region by region, the earliest first.

    What was registered without a switch is served since then. `until` is null of what is served now. `since` is null
    where the change was not noted: the registry names another version than what is known left there.

    Raises: Denied, Missing (`not-found`).
    """
    require(actor, "registry.read", Target("service", service=service))
    registry.get(RegistryKind.SERVICE, service_name(service))
    seen = within(reach_of(actor, "registry.read"), "service__id", "region__id")
    placed = rows.Deployment.objects.filter(seen, service_id=service).order_by("region_id")
    changes = _changes(service)
    return [
        span
        for region, version, at in placed.values_list("region_id", "current_version", "created_at")
        for span in _spans(region, version, at, changes.get(region, []))
    ]


def _changes(service: str) -> dict[str, list[tuple[datetime, str, str]]]:
    """Read each region's changes of version: when, from which, to which."""
    moves = RecordedTransition.objects.filter(
        upgrade__service=service, upgrade__kind="version", letter__in=[*FORWARD, *BACK]
    ).order_by("at", "id")
    found = _registered(service)
    fields = ("upgrade__region", "at", "letter", "upgrade__from_version", "upgrade__to_version")
    for region, at, letter, old, new in moves.values_list(*fields):
        found.setdefault(region, []).append((at, old, new) if letter in FORWARD else (at, new, old))
    return {region: sorted(changes, key=itemgetter(0)) for region, changes in found.items()}


def _registered(service: str) -> dict[str, list[tuple[datetime, str, str]]]:
    """Read each region's registered changes of version, by the ledger."""
    told = LedgerEntry.objects.filter(
        action="registry.write", target_kind="deployment", service=service, outcome="done"
    )
    found: dict[str, list[tuple[datetime, str, str]]] = {}
    for region, at, before, after in told.values_list("region", "at", "before", "after"):
        old, new = ((each or {}).get("currentVersion", "") for each in (before, after))
        if new and new != old:
            found.setdefault(region, []).append((at, old, new))
    return found


def _spans(
    region: str, current: str, created: datetime, changes: list[tuple[datetime, str, str]]
) -> list[Json]:
    first = changes[0][1] if changes else current
    told: list[JsonObject] = [_span(region, first, created)] if first else []
    for at, _, version in changes:
        if told and told[-1]["version"] == version:
            continue
        if told:
            told[-1]["until"] = iso(at)
        told.append(_span(region, version, at))
    if told and current and told[-1]["version"] != current:
        told[-1]["until"] = told[-1]["since"]
        told.append(_span(region, current, None))
    return [*told]


def _span(region: str, version: str, since: datetime | None) -> JsonObject:
    return {"region": region, "version": version, "since": iso(since) if since else None, "until": None}

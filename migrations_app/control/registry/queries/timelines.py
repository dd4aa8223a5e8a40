"""Since when, and where, each version of a service was served: from what was registered and every switch since."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from operator import itemgetter

from django.db.models import Q

from migrations_app.control.registry.repository import registry
from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, Target, reach_of, require, require_reach
from migrations_app.domain.registry.names import RegistryKind, service_name
from migrations_app.kernel.clock import iso
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models import registry as rows
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.upgrades import RecordedTransition

Changes = dict[tuple[str, str], list[tuple[datetime, str, str]]]
"""By service and region."""

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
    return [span for _, spans in _timelines(seen, service_id=service) for span in spans]


def first_served(actor: Actor) -> JsonObject:
    """Tell when each version of each service was served for the first time; one that never was is not named.

    Null where the change was not noted.
    Raises: Denied.
    """
    seen = within(require_reach(actor, "registry.read"), "service__id", "region__id")
    first: dict[str, dict[str, str | None]] = {}
    for service, spans in _timelines(seen):
        versions = first.setdefault(service, {})
        for span in spans:
            version, since = str(span["version"]), span["since"]
            known = versions.get(version, since)
            versions[version] = min(str(known), str(since)) if known and since else None
    return {"since": {service: {**versions} for service, versions in first.items()}}


def _timelines(seen: Q, **named: str) -> Iterator[tuple[str, list[JsonObject]]]:
    """Read the spans of each deployment in sight, service by service and region by region; three queries."""
    placed = rows.Deployment.objects.filter(seen, **named).order_by("service_id", "region_id")
    changes = _changes(**named)
    fields = ("service_id", "region_id", "current_version", "created_at")
    for service, region, version, at in placed.values_list(*fields):
        yield service, _spans(region, version, at, changes.get((service, region), []))


def _changes(service_id: str | None = None) -> Changes:
    """Read the changes of version of each service and region: when, from which, to which."""
    moves = RecordedTransition.objects.filter(upgrade__kind="version", letter__in=[*FORWARD, *BACK]).order_by(
        "at", "id"
    )
    if service_id is not None:
        moves = moves.filter(upgrade__service=service_id)
    found = _registered(service_id)
    fields = (
        "upgrade__service",
        "upgrade__region",
        "at",
        "letter",
        "upgrade__from_version",
        "upgrade__to_version",
    )
    for service, region, at, letter, old, new in moves.values_list(*fields):
        found.setdefault((service, region), []).append(
            (at, old, new) if letter in FORWARD else (at, new, old)
        )
    return {place: sorted(changes, key=itemgetter(0)) for place, changes in found.items()}


def _registered(service_id: str | None) -> Changes:
    """Read the registered changes of version of each service and region, by the ledger."""
    entries = LedgerEntry.objects.filter(action="registry.write", target_kind="deployment", outcome="done")
    if service_id is not None:
        entries = entries.filter(service=service_id)
    found: Changes = {}
    for service, region, at, before, after in entries.values_list(
        "service", "region", "at", "before", "after"
    ):
        old, new = ((each or {}).get("currentVersion", "") for each in (before, after))
        if new and new != old:
            found.setdefault((service, region), []).append((at, old, new))
    return found


def _spans(
    region: str, current: str, created: datetime, changes: list[tuple[datetime, str, str]]
) -> list[JsonObject]:
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
    return told


def _span(region: str, version: str, since: datetime | None) -> JsonObject:
    return {"region": region, "version": version, "since": iso(since) if since else None, "until": None}

"""Which of the two versions of an upgrade clients called in its region, before the switch and since."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Max, Min
from django.utils import timezone

from migrations_app.domain.switch.states import State
from migrations_app.kernel.clock import iso
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.upgrades import Upgrade

SEEN_BEFORE = timedelta(days=7)
"""So long before the upgrade began callers are looked for."""


def version_callers_of(row: Upgrade) -> JsonObject:
    """Count the clients that were seen to call each version; who called before the switch and after it counts twice.

    Shape: `since_switch` is null as long as there was no switch. Clients are counted until the upgrade ended.
    """
    first = (row.started_at or row.created_at) - SEEN_BEFORE
    last = row.finished_at or timezone.now()
    switched = next((move.at for move in row.moves.all() if move.state == State.REVERSIBLE.value), None)
    seen = (
        UsageCount.objects.filter(service=row.service, region=row.region, path="")
        .filter(version__in=[row.from_version, row.to_version], last_seen__gte=first, first_seen__lte=last)
        .values("version", "client")
        .annotate(first=Min("first_seen"), last=Max("last_seen"))
    )
    clients = list(seen.values_list("version", "first", "last"))
    versions: list[Json] = [
        {
            "version": version,
            "before_switch": sum(
                each == version and (switched is None or first < switched) for each, first, _ in clients
            ),
            "since_switch": None
            if switched is None
            else sum(each == version and last >= switched for each, _, last in clients),
        }
        for version in (row.from_version, row.to_version)
    ]
    return {"seen_from": iso(first), "switched_at": iso(switched) if switched else None, "versions": versions}

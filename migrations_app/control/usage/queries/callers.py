"""Clients that were seen to call versions before the newest, counted by service and region."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, require_reach
from migrations_app.domain.registry.names import version_order
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.registry import Service

DAYS = 14
MESSAGE = ""


def old_callers(actor: Actor) -> JsonObject:
    """Count the clients of old versions in fourteen days; what has none is not named.

    Raises: Denied.
    """
    reach = require_reach(actor, "registry.read")
    since = timezone.now().date() - timedelta(days=DAYS - 1)
    newest = Q(pk__in=[])
    for row in Service.objects.only("id", "versions"):
        if row.versions:
            newest |= Q(service=row.id, version=max(row.versions, key=version_order))
    seen = UsageCount.objects.filter(within(reach), path=MESSAGE, day__gte=since).exclude(newest)
    clients = seen.values_list("service", "region").annotate(clients=Count("client", distinct=True))
    callers: dict[str, dict[str, Json]] = {}
    for service, region, count in clients.order_by("service", "region"):
        callers.setdefault(service, {})[region] = count
    return {"days": DAYS, "callers": {**callers}}

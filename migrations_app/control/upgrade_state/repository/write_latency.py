"""How long clients' writes to a deployment take just now, as the processes that answer them report it."""

from __future__ import annotations

from datetime import datetime, timedelta

from migrations_app.domain.sync.write_latency import LatencyCounts, sum_latencies
from migrations_app.models.work import Pulse

REPORTS_LIMIT = timedelta(seconds=5)
"""Processes report once a second while there are writes; an older report tells of earlier ones."""
SECONDS = 4
LEAST_WRITES = 10
"""Of fewer writes the slowest twentieth says nothing."""


def write_p95(deployment: str, now: datetime) -> float | None:
    """Tell within how many seconds 95 of 100 writes of the last seconds were done; None where there were too few."""
    reports = Pulse.objects.filter(
        kind="writes", at__gt=now - REPORTS_LIMIT, details__deployments__has_key=deployment
    )
    first = now.timestamp() - SECONDS
    found = sum_latencies(
        LatencyCounts({int(number): many for number, many in counts.items()})
        for details in reports.values_list("details", flat=True)
        for at, counts in details["deployments"][deployment].items()
        if int(at) >= first
    )
    return found.p95_seconds if found.writes >= LEAST_WRITES else None

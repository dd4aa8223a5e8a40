"""How long clients' writes to a deployment take just now, as the processes that answer them report it."""

from __future__ import annotations

from datetime import datetime

from migrations_app.adapters.write_latency.pulses import PulseWriteLatencies
from migrations_app.domain.sync.write_latency import sum_latencies

SECONDS = 4
LEAST_WRITES = 10
"""Of fewer writes the slowest twentieth says nothing."""


def write_p95(deployment: str, now: datetime) -> float | None:
    """Tell within how many seconds 95 of 100 writes of the last seconds were done; None where there were too few."""
    first = now.timestamp() - SECONDS
    report = PulseWriteLatencies().read(deployment)
    recent = sum_latencies(counts for at, counts in report.seconds.items() if at >= first)
    return recent.p95_seconds if recent.writes >= LEAST_WRITES else None

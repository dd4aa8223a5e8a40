"""Reports of write latency, and of the pace of workers, as pulses: one row a process, and one a worker and deployment."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Mapping
from pathlib import Path

from django.db import connection
from msgspec.json import Decoder

from migrations_app.adapters.pulses import PulseRows
from migrations_app.adapters.write_latency.log import Seconds
from migrations_app.domain.sync.write_latency import LatencyCounts, sum_latencies
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.named_queries import named_queries
from migrations_app.ports.write_latency import PaceReport, WriteReport

SQL = named_queries(Path(__file__).with_suffix(".sql"))
WRITES, PACE = "writes", "pace"
FRESH_SECONDS = 5.0
PACE_SECONDS = 10.0
"""A worker that copies or compares tells its pace every few seconds; what is older is not so any more."""
_parts = Decoder(list[dict[int, dict[int, int]]]).decode


def report_writes(told: Mapping[str, Seconds]) -> None:
    """Write down what this process noted; over a connection of its own, which it closes."""
    noted: JsonObject = {
        name: {
            str(at): {str(number): many for number, many in counts.items()} for at, counts in seconds.items()
        }
        for name, seconds in told.items()
    }
    try:
        PulseRows().beat(f"writes:{_process()}", WRITES, {"deployments": noted})
    finally:
        connection.close()


class PulseWriteLatencies:
    """`ports.write_latency.WriteLatencies` over the table of pulses."""

    def read(self, deployment: str) -> WriteReport:
        """Add up what the processes reported, and take what writes take in calm from another worker."""
        with connection.cursor() as cursor:
            cursor.execute(
                SQL["read"],
                {
                    "deployment": deployment,
                    "own": _pace_name(deployment),
                    "fresh_seconds": FRESH_SECONDS,
                    "pace_seconds": PACE_SECONDS,
                },
            )
            noted, calm_seconds = cursor.fetchall()[0]
        seconds: dict[int, LatencyCounts] = {}
        for part in _parts(noted):
            for at, counts in part.items():
                seconds[at] = sum_latencies([seconds.get(at, LatencyCounts({})), LatencyCounts(counts)])
        return WriteReport(seconds, calm_seconds)

    def publish(self, deployment: str, report: PaceReport) -> None:
        """Write the pace of this process down."""
        since = report.slowed_since
        details: JsonObject = {
            "deployment": deployment,
            "pace": round(report.pace, 3),
            "p95_seconds": round(report.p95_seconds, 5),
            "calm_seconds": round(report.calm_seconds, 5),
            "slowed_since": since.isoformat() if since else None,
        }
        PulseRows().beat(_pace_name(deployment), PACE, details)


def _process() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _pace_name(deployment: str) -> str:
    return f"pace:{_process()}:{hashlib.sha256(deployment.encode()).hexdigest()[:16]}"

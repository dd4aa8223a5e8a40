"""Pulses: when each process and loop was last heard from."""

from __future__ import annotations

import time
from datetime import timedelta
from functools import lru_cache

from django.db import connection
from django.utils import timezone

from migrations_app.kernel.json import JsonObject, encode
from migrations_app.models.work import Pulse
from migrations_app.ports.processes.pulses import Pulses

SILENT_SECONDS = 20.0
THREADS_SECONDS = 5.0
"""So long a process goes by the threads that it counted."""

# `since` starts again when a part was silent for so long that it must have been away.
BEAT = """
INSERT INTO switchyard_pulse AS pulse (name, kind, at, since, details)
VALUES (%(name)s, %(kind)s, clock_timestamp(), clock_timestamp(), %(details)s::jsonb)
ON CONFLICT (name) DO UPDATE SET
  at = excluded.at, details = excluded.details, kind = excluded.kind,
  since = CASE WHEN pulse.at < clock_timestamp() - interval '30 seconds' THEN excluded.at ELSE pulse.since END
"""


class PulseRows(Pulses):
    """Pulses in the control database."""

    def beat(self, name: str, kind: str, details: JsonObject | None = None) -> None:
        """Note that a part of the system is alive."""
        with connection.cursor() as cursor:
            cursor.execute(BEAT, {"name": name, "kind": kind, "details": encode(details or {}).decode()})

    def threads(self, queue: str) -> int:
        """Count the threads of the workers that listen to a queue, as they said lately; one where there are none."""
        return max(1, _threads(int(time.monotonic() / THREADS_SECONDS)).get(queue, 0))

    def forget(self, older_than_seconds: float) -> int:
        """Drop the pulses of parts that are gone for good."""
        before = timezone.now() - timedelta(seconds=older_than_seconds)
        deleted, _ = Pulse.objects.filter(at__lt=before).delete()
        return deleted


@lru_cache(maxsize=1)
def _threads(moment: int) -> dict[str, int]:
    since = timezone.now() - timedelta(seconds=SILENT_SECONDS)
    found: dict[str, int] = {}
    for details in Pulse.objects.filter(kind="worker", at__gt=since).values_list("details", flat=True):
        for name in details.get("queues", []):
            found[name] = found.get(name, 0) + int(details.get("threads", 1))
    return found

"""Pulses: when each process and loop was last heard from."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection
from django.utils import timezone

from migrations_app.kernel.json import JsonObject, encode
from migrations_app.models.work import Pulse

# `since` starts anew when a part was silent for so long that it must have been away.
BEAT = """
INSERT INTO switchyard_pulse AS pulse (name, kind, at, since, details)
VALUES (%(name)s, %(kind)s, clock_timestamp(), clock_timestamp(), %(details)s::jsonb)
ON CONFLICT (name) DO UPDATE SET
  at = excluded.at, details = excluded.details, kind = excluded.kind,
  since = CASE WHEN pulse.at < clock_timestamp() - interval '30 seconds' THEN excluded.at ELSE pulse.since END
"""


def beat(name: str, kind: str, details: JsonObject | None = None) -> None:
    """Note that a part of the system is alive."""
    with connection.cursor() as cursor:
        cursor.execute(BEAT, {"name": name, "kind": kind, "details": encode(details or {}).decode()})


def forget(older_than_seconds: float) -> int:
    """Drop the pulses of parts that are gone for good."""
    before = timezone.now() - timedelta(seconds=older_than_seconds)
    deleted, _ = Pulse.objects.filter(at__lt=before).delete()
    return deleted

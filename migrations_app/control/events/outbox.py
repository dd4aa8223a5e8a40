"""The outbox: changes written with what they tell of, numbered only once they are visible.

A sequence taken while writing is overtaken by later ones that commit first, and a reader at `seq > last` would
never see it. Here rows are written without a number; the first reader gives numbers, under a lock, to the
rows that are visible. A row that becomes visible later gets a larger number, so no reader misses it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import connection, transaction
from django.utils import timezone

from migrations_app.domain.events import Event, Place
from migrations_app.kernel.json import JsonObject, decode
from migrations_app.kernel.named_queries import named_queries
from migrations_app.models.outbox import OutboxEvent

SQL = named_queries(Path(__file__).with_suffix(".sql"))
BATCH = 2_000


@dataclass(frozen=True, slots=True)
class OutboxRange:
    """The newest number given, and the newest one pruned: what lies between can be replayed."""

    seq: int
    pruned: int


def publish(
    topic: str,
    kind: str,
    id: str,
    *,
    full: JsonObject | None = None,
    patch: JsonObject | None = None,
    rev: int = 0,
    places: Sequence[Place] = (),
) -> None:
    """Tell watchers, with the caller's transaction, that a thing is now `full`, patched, or (neither) gone.

    Only those are told who may read all of `places`; without any, everybody who follows the topic.
    """
    OutboxEvent.objects.create(
        at=timezone.now(), topic=topic, kind=kind, key=id, full=full, patch=patch, rev=rev, places=[*places]
    )


def publish_each(topic: str, kind: str, things: Mapping[str, JsonObject]) -> None:
    """Tell everybody who follows the topic what several things are now, by their ids, with one statement."""
    now = timezone.now()
    OutboxEvent.objects.bulk_create(
        OutboxEvent(at=now, topic=topic, kind=kind, key=id, full=full, patch=None, rev=0, places=[])
        for id, full in things.items()
    )


def number() -> OutboxRange:
    """Give numbers to all events that became visible, and tell the head."""
    with connection.cursor() as cursor:
        cursor.execute(SQL["waiting"])
        waiting, seq, pruned = cursor.fetchone() or (False, 0, 0)
    head, more = OutboxRange(seq, pruned), bool(waiting)
    while more:
        before = head.seq
        head = _number_some()
        more = head.seq - before >= BATCH
    return head


def _number_some() -> OutboxRange:
    with transaction.atomic(), connection.cursor() as cursor:
        # Two statements on purpose: the second one's snapshot is taken after the lock is held.
        cursor.execute(SQL["lock"])
        cursor.execute(SQL["head"])
        seq, pruned = cursor.fetchone() or (0, 0)
        cursor.execute(SQL["number"], {"head": seq, "limit": BATCH})
        row = cursor.fetchone()
    return OutboxRange(row[0] if row else seq, pruned)


def read(since: int, upto: int, limit: int = BATCH) -> list[Event]:
    """Read numbered events after `since`, up to and with `upto`, in order."""
    with connection.cursor() as cursor:
        cursor.execute(SQL["read"], {"since": since, "upto": upto, "limit": limit})
        return [
            Event(seq, at, topic, kind, key, rev, _object(full), _object(patch), _places(places))
            for seq, at, topic, kind, key, rev, full, patch, places in cursor.fetchall()
        ]


def prune(older_than_seconds: float, limit: int) -> int:
    """Forget events older than this, at most `limit` of them; a watcher that far behind is told to start again."""
    # Without a watcher no process numbers, and only numbered events may go.
    number()
    with connection.cursor() as cursor:
        cursor.execute(SQL["prune"], {"seconds": older_than_seconds, "limit": limit})
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def _object(value: object) -> JsonObject | None:
    loaded = decode(value) if isinstance(value, str | bytes) else value
    return loaded if isinstance(loaded, dict) else None


def _places(value: object) -> tuple[Place, ...]:
    loaded = decode(value) if isinstance(value, str | bytes) else value
    return (
        tuple((str(service), str(region)) for service, region in loaded) if isinstance(loaded, list) else ()
    )

"""Turns of controllers: which worker has the lead in each region, and how long ago a turn ended there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.db import connection

from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.named_queries import named_queries

SQL = named_queries(Path(__file__).with_suffix(".sql"))


@dataclass(frozen=True, slots=True)
class Turns:
    """One controller in one region; its leader is who holds a key now, or else who held one last."""

    region: str
    controller: str
    keys: int
    held: int
    late: int
    quarantined: int
    leader: str
    last_turn_at: datetime | None
    age_seconds: float | None

    def as_json(self) -> JsonObject:
        """Give it as the API shows it."""
        return {
            "region": self.region,
            "controller": self.controller,
            "keys": self.keys,
            "held": self.held,
            "late": self.late,
            "quarantined": self.quarantined,
            "leader": self.leader,
            "last_turn_at": self.last_turn_at.isoformat() if self.last_turn_at else None,
            "age_seconds": None if self.age_seconds is None else round(self.age_seconds, 1),
        }


def turns() -> list[Turns]:
    """List every controller that ever took a key, by region; ages are by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute(SQL["by_region"])
        return [Turns(*row) for row in cursor.fetchall()]


@dataclass(frozen=True, slots=True)
class WaitingController:
    """A controller with due keys: how long the oldest waits, and whether nothing at all moves."""

    controller: str
    seconds: float
    stale: bool


def waiting_controllers(limit_seconds: float) -> list[WaitingController]:
    """List the controllers that have due keys, the longest waiting first.

    One is stale when its oldest key waits longer than the limit, while none of its keys is held or was settled since: a
    backlog that moves is slow, not stale.
    """
    with connection.cursor() as cursor:
        cursor.execute(SQL["stale"], {"limit": limit_seconds})
        return [WaitingController(*row) for row in cursor.fetchall()]

"""Leases in memory: the twin of the PostgreSQL ones, for simulation and unit tests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.locks import LONGEST_WAIT_SECONDS, WAIT_SHARE, Again, Lease, Outcome, Parked


@dataclass(slots=True)
class _Row:
    epoch: int = 0
    attempts: int = 0
    wakes: int = 0
    due_at: datetime | None = None
    leased_until: datetime | None = None
    queued_until: datetime | None = None
    parked: Parked | None = None
    waits_since: datetime | None = None
    told: JsonObject = field(default_factory=dict)


class MemoryLeases:
    """Leases in a dictionary."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rows: dict[tuple[str, str], _Row] = {}
        self._epoch = 0

    def take(self, controller: str, key: str, *, holder: str, lease_seconds: float) -> Lease | None:
        """Take a key that is free and due."""
        row = self._rows.setdefault((controller, key), _Row())
        if not self._free(row):
            return None
        self._epoch += 1
        row.epoch, row.attempts, row.queued_until = self._epoch, row.attempts + 1, None
        row.leased_until = self._in(lease_seconds)
        return Lease(key, row.epoch, controller, row.attempts, row.wakes, row.told)

    def renew(self, lease: Lease, *, lease_seconds: float) -> bool:
        """Hold on for another while."""
        row = self._mine(lease)
        if row is None:
            return False
        row.leased_until = self._in(lease_seconds)
        return True

    def confirm(self, lease: Lease) -> None:
        """Check that the key is still held."""
        if self._mine(lease) is None:
            raise Stale(f"The lease on {lease.key} was taken over.", code="lease-lost", key=lease.key)

    def settle(self, lease: Lease, outcome: Outcome) -> bool:
        """Write the outcome down and let go."""
        row = self._mine(lease)
        if row is None:
            return False
        row.leased_until, row.due_at, row.parked = None, None, None
        if isinstance(outcome, Parked):
            row.parked = outcome
            return True
        since, row.waits_since = row.waits_since, None
        if isinstance(outcome, Again):
            row.due_at = self._in(outcome.after_seconds)
            row.told = row.told if outcome.told is None else outcome.told
            if outcome.waits_for:
                row.waits_since = since or self._clock.now()
                waited = (self._clock.now() - row.waits_since).total_seconds()
                row.due_at = max(row.due_at, self._in(min(waited / WAIT_SHARE, LONGEST_WAIT_SECONDS)))
        if row.wakes != lease.wakes:
            row.due_at = self._clock.now()
        if not (isinstance(outcome, Again) and outcome.fruitless):
            row.attempts = 0
        return True

    def wake(self, controller: str, key: str, *, unpark: bool = False) -> None:
        """Make a key due now."""
        row = self._rows.setdefault((controller, key), _Row())
        row.due_at, row.wakes = self._clock.now(), row.wakes + 1
        if unpark and row.parked:
            row.parked, row.attempts = None, 0

    def queueable(self, controller: str, keys: Iterable[str], *, quiet_seconds: float) -> list[str]:
        """Choose the keys to hint at now."""
        now = self._clock.now()
        fallen = [
            k for (c, k), row in self._rows.items() if c == controller and row.due_at and row.due_at <= now
        ]
        chosen = []
        for key in dict.fromkeys([*keys, *fallen]):
            row = self._rows.setdefault((controller, key), _Row())
            if self._free(row) and not (row.queued_until and row.queued_until > now):
                row.queued_until = self._in(quiet_seconds)
                chosen.append(key)
        return chosen

    def parked(self, controller: str, key: str) -> Parked | None:
        """Tell why a key is parked, if it is."""
        row = self._rows.get((controller, key))
        return row.parked if row else None

    def _free(self, row: _Row) -> bool:
        now = self._clock.now()
        held = row.leased_until is not None and row.leased_until > now
        early = row.due_at is not None and row.due_at > now
        return not (row.parked or held or early)

    def _mine(self, lease: Lease) -> _Row | None:
        row = self._rows.get((lease.controller, lease.key))
        return row if row and row.epoch == lease.epoch and row.leased_until else None

    def _in(self, seconds: float) -> datetime:
        return self._clock.now() + timedelta(seconds=seconds)

"""Leases in memory: the twin of the PostgreSQL ones, for simulation and unit tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from migrations_app.domain.work_classes import EXPECTED_SECONDS, FIRST, WorkClass, starts
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.locks import (
    LONGEST_WAIT_SECONDS,
    WAIT_SHARE,
    Again,
    ClassBacklog,
    Done,
    DueKey,
    Lease,
    Outcome,
    QuarantinedKey,
    SettledLease,
    TakenKey,
    WokenKey,
    WorkPool,
)


@dataclass(slots=True)
class _Row:
    epoch: int = 0
    attempts: int = 0
    wakes: int = 0
    due_at: datetime | None = None
    leased_until: datetime | None = None
    work_class: WorkClass | None = None
    quarantined: QuarantinedKey | None = None
    waits_since: datetime | None = None
    memo: JsonObject = field(default_factory=dict)


@dataclass(slots=True)
class _Account:
    share: float
    passed: float
    used_seconds: float = 0.0


class MemoryLeases:
    """Leases in a dictionary."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rows: dict[tuple[str, str], _Row] = {}
        self._accounts: dict[tuple[str, WorkClass], _Account] = {}
        self._epoch = 0

    def take_next(
        self,
        pool: WorkPool,
        *,
        holder: str,
        lease_seconds: float,
        only: Collection[WorkClass] = (),
        skip: Collection[tuple[str, str]] = (),
    ) -> TakenKey | None:
        """Take the key that is next."""
        known = frozenset(pool.controllers)
        due: dict[WorkClass, list[tuple[datetime, str, str]]] = {}
        for (controller, key), row in self._rows.items():
            if controller not in known or (controller, key) in skip or row.work_class is None:
                continue
            if row.due_at is not None and self._free(row) and (not only or row.work_class in only):
                due.setdefault(row.work_class, []).append((row.due_at, controller, key))
        if not due:
            return None
        work_class, start = self._next_class(pool, due)
        _, controller, key = min(due[work_class])
        lease = self.take(controller, key, holder=holder, lease_seconds=lease_seconds)
        assert lease is not None
        share = 1.0 if work_class is FIRST else pool.shares[work_class]
        account = self._accounts.setdefault((pool.name, work_class), _Account(share, start))
        account.share, account.passed = share, max(account.passed, start) + EXPECTED_SECONDS / share
        lease = replace(lease, work_class=work_class, pool=pool.name)
        return TakenKey(lease, sum(map(len, due.values())) > 1)

    def _next_class(
        self, pool: WorkPool, due: dict[WorkClass, list[tuple[datetime, str, str]]]
    ) -> tuple[WorkClass, float]:
        if FIRST in due:
            return FIRST, 0.0
        passed = {
            each: account.passed if (account := self._accounts.get((pool.name, each))) else None
            for each in due
        }
        begun = starts(passed)
        return min(
            ((each, begun[each]) for each in due),
            key=lambda pair: (pair[1], passed[pair[0]] is not None, min(due[pair[0]])),
        )

    def take(self, controller: str, key: str, *, holder: str, lease_seconds: float) -> Lease | None:
        """Take a key that is free and due."""
        row = self._rows.setdefault((controller, key), _Row())
        if not self._free(row):
            return None
        self._epoch += 1
        row.epoch, row.attempts, row.due_at = self._epoch, row.attempts + 1, row.due_at or self._clock.now()
        row.leased_until = self._in(lease_seconds)
        return Lease(key, row.epoch, controller, row.attempts, row.wakes, row.memo)

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
            raise Stale(
                message("The lease on {key} was taken over.", key=lease.key), code="lease-lost", key=lease.key
            )

    def settle(self, lease: Lease, outcome: Outcome, *, used_seconds: float = 0.0) -> SettledLease | None:
        """Write the outcome down and let go."""
        row = self._mine(lease)
        if row is None:
            return None
        if lease.work_class is not None and (lease.pool, lease.work_class) in self._accounts:
            account = self._accounts[lease.pool, lease.work_class]
            account.passed += (used_seconds - EXPECTED_SECONDS) / account.share
            account.used_seconds += used_seconds
        if isinstance(outcome, Done) and outcome.for_good and row.wakes == lease.wakes:
            del self._rows[lease.controller, lease.key]
            return SettledLease(more_due=self._some_due())
        row.leased_until, row.due_at, row.quarantined = None, None, None
        if isinstance(outcome, QuarantinedKey):
            row.quarantined = outcome
            return SettledLease(more_due=self._some_due())
        since, row.waits_since = row.waits_since, None
        if isinstance(outcome, Again):
            row.due_at = self._in(outcome.after_seconds)
            row.memo = row.memo if outcome.memo is None else outcome.memo
            row.work_class = outcome.work_class or row.work_class
            if outcome.waits_for:
                row.waits_since = since or self._clock.now()
                waited = (self._clock.now() - row.waits_since).total_seconds()
                row.due_at = max(row.due_at, self._in(min(waited / WAIT_SHARE, LONGEST_WAIT_SECONDS)))
        if row.wakes != lease.wakes:
            row.due_at = self._clock.now()
        if not (isinstance(outcome, Again) and outcome.fruitless):
            row.attempts = 0
        return SettledLease(more_due=self._some_due())

    def wake(
        self, controller: str, key: str, *, work_class: WorkClass | None = None, lift_quarantine: bool = False
    ) -> None:
        """Make a key due now."""
        row = self._rows.setdefault((controller, key), _Row())
        now = self._clock.now()
        row.due_at, row.wakes = min(row.due_at or now, now), row.wakes + 1
        row.work_class = row.work_class or work_class
        if lift_quarantine and row.quarantined:
            row.quarantined, row.attempts = None, 0

    def wake_all(self, keys: Collection[WokenKey]) -> None:
        """Make many keys due now."""
        for each in keys:
            self.wake(each.controller, each.key, work_class=each.work_class)

    def ensure(self, controller: str, keys: Iterable[DueKey]) -> int:
        """Make due what is not scheduled."""
        count = 0
        for each in keys:
            row = self._rows.setdefault((controller, each.key), _Row())
            if row.quarantined is None and (row.due_at is None or row.work_class is None):
                row.due_at, row.work_class = (
                    row.due_at or self._clock.now(),
                    row.work_class or each.work_class,
                )
                count += 1
        return count

    def count_due(self, controllers: Sequence[str], *, limit: int) -> dict[str, int]:
        """Count what is due and free."""
        rows = ((name, row) for (name, _), row in self._rows.items() if name in controllers)
        due = Counter(name for name, row in rows if row.due_at is not None and self._free(row))
        return {name: min(limit, count) for name, count in due.items()}

    def backlog(self) -> Sequence[ClassBacklog]:
        """Tell how late each class is."""
        found = []
        for each in WorkClass:
            due = [
                row.due_at
                for row in self._rows.values()
                if row.work_class is each and row.due_at and self._free(row)
            ]
            late = (self._clock.now() - min(due)).total_seconds() if due else 0.0
            used = sum(account.used_seconds for (_, own), account in self._accounts.items() if own is each)
            found.append(ClassBacklog(each, len(due), late, used))
        return found

    def quarantined(self, controller: str, key: str) -> QuarantinedKey | None:
        """Tell why a key is quarantined, if it is."""
        row = self._rows.get((controller, key))
        return row.quarantined if row else None

    def _some_due(self) -> bool:
        return any(row.due_at is not None and self._free(row) for row in self._rows.values())

    def _free(self, row: _Row) -> bool:
        now = self._clock.now()
        held = row.leased_until is not None and row.leased_until > now
        early = row.due_at is not None and row.due_at > now
        return not (row.quarantined or held or early)

    def _mine(self, lease: Lease) -> _Row | None:
        row = self._rows.get((lease.controller, lease.key))
        return row if row and row.epoch == lease.epoch and row.leased_until else None

    def _in(self, seconds: float) -> datetime:
        return self._clock.now() + timedelta(seconds=seconds)

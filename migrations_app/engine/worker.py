"""What a worker process does with its threads: take the next due key, work one budget, go on with the next."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock

from migrations_app.domain.work_classes import URGENT, WorkClass
from migrations_app.engine.controller import Controller, Ran, Share, Terms, reconcile_taken
from migrations_app.kernel.clock import Clock
from migrations_app.ports.locks import Lease, Leases, WorkPool

WORK_SECONDS = 5.0
"""So long a thread goes on with due keys before it lets the broker speak again."""
COARSE = ((30.0, 5.0), (5.0, 1.0))
"""Who waits at least so long is woken at whole multiples of so much: together with others, and so seldom."""


@dataclass(frozen=True, slots=True)
class Events:
    """What a worker reports: a slice ended; keys besides one that was taken are due, while threads are free."""

    slice_ended: Callable[[Lease, Ran], object] = lambda lease, ran: None
    others_due: Callable[[Lease], object] = lambda lease: None


class Worker:
    """Works on due keys in as many threads as call it; a part of them is kept for urgent classes.

    A key that hangs in a thread of this process is left to other processes, so that it costs one thread here.
    """

    def __init__(
        self,
        controllers: Mapping[str, Controller],
        leases: Leases,
        clock: Clock,
        pool: WorkPool,
        *,
        threads: int,
        terms: Terms | None = None,
        events: Events | None = None,
    ) -> None:
        self._controllers, self._leases, self._clock, self._pool = controllers, leases, clock, pool
        self._terms, self._events = terms or Terms(), events or Events()
        self._threads = threads
        self._ordinary = Share(threads - kept_threads(threads) if has_urgent(controllers, pool) else threads)
        self._running: set[tuple[str, str]] = set()
        self._busy, self._missed = 0, False
        self._others_due = False
        self._lock = Lock()

    @property
    def others_due(self) -> bool:
        """Tell whether keys besides those that were taken were due when a thread of this process asked last."""
        return self._others_due

    def work(self, holder: str, *, seconds: float = WORK_SECONDS) -> bool:
        """Work on due keys until none is due or the time is over; tell whether some may be left.

        Once: see `reconcile_taken`; every slice is settled before the next key is taken.
        """
        with self._lock:
            self._busy += 1
        try:
            with self._ordinary.taken() as ordinary:
                left = self._work(holder, seconds, ordinary=ordinary)
        finally:
            with self._lock:
                self._busy -= 1
        with self._lock:
            # A thread that was restricted to urgent classes may have left a key that this one did not see.
            missed, self._missed = ordinary and self._missed, not ordinary
        return left or missed

    def _work(self, holder: str, seconds: float, *, ordinary: bool) -> bool:
        end = self._clock.monotonic() + seconds
        while self._slice(holder, ordinary=ordinary):
            if self._clock.monotonic() >= end:
                return True
        return False

    def _slice(self, holder: str, *, ordinary: bool) -> bool:
        with self._lock:
            running = frozenset(self._running)
        taken = self._leases.take_next(
            self._pool,
            holder=holder,
            lease_seconds=self._terms.lease_seconds,
            only=() if ordinary else URGENT,
            skip=running,
        )
        self._others_due = taken is not None and taken.others_due
        if taken is None:
            return False
        lease = taken.lease
        with self._lock:
            self._running.add((lease.controller, lease.key))
            free = self._busy < self._threads
        try:
            if taken.others_due and free:
                self._events.others_due(lease)
            ran = reconcile_taken(
                self._controllers[lease.controller],
                lease,
                leases=self._leases,
                clock=self._clock,
                terms=self._terms,
            )
        finally:
            with self._lock:
                self._running.discard((lease.controller, lease.key))
        self._events.slice_ended(lease, ran)
        # What falls due from now on sends a wake-up of its own. A lease that was lost says nothing, so the thread asks.
        return ran.settled is None or ran.settled.more_due


def has_urgent(controllers: Mapping[str, Controller], pool: WorkPool) -> bool:
    """Tell whether work of a pool may be urgent: what copies catches up afterwards."""
    classes = {*URGENT, WorkClass.BACKFILL}
    return any(controllers[name].work_class in classes for name in pool.controllers)


def kept_threads(threads: int) -> int:
    """Tell how many of a process's threads are kept for urgent classes: a third, none where there is only one."""
    return 0 if threads < 2 else max(1, threads // 3)


def coarse(at: float, seconds: float) -> float:
    """Tell when to wake a key that is due at a moment, after so many seconds: then or somewhat later."""
    grid = next((each for least, each in COARSE if seconds >= least), 0.0)
    return math.ceil(at / grid) * grid if grid else at

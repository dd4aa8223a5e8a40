"""The worker of this process: which queues and how many threads it has, and when its next key falls due."""

from __future__ import annotations

import heapq
import logging
import os
import socket
import threading
import time
from collections.abc import Callable

from celery.signals import celeryd_after_setup, worker_ready, worker_shutting_down
from django.conf import settings
from django.db import DatabaseError, close_old_connections

from celery_worker.queues import HOUSEKEEPING, NOTIFICATIONS
from migrations_app import wiring
from migrations_app.adapters.leases.notifications import PostgresWorkNotifications
from migrations_app.adapters.registry_watch import KEY as REGISTRY_KEY
from migrations_app.adapters.registry_watch import NAME as REGISTRY_WATCH
from migrations_app.control.registry.own_registration import register_process
from migrations_app.domain.work_classes import URGENT, parse_shares
from migrations_app.engine.controller import Ran
from migrations_app.engine.regions.feed_watch import NAME as FEED_WATCH
from migrations_app.engine.safety_net import NAME as SAFETY_NET
from migrations_app.engine.worker import Events, Worker, coarse
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.locks import Lease, WorkPool

HOST = socket.gethostname()
BATCH_SECONDS = 0.1
"""Keys that fall due within this time after the first are woken together, by one thread that takes them in turn."""
HELP_SECONDS = 0.1
"""So long one thread takes due keys that are not urgent in turn before another is woken to help."""
LATE_SECONDS = BATCH_SECONDS / 2
"""So late a key may be written down whose moment was chosen together with others, and still be woken with them."""
LONGEST_WAIT_SECONDS = 60.0
WITHOUT_BROKER_SECONDS = 5.0
"""How often the thread that wakes others works itself while the broker takes no wake-ups."""

MOVES_PLACES = frozenset({"sync", "read-copies"})
"""Who may have new keys when a deployment may have a namespace more, or one less: its followers look again then."""

log = logging.getLogger(__name__)


class Alarm:
    """Wakes threads when keys fall due that this process settled; other keys are found by the tick."""

    def __init__(self, helping_queue: str, others_due: Callable[[], bool]) -> None:
        self._helping_queue, self._others_due = helping_queue, others_due
        self._due: list[tuple[float, str]] = []
        self._help_at = float("inf")
        self._changed = threading.Condition()
        self._ended = False

    def expect(self, queue: str, seconds: float) -> None:
        """Wake a thread of the queue after so many seconds."""
        with self._changed:
            first = self._due[0][0] if self._due else float("inf")
            # By the clock of the wall, as the moments are chosen (`at_whole`); waited for by one that never rolls back.
            now = time.time()
            at = time.monotonic() + coarse(now + seconds - LATE_SECONDS, seconds) - now
            heapq.heappush(self._due, (at, queue))
            if at < first:
                self._changed.notify()

    def expect_help(self) -> None:
        """Wake one more thread shortly, unless no key is left by then."""
        with self._changed:
            if self._help_at == float("inf"):
                self._help_at = time.monotonic() + HELP_SECONDS
                self._changed.notify()

    def run(self, wake: Callable[[str], object]) -> None:
        """Call `wake` with each queue that a thread is needed for, until the process ends."""
        while (due := self._wait()) is not None:
            for queue in sorted(due):
                wake(queue)

    def end(self) -> None:
        """Stop waking."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def _wait(self) -> set[str] | None:
        with self._changed:
            while not self._ended:
                now = time.monotonic()
                first = self._due[0][0] + BATCH_SECONDS if self._due else float("inf")
                left = min(first, self._help_at) - now
                if left <= 0:
                    queues: set[str] = set()
                    while first <= now and self._due and self._due[0][0] <= now:
                        queues.add(heapq.heappop(self._due)[1])
                    if self._help_at <= now:
                        self._help_at = float("inf")
                        if self._others_due():
                            queues.add(self._helping_queue)
                    return queues
                self._changed.wait(min(left, LONGEST_WAIT_SECONDS))
        return None


class Station:
    """The queues and threads of this process, and what works on their keys."""

    def __init__(self, queues: list[str], threads: int) -> None:
        self.queues, self.threads = queues, threads
        self.alarm = Alarm(queues[0], lambda: self._worker.others_due)
        controllers = wiring.controllers()
        self._queue_of = {name: each.queue for name, each in controllers.items()}
        self._worker = Worker(
            controllers,
            wiring.leases(),
            wiring.clock(),
            _pool(queues),
            threads=threads,
            events=Events(self._slice_ended, self._others_due),
        )

    def work(self, queue: str) -> None:
        """Work on due keys for some seconds; leave a wake-up behind when some may be left."""
        holder = f"{HOST}:{os.getpid()}:{threading.get_ident()}"
        if self._worker.work(holder):
            wiring.dispatch().wake(queue)

    def wake(self, queue: str) -> None:
        """Wake a thread of some process that serves the queue; notifications do not wait for a broker that is away."""
        if not wiring.dispatch().wake(queue) and queue == NOTIFICATIONS:
            self.alarm.expect(queue, WITHOUT_BROKER_SECONDS)
            self.work(queue)

    def _slice_ended(self, lease: Lease, ran: Ran) -> None:
        if ran.error is not None:
            log.warning(
                "%s %s: %r -> %s", lease.controller, lease.key, ran.error, ran.outcome, exc_info=ran.error
            )
        # What is due at once is taken by this thread next, or by others that it wakes.
        if ran.due_in_seconds is not None and ran.due_in_seconds > 0:
            self.alarm.expect(self._queue_of[lease.controller], ran.due_in_seconds)

    def _others_due(self, lease: Lease) -> None:
        # At rest many keys fall due together and take milliseconds each: a second thread would wake for nothing, and
        # the two would wait for each other. What is urgent, or takes longer, gets more threads.
        if lease.work_class in URGENT:
            wiring.dispatch().wake(self.queues[0])
        else:
            self.alarm.expect_help()


def _pool(queues: list[str]) -> WorkPool:
    names = [name for name, each in wiring.controllers().items() if each.queue in queues]
    return WorkPool(",".join(queues), names, parse_shares(settings.SWITCHYARD.work_shares))


_stations: list[Station] = []
_ended = threading.Event()


def station() -> Station:
    """Give the station of this process."""
    return _stations[-1]


def _ask(controllers: frozenset[str]) -> None:
    """Let the safety net ask these controllers for keys now."""
    close_old_connections()
    for name in sorted(controllers & wiring.controllers().keys()):
        try:
            wiring.dispatch().poke(SAFETY_NET, name)
        except DatabaseError as error:
            log.warning("%s is asked later: %s", name, error)
    if controllers & MOVES_PLACES:
        wiring.dispatch().poke(REGISTRY_WATCH, REGISTRY_KEY)
        for database in wiring.controllers()[FEED_WATCH].due():
            wiring.feed_signals().note(str(database))


@celeryd_after_setup.connect
def open_station(sender: object = None, instance: object = None, **_: object) -> None:
    """Register this process, and learn from Celery which queues and how many threads it has."""
    _register()
    queues = sorted(getattr(instance, "app").amqp.queues.consume_from)  # noqa: B009
    _stations.append(Station(queues, int(getattr(instance, "concurrency", 1) or 1)))


def _register() -> None:
    """Block until the registry shows Switchyard in the regions of this process.

    Raises: SystemExit, since Celery goes on after any other error of a signal.
    """
    if settings.SWITCHYARD.meta_url:
        return
    try:
        register_process(settings.SWITCHYARD.regions)
    except SwitchyardError as error:
        raise SystemExit(f"worker: {error}") from error


@worker_ready.connect
def start_alarm(**_: object) -> None:
    """Start the threads that wake others, and look at once for what is due."""
    threading.Thread(target=station().alarm.run, args=(station().wake,), name="alarm", daemon=True).start()
    wiring.feed_signals().start()
    if HOUSEKEEPING in station().queues:
        listener = PostgresWorkNotifications(settings.SWITCHYARD.database_url)
        threading.Thread(target=listener.listen, args=(_ask, _ended), name="listener", daemon=True).start()
    for queue in station().queues:
        station().alarm.expect(queue, 0.0)


@worker_shutting_down.connect
def end_alarm(**_: object) -> None:
    """Let the threads end."""
    _ended.set()
    wiring.feed_signals().end()
    if _stations:
        station().alarm.end()

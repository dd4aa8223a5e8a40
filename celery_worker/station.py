"""The worker of this process: which queues and how many threads it has, and what works on their keys."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time

from celery.signals import celeryd_after_setup, worker_ready, worker_shutting_down
from django.conf import settings
from django.db import DatabaseError, close_old_connections

from celery_worker.alarm import WITHOUT_BROKER_SECONDS, Alarm, WaitingThreads
from celery_worker.queues import HOUSEKEEPING, NOTIFICATIONS
from celery_worker.registration import register
from migrations_app import wiring
from migrations_app.adapters.leases.notifications import PostgresWorkNotifications
from migrations_app.control.registry.controllers.registry_watch import KEY as REGISTRY_KEY
from migrations_app.control.registry.controllers.registry_watch import NAME as REGISTRY_WATCH
from migrations_app.domain.work_classes import URGENT, parse_shares
from migrations_app.engine.controller import Ran
from migrations_app.engine.regions.feed_watch import NAME as FEED_WATCH
from migrations_app.engine.safety_net import NAME as SAFETY_NET
from migrations_app.engine.worker import Events, Worker
from migrations_app.ports.locks import Lease, WorkPool

HOST = socket.gethostname()
STAY_SECONDS = 20.0
"""So long after its wake-up a thread that finds no key due waits for the next; well below the visibility timeout."""
MOST_WAITING, FREE_THREADS = 2, 2
"""So many threads wait at most, and so many are left for wake-ups of the broker, which no waiting thread takes."""

MOVES_PLACES = frozenset({"sync", "read-copies"})
"""Who may have new keys when a deployment may have a namespace more, or one less: its followers look again then."""

log = logging.getLogger(__name__)


class Station:
    """The queues and threads of this process, and what works on their keys."""

    def __init__(self, queues: list[str], threads: int) -> None:
        self.queues, self.threads, self._pid = queues, threads, os.getpid()
        self.waiting = WaitingThreads(max(0, min(MOST_WAITING, threads - FREE_THREADS)))
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
        """Work on due keys for some seconds, then wait for more; send a wake-up when some may be left."""
        until = time.monotonic() + STAY_SECONDS
        while not (left := self._work(queue)):
            # The alarm runs where the station was opened; in a process that was forked from it no thread would be woken.
            if self._pid != os.getpid() or not self.waiting.wait(until):
                break
            close_old_connections()
        if left:
            wiring.dispatch().wake(queue)

    def wake(self, queue: str) -> None:
        """Wake a thread of this process that waits, or one of some process that serves the queue.

        Notifications do not wait for a broker that is away.
        """
        if self.waiting.wake():
            return
        if wiring.dispatch().wake(queue):
            self.alarm.expect_answer(queue)
            return
        self.alarm.expect(queue, WITHOUT_BROKER_SECONDS)
        if queue == NOTIFICATIONS:
            close_old_connections()
            self._work(queue)

    def wake_waiting(self, queue: str) -> bool:
        """Wake a waiting thread of this process where it serves the queue; tell whether one was."""
        return queue in self.queues and self.waiting.wake()

    def _work(self, queue: str) -> bool:
        self.alarm.answer(queue)
        return self._worker.work(f"{HOST}:{os.getpid()}:{threading.get_ident()}")

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
    try:
        if controllers & MOVES_PLACES:
            wiring.dispatch().poke(REGISTRY_WATCH, REGISTRY_KEY)
            for database in wiring.controllers()[FEED_WATCH].due():
                wiring.feed_signals().note_all(str(database))
    except DatabaseError as error:
        log.warning("places are looked at later: %s", error)


def _ask_all() -> None:
    """Let the safety net ask every controller: notifications that were sent while the connection was lost are gone."""
    _ask(frozenset(wiring.controllers()))


@celeryd_after_setup.connect
def open_station(sender: object = None, instance: object = None, **_: object) -> None:
    """Register this process, and learn from Celery which queues and how many threads it has."""
    register("worker")
    queues = sorted(getattr(instance, "app").amqp.queues.consume_from)  # noqa: B009
    _stations.append(Station(queues, int(getattr(instance, "concurrency", 1) or 1)))


@worker_ready.connect
def start_alarm(**_: object) -> None:
    """Start the threads that wake others, and look at once for what is due."""
    threading.Thread(target=station().alarm.run, args=(station().wake,), name="alarm", daemon=True).start()
    wiring.dispatch().wake_here_first(station().wake_waiting)
    wiring.feed_signals().start()
    if HOUSEKEEPING in station().queues:
        listener = PostgresWorkNotifications(settings.SWITCHYARD.database_url)
        threading.Thread(
            target=listener.listen, args=(_ask, _ask_all, _ended), name="listener", daemon=True
        ).start()
    for queue in station().queues:
        station().alarm.expect(queue, 0.0)


@worker_shutting_down.connect
def end_alarm(**_: object) -> None:
    """Let the threads end."""
    _ended.set()
    wiring.feed_signals().end()
    if _stations:
        station().alarm.end()
        station().waiting.end()

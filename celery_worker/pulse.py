"""The pulse of a worker: every few seconds it says that it is alive and what it listens to."""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path

from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings
from django.db import DatabaseError, connection

from celery_worker.station import station
from migrations_app.adapters.pulses import PulseRows
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.unexpected_errors import UNEXPECTED

PULSE_SECONDS = 5.0

log = logging.getLogger(__name__)
_ended = threading.Event()


@worker_ready.connect
def start_pulse(sender: object = None, **_: object) -> None:
    """Start the thread that beats for this worker."""
    queues = sorted(getattr(getattr(sender, "task_consumer", None), "queues", []), key=str)
    names = [getattr(queue, "name", str(queue)) for queue in queues]
    name = f"worker:{getattr(sender, 'hostname', os.getpid())}"
    threading.Thread(target=_beat, args=(name, names, station().threads), name="pulse", daemon=True).start()


@worker_shutting_down.connect
def end_pulse(**_: object) -> None:
    """Let the thread say goodbye."""
    _ended.set()


def _beat(name: str, queues: list[str], threads: int) -> None:
    while not _ended.is_set():
        _touch(settings.SWITCHYARD.pulse_path)
        try:
            # Over a connection that is kept and not asked whether it lives: a pulse that fails shows that.
            PulseRows().beat(name, "worker", _details(queues, threads))
        except DatabaseError as error:
            log.warning("the database does not take the pulse: %s", error)
            connection.close()
        _ended.wait(PULSE_SECONDS)


def _details(queues: list[str], threads: int) -> JsonObject:
    return {
        "queues": [*queues],
        "pid": os.getpid(),
        "threads": threads,
        "unexpected_errors": UNEXPECTED.total(),
    }


def _touch(path: str) -> None:
    """Mark a file as of now for a probe of this process, also while the database is unavailable."""
    if path:
        try:
            Path(path).touch()
        except OSError as error:
            log.warning("SWITCHYARD_PULSE_PATH cannot be written: %s", error)

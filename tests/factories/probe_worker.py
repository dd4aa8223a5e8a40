"""The real worker with one more controller, whose every step leaves a row: for tests of faults.

Run as `celery -A tests.factories.probe_worker worker`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import cast

from celery.signals import task_postrun
from django.db import connection, transaction

from celery_worker.app import TICK
from celery_worker.app import app as app
from migrations_app import wiring
from migrations_app.engine.controller import Again, Budget, Controller, Done, Lease, Outcome, WorkClass

STEP_SECONDS = 0.1
TABLES = """
CREATE TABLE IF NOT EXISTS probe_key (key text PRIMARY KEY, steps int NOT NULL);
CREATE TABLE IF NOT EXISTS probe_step (
  key text, step int, epoch bigint NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (key, step)
);
CREATE TABLE IF NOT EXISTS probe_tick (at timestamptz NOT NULL DEFAULT clock_timestamp());
"""


class Probe:
    """Takes `steps` steps for each key, each committed with its lease confirmed."""

    queue = "housekeeping"

    def __init__(self, name: str, work_class: WorkClass, prefix: str) -> None:
        self.name, self.work_class, self._prefix = name, work_class, prefix

    def due(self) -> Iterable[str]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT key FROM probe_key WHERE starts_with(key, %s)"
                " AND steps > (SELECT count(*) FROM probe_step s WHERE s.key = probe_key.key)",
                [self._prefix],
            )
            return [row[0] for row in cursor.fetchall()]

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        while not budget.spent:
            time.sleep(STEP_SECONDS)
            with transaction.atomic(), connection.cursor() as cursor:
                wiring.leases().confirm(lease)
                cursor.execute("SELECT steps FROM probe_key WHERE key = %s", [key])
                (steps,) = cursor.fetchone() or (0,)
                cursor.execute("SELECT count(*) FROM probe_step WHERE key = %s", [key])
                (done,) = cursor.fetchone() or (0,)
                if done >= steps:
                    return Done()
                cursor.execute(
                    "INSERT INTO probe_step (key, step, epoch) VALUES (%s, %s, %s)",
                    [key, done + 1, lease.epoch],
                )
        return Again()


@task_postrun.connect
def _count_tick(task: object = None, **_: object) -> None:
    """Count the ticks: the system's own measure of how long something took."""
    if getattr(task, "name", "") == TICK:
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO probe_tick DEFAULT VALUES")


PROBES = [Probe("probe", WorkClass.UPKEEP, "k"), *(Probe(f"probe-{c}", c, f"{c}/") for c in WorkClass)]
cast(dict[str, Controller], wiring.controllers()).update({each.name: each for each in PROBES})

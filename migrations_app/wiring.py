"""The only place that plugs adapters into the engine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.conf import settings

from migrations_app.adapters.dispatch.celery import CeleryDispatch, producer
from migrations_app.adapters.housekeeping import Housekeeping
from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.adapters.outbox import OutboxProgress
from migrations_app.engine.controller import Controller
from migrations_app.kernel.clock import Clock, SystemClock
from migrations_app.ports.progress import Progress


def clock() -> Clock:
    """Give the clock."""
    return SystemClock()


@cache
def leases() -> PostgresLeases:
    """Give the leases on keys of work."""
    return PostgresLeases()


def progress() -> Progress:
    """Give the way to tell watchers."""
    return OutboxProgress()


@cache
def dispatch() -> CeleryDispatch:
    """Give the way to hint at work."""
    return CeleryDispatch(producer(settings.SWITCHYARD.redis_url), leases(), queue_of)


def queue_of(controller: str) -> str:
    """Name the queue of a controller; one that is unknown here goes where everything may run."""
    known = controllers().get(controller)
    return known.queue if known else "housekeeping"


@cache
def controllers() -> Mapping[str, Controller]:
    """Give every controller by its name; a room adds its own here."""
    every: tuple[Controller, ...] = (Housekeeping(leases()),)
    return {each.name: each for each in every}

"""Keys of work: their leases, and how workers are woken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from django.conf import settings

from migrations_app.adapters.dispatch.celery import CeleryDispatch, producer
from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.adapters.pulses import PulseRows
from migrations_app.engine.controller import Controller
from migrations_app.kernel.clock import Clock, SystemClock

_registered: list[Callable[[], Mapping[str, Controller]]] = []


def clock() -> Clock:
    """Give the clock."""
    return SystemClock()


@cache
def leases() -> PostgresLeases:
    """Give the leases on keys of work."""
    return PostgresLeases()


@cache
def dispatch() -> CeleryDispatch:
    """Give the way to wake workers."""
    return CeleryDispatch(
        producer(settings.SWITCHYARD.redis_url), leases(), registered_controllers, PulseRows().threads
    )


def register_controllers(every: Callable[[], Mapping[str, Controller]]) -> None:
    """Register what lists the controllers: they need the areas above this one, which wake keys by `dispatch`."""
    _registered[:] = [every]


def registered_controllers() -> Mapping[str, Controller]:
    """List the controllers by their names; the package registers them when it is imported."""
    (every,) = _registered
    return every()

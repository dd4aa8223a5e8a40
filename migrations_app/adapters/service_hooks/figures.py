"""How often service hooks are called in this process, how long they take and how they end, for `/metrics`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter

from prometheus_client import Histogram

from migrations_app.ports.services.service_hooks import HookName

SECONDS = Histogram(
    "switchyard_service_hook_seconds",
    "Calls of service hooks and how long they took, by how they ended: done, refused (by the hook, or by what it asked "
    "for), failed (any other error), late (beyond its time), not-called (too many hang).",
    ["kind", "service", "version", "type", "outcome"],
    buckets=(0.001, 0.005, 0.02, 0.1, 0.5, 1.0, 5.0),
)


class HookOutcome(StrEnum):
    """How the call of a hook ended."""

    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    LATE = "late"
    NOT_CALLED = "not-called"


@dataclass(slots=True)
class CountedCall:
    """A call that is being made; an error that nothing else is known of is a refusal."""

    outcome: HookOutcome = HookOutcome.REFUSED


@contextmanager
def counted(name: HookName) -> Iterator[CountedCall]:
    """Count the call of a hook that the block makes."""
    began, call = perf_counter(), CountedCall()
    try:
        yield call
    finally:
        labels = (name.kind, name.service, name.version, name.type, call.outcome.value)
        SECONDS.labels(*labels).observe(perf_counter() - began)

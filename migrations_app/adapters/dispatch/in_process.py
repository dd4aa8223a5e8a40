"""Work within this process, one key after the other, for tests and simulation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from migrations_app.domain.work_classes import WorkClass
from migrations_app.engine.controller import (
    Controller,
    QuarantinedKey,
    Ran,
    Terms,
    ensure_due,
    reconcile_taken,
)
from migrations_app.kernel.clock import Clock, SystemClock
from migrations_app.ports.locks import Leases, WokenKey, WorkPool


class InProcessDispatch:
    """Makes keys due; `run_until_quiet` reconciles until no key is due."""

    def __init__(self, leases: Leases) -> None:
        self.leases = leases

    def poke(self, controller: str, key: str) -> None:
        """Make the key due."""
        self.leases.wake(controller, key, work_class=WorkClass.UPKEEP)

    def poke_all(self, keys: Collection[WokenKey]) -> None:
        """Make many keys due."""
        self.leases.wake_all(keys)

    def run_until_quiet(
        self,
        controllers: Mapping[str, Controller],
        *,
        clock: Clock | None = None,
        terms: Terms | None = None,
        steps: int = 10_000,
        watch: Callable[[str, str, Ran], None] | None = None,
    ) -> int:
        """Take the next key and reconcile it until nothing is due, and tell how many slices that took.

        Raises: RuntimeError after `steps` slices, for work that never ends.
        """
        clock, terms = clock or SystemClock(), terms or Terms()
        pool = WorkPool("in-process", tuple(controllers))
        for step in range(steps):
            taken = self.leases.take_next(pool, holder="in-process", lease_seconds=terms.lease_seconds)
            if taken is None:
                for controller in controllers.values():
                    ensure_due(controller, self.leases)
                taken = self.leases.take_next(pool, holder="in-process", lease_seconds=terms.lease_seconds)
            if taken is None:
                return step
            name, key = taken.lease.controller, taken.lease.key
            ran = reconcile_taken(
                controllers[name], taken.lease, leases=self.leases, clock=clock, terms=terms
            )
            if watch:
                watch(name, key, ran)
            if (
                ran.error is not None
                and isinstance(ran.outcome, QuarantinedKey)
                and ran.outcome.code == "unexpected"
            ):
                raise ran.error
        raise RuntimeError(f"work did not come to an end within {steps} slices")

"""Hints within this process: keys wait in a list until somebody works them off, for tests and simulation."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from migrations_app.engine.controller import Controller, Parked, Ran, Terms, reconcile, sweep
from migrations_app.kernel.clock import Clock, SystemClock
from migrations_app.ports.locks import Leases


class InProcessDispatch:
    """Collects hints; `run_until_quiet` reconciles until no key is due."""

    def __init__(self, leases: Leases) -> None:
        self.leases = leases
        self.hints: deque[tuple[str, str]] = deque()

    def poke(self, controller: str, key: str) -> None:
        """Make the key due and remember the hint."""
        self.leases.wake(controller, key)
        self.hints.append((controller, key))

    def run_until_quiet(
        self,
        controllers: Mapping[str, Controller],
        *,
        clock: Clock | None = None,
        terms: Terms | None = None,
        steps: int = 10_000,
        watch: Callable[[str, str, Ran], None] | None = None,
    ) -> int:
        """Sweep and reconcile until nothing is due, and tell how many slices that took.

        Raises: RuntimeError after `steps` slices, for work that never ends.
        """
        clock, terms = clock or SystemClock(), terms or Terms()
        for step in range(steps):
            if not self.hints:
                sweep(controllers, self.leases, lambda c, k: self.hints.append((c, k)), quiet_seconds=0.0)
            if not self.hints:
                return step
            name, key = self.hints.popleft()
            ran = reconcile(
                controllers[name], key, leases=self.leases, clock=clock, holder="in-process", terms=terms
            )
            if watch:
                watch(name, key, ran)
            if ran.error is not None and isinstance(ran.outcome, Parked) and ran.outcome.code == "unexpected":
                raise ran.error
        raise RuntimeError(f"work did not come to an end within {steps} slices")

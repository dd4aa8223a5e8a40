"""The controllers that take rollouts on: each wave or phase after the one before, nothing after a failure."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.control.rollouts import repository as rollouts
from migrations_app.control.rollouts.definition_rows import (
    advance_definition_rollout,
    locked_definition_rollout,
    running_definition_rollouts,
)
from migrations_app.domain.switch.rollout import RolloutState
from migrations_app.engine.controller import Again, Budget, Done, Lease, Outcome, WorkClass


class RolloutKeeping:
    """One key for each rollout that runs."""

    name = "rollouts"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases) -> None:
        self._leases = leases

    def due(self) -> Iterable[str]:
        """List the rollouts that run."""
        return rollouts.running()

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Take a rollout one step on.

        Once: the step commits whole, with the lease; an upgrade that began already is not begun again.
        """
        with transaction.atomic():
            self._leases.confirm(lease)
            row = rollouts.locked_rollout(key)
            if row.state != RolloutState.RUNNING.value:
                return Done()
            wait = rollouts.advance(row)
        return Done() if wait is None else Again(wait)


class DefinitionRollouts:
    """One key for each definition that changes in phases."""

    name = "definition-rollouts"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases) -> None:
        self._leases = leases

    def due(self) -> Iterable[str]:
        """List the rollouts that run."""
        return running_definition_rollouts()

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Apply the next definition if nothing stands against it.

        Once: the step commits whole, with the lease; a definition that was applied is not applied again.
        """
        with transaction.atomic():
            self._leases.confirm(lease)
            row = locked_definition_rollout(key)
            if row.state != RolloutState.RUNNING.value:
                return Done()
            wait = advance_definition_rollout(row)
        return Done() if wait is None else Again(wait)

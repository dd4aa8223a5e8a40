"""Keeps the logs of the data plane no longer than their settings say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrations_app.control.resource_logs.repository import retention_by_database
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, WorkClass
from migrations_app.ports.logs.activity import ActivityLog
from migrations_app.ports.logs.conversion_records import ConversionRecords
from migrations_app.ports.logs.resource_changes import ResourceChangeLog

BATCH = 5_000
EVERY_SECONDS = 300.0
CONVERSION_DAYS = 7.0
LOGS = "logs"


class LogRetention:
    """Deletes entries that are older than a deployment keeps them, in batches."""

    name = "log-retention"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(
        self, changes: ResourceChangeLog, activity: ActivityLog, conversions: ConversionRecords
    ) -> None:
        self._changes, self._activity, self._conversions = changes, activity, conversions

    def due(self) -> Iterable[str]:
        """List the one chore."""
        return (LOGS,)

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Delete until nothing is too old or the budget is spent.

        Once: what is older is older in every process, and deleting may be repeated.
        """
        for count in self._deleted():
            if count >= BATCH and budget.spent:
                return Again()
        return Again(EVERY_SECONDS)

    def _deleted(self) -> Iterator[int]:
        for database, kept in retention_by_database().items():
            for log, days in (
                (self._changes, {each.deployment: float(each.change_days) for each in kept}),
                (self._activity, {each.deployment: float(each.activity_days) for each in kept}),
                (self._conversions, {each.deployment: CONVERSION_DAYS for each in kept}),
            ):
                count = BATCH
                while count >= BATCH:
                    count = log.forget(database, days, BATCH)
                    yield count

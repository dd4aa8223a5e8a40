"""The controller that compares two versions for the caller that asked for it as an operation."""

from __future__ import annotations

import time
from collections.abc import Iterable
from urllib.parse import urlencode

from migrations_app.control.operations.repository.operations import end_operation, report_progress
from migrations_app.control.schemas.repository.reports import current_report
from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.compatibility.statuses import OutcomePolicy, Strategy
from migrations_app.domain.operations import OperationState
from migrations_app.engine.controller import Budget, Done, Lease, Outcome, WorkClass
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.models.operations import Operation

KIND = "compatibility.run"
TELL_SECONDS = 0.25


class CompatibilityRuns:
    """One key for each operation that still runs."""

    name = "compatibility"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def due(self) -> Iterable[str]:
        """List the operations that wait for their report."""
        running = Operation.objects.filter(kind=KIND, state=OperationState.RUNNING.value)
        return [str(key) for key in running.values_list("pk", flat=True)]

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Compare the versions that were asked about, and end the operation with what came of it.

        Once: an operation ends once; a worker that is killed leaves it running, and the next compares again.
        """
        row = Operation.objects.filter(pk=key, state=OperationState.RUNNING.value).first()
        if row is None:
            return Done()
        try:
            report = _compared(row)
        except SwitchyardError as error:
            end_operation(key, error.message, failed=True, code=error.code)
            return Done()
        told: JsonObject = {name: report[name] for name in ("verdict", "to_accept", "counts")}
        told["report"] = _address(row)
        end_operation(key, str(report["sentence"]), failed=False, more=told)
        return Done()


def _compared(row: Operation) -> JsonObject:
    asked, compared, told_at = row.progress["asked"], 0, time.monotonic()

    def watch(path: str) -> None:
        nonlocal compared, told_at
        compared += 1
        if time.monotonic() - told_at >= TELL_SECONDS:
            told_at = time.monotonic()
            report_progress(str(row.pk), {"asked": asked, "compared": compared, "last": path})

    policy = OutcomePolicy.LOSS_OK if asked["policy"] == "loss-ok" else OutcomePolicy.NO_LOSS
    setting = Setting(Strategy(asked["client"]), Strategy(asked["server"]), policy)
    report = current_report(row.target, asked["before"], asked["after"], setting, watch)
    report_progress(str(row.pk), {"asked": asked, "compared": compared, "last": ""})
    return report


def _address(row: Operation) -> str:
    return f"/api/v1/services/{row.target}/compatibility?{urlencode(row.progress['asked'])}"

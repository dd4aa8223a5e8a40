"""Operations as the API and the live stream show them."""

from __future__ import annotations

import logging

from django.db.models import F
from django.utils import timezone

from migrations_app.control.events.outbox import publish
from migrations_app.domain.audit_actions import action_title, kind_title
from migrations_app.domain.operations import OPERATION, OperationEvent, OperationState
from migrations_app.kernel.json import JsonObject
from migrations_app.models.operations import Operation

log = logging.getLogger(__name__)


def operation_as_json(row: Operation) -> JsonObject:
    """Give an operation as it is shown."""
    return {
        "id": str(row.pk),
        "rev": row.rev,
        "kind": row.kind,
        "kind_title": action_title(row.kind),
        "target_kind": row.target_kind,
        "target_kind_title": kind_title(row.target_kind),
        "target": row.target,
        "state": row.state,
        "requested_by": row.requested_by,
        "request_id": row.request_id,
        "progress": row.progress,
        "result": row.result,
        "error": row.error,
        "created_at": row.created_at.isoformat(),
        "finished_at": row.finished_at.isoformat() if row.finished_at else None,
    }


def report_progress(operation: str, progress: JsonObject) -> None:
    """Say how far a running operation is, and tell watchers; one that has ended stays as it ended."""
    changed = Operation.objects.filter(pk=operation, state=OperationState.RUNNING.value).update(
        progress=progress, rev=F("rev") + 1, updated_at=timezone.now()
    )
    if changed:
        publish_operation(Operation.objects.get(pk=operation))


def end_operation(
    operation: str, sentence: str, *, failed: bool, code: str = "undone", more: JsonObject | None = None
) -> None:
    """End a running operation with the sentence that tells how, and tell watchers; `more` goes with a good end."""
    told: JsonObject = {"code": code, "detail": sentence, "remedy": ""}
    done: JsonObject = {"sentence": sentence, **(more or {})}
    changed = Operation.objects.filter(pk=operation, state=OperationState.RUNNING.value).update(
        state=OPERATION.after(
            OperationState.RUNNING, OperationEvent.FAIL if failed else OperationEvent.FINISH
        ).value,
        result=None if failed else done,
        error=told if failed else None,
        finished_at=timezone.now(),
        updated_at=timezone.now(),
        rev=F("rev") + 1,
    )
    if changed:
        row = Operation.objects.get(pk=operation)
        log.info("operation %s of request %s ended %s: %s", row.pk, row.request_id, row.state, sentence)
        publish_operation(row)


def publish_operation(row: Operation) -> None:
    """Tell watchers how an operation stands, those of them who may read where its target is."""
    place = (row.service, row.region)
    publish("operations", "operation", str(row.pk), full=operation_as_json(row), rev=row.rev, places=[place])

"""Begin, report and end long operations, which whoever asked can follow."""

from __future__ import annotations

import logging
import uuid

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from migrations_app.adapters.repositories.operations import (
    operation_as_json,
    publish_operation,
    report_progress,
)
from migrations_app.domain.access import Actor, Target
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.models.operations import Operation

log = logging.getLogger(__name__)


def begin_operation(
    actor: Actor, kind: str, target: Target, progress: JsonObject | None = None
) -> JsonObject:
    """Begin an operation with the caller's transaction."""
    row = Operation.objects.create(
        kind=kind,
        target_kind=target.kind,
        target=target.id,
        service=target.service,
        region=target.region,
        requested_by=actor.name,
        request_id=actor.request_id[:64],
        progress=progress or {},
    )
    log.info("%s of %s began as operation %s of request %s", kind, target, row.pk, row.request_id)
    return _tell(row)


def report_operation(operation: uuid.UUID | str, progress: JsonObject) -> None:
    """Say how far a running operation is; one that has ended stays as it ended."""
    report_progress(str(operation), progress)


def finish_operation(operation: uuid.UUID | str, result: JsonObject | None = None) -> None:
    """End an operation well."""
    _change(operation, state="done", result=result, finished_at=timezone.now())


def fail_operation(operation: uuid.UUID | str, error: SwitchyardError) -> None:
    """End an operation with an error."""
    told: JsonObject = {"code": error.code, "detail": error.message, "remedy": error.remedy}
    _change(operation, state="failed", error=told, finished_at=timezone.now())


def _change(operation: uuid.UUID | str, **values: object) -> None:
    with transaction.atomic():
        changed = Operation.objects.filter(pk=operation, state="running").update(
            **values, rev=F("rev") + 1, updated_at=timezone.now()
        )
        if changed:
            _tell(Operation.objects.get(pk=operation))


def _tell(row: Operation) -> JsonObject:
    publish_operation(row)
    return operation_as_json(row)

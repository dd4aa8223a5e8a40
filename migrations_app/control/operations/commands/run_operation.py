"""Begin a long operation, which the caller can follow."""

from __future__ import annotations

import logging

from migrations_app.control.operations.repository.operations import operation_as_json, publish_operation
from migrations_app.domain.access import Actor, Target
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
    publish_operation(row)
    return operation_as_json(row)

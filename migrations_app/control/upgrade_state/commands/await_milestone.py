"""Wait for an upgrade by an operation that ends when it has come so far."""

from __future__ import annotations

from django.db import transaction

from migrations_app.control.operations.commands.run_operation import begin_operation
from migrations_app.control.operations.repository.operations import operation_as_json
from migrations_app.control.upgrade_state.repository.upgrade_rows import locked, target_of
from migrations_app.control.upgrade_state.repository.waits import WAIT, end_waits, running_waits
from migrations_app.domain.access import Actor, require
from migrations_app.domain.switch.milestones import Milestone
from migrations_app.kernel.json import JsonObject
from migrations_app.models.operations import Operation


def await_milestone(actor: Actor, upgrade_id: str, milestone: Milestone) -> JsonObject:
    """Begin to wait, or give the operation of the same account that waits for the same already.

    Raises: Denied, Missing (`upgrade`).
    """
    with transaction.atomic():
        row = locked(upgrade_id)
        target, kind = target_of(row), f"{WAIT}{milestone}"
        require(actor, "upgrade.read", target)
        waiting = running_waits(row.id).filter(kind=kind, requested_by=actor.name).first()
        if waiting is not None:
            return operation_as_json(waiting)
        begun = begin_operation(actor, kind, target)
        end_waits(row)
    return operation_as_json(Operation.objects.get(pk=str(begun["id"])))

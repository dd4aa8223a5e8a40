"""Operations that wait for an upgrade: they end as soon as its state decides."""

from __future__ import annotations

from django.db.models import QuerySet

from migrations_app.control.operations.repository.operations import end_operation
from migrations_app.domain.operations import OperationState
from migrations_app.domain.switch.milestones import Milestone, is_out_of_reach, is_reached
from migrations_app.domain.switch.states import State
from migrations_app.models.operations import Operation
from migrations_app.models.upgrades import Upgrade

WAIT = "upgrade.wait-"
"""What the kinds of these operations begin with; the milestone follows."""


def running_waits(upgrade_id: str) -> QuerySet[Operation]:
    """Find the operations that still wait for an upgrade."""
    return Operation.objects.filter(
        kind__startswith=WAIT, target=upgrade_id, state=OperationState.RUNNING.value
    )


def end_waits(row: Upgrade) -> None:
    """End the operations that wait for what the state of an upgrade decides."""
    state = State(row.state)
    for operation in running_waits(row.id):
        milestone = Milestone(operation.kind.removeprefix(WAIT))
        if is_reached(milestone, state):
            end_operation(str(operation.pk), f"Upgrade {row.id} is {state}.", failed=False)
        elif is_out_of_reach(state):
            end_operation(
                str(operation.pk),
                f"Upgrade {row.id} is {state}: it does not come to {milestone} by itself.",
                failed=True,
                code="milestone-unreachable",
            )

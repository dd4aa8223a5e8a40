"""How every action on an upgrade begins: the row locked, the right decided, the state fit for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from migrations_app.control.audit.ledger import record
from migrations_app.control.operations.commands.run_operation import begin_operation
from migrations_app.control.operations.repository.operations import end_operation
from migrations_app.control.upgrade_state.repository.moves import write
from migrations_app.control.upgrade_state.repository.upgrade_rows import (
    DIRECTOR,
    expect_rev,
    locked,
    target_of,
)
from migrations_app.domain.access import Actor, require
from migrations_app.domain.switch.offers import BY_ACTION, wrong_state
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.tracing import trace_of_upgrade, tracer
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import DirectorRequest, TimelineEntry
from migrations_app.wiring import dispatch, leases


@contextmanager
def acting(actor: Actor, upgrade_id: str, action: str, rev: int | None) -> Iterator[Upgrade]:
    """Lend the locked row of an upgrade to an action that `actor` may take now.

    Raises: Missing, Denied, Stale (`upgrade-changed`), Conflict (`upgrade-state`).
    """
    attributes = {"switchyard.upgrade": upgrade_id, "switchyard.action": action}
    span = tracer().span(f"action {action}", attributes, link=trace_of_upgrade(upgrade_id))
    with span, transaction.atomic():
        row = locked(upgrade_id)
        require(actor, BY_ACTION[action].permission, target_of(row))
        expect_rev(row, rev)
        unfit = wrong_state(action, State(row.state), row.paused, row.downgrade_sync)
        if unfit:
            raise Conflict(
                unfit,
                code="upgrade-state",
                remedy=message("Look at the actions that are possible now."),
                state=row.state,
            )
        yield row


def refuse_when_closing(row: Upgrade) -> None:
    """Refuse requests for a rollback that is being closed.

    Raises: Conflict (`already-asked`).
    """
    if row.request == DirectorRequest.COMPLETE.value:
        raise Conflict(
            message(
                "{request_by} has asked to close the rollback window; it is under way.",
                request_by=row.request_by,
            ),
            code="already-asked",
            remedy=message("Plan a new upgrade to the other version."),
        )


def ask_director(row: Upgrade, actor: Actor, request: DirectorRequest, words: WordedMessage) -> None:
    """Leave a wish for the director on a locked upgrade, and wake it.

    Raises: Conflict (`already-asked`) when the very same was asked and is not done yet.
    """
    refuse_when_closing(row)
    if row.request == request.value:
        raise Conflict(
            message("{request_by} has asked for this already; it is under way.", request_by=row.request_by),
            code="already-asked",
            remedy=message("Wait for it."),
        )
    if row.operation:
        end_operation(row.operation, f"{actor.name} asked for something else.", failed=True)
    row.request, row.request_by = request.value, actor.person
    row.operation = str(begin_operation(actor, f"upgrade.{request.value}", target_of(row))["id"])
    record(actor, f"upgrade.{request.value}.request", target_of(row), "done", reason=words)
    write(row, actor, TimelineEntry(f"{request.value}-asked", words))
    # A person looked at it: a director that had stopped for a person must hear what the person wants.
    leases().wake(DIRECTOR, row.id, lift_quarantine=True)
    dispatch().poke(DIRECTOR, row.id)

"""The one place where an upgrade's row moves: the table's row, the story, the ledger and the live message."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.control.operations.repository.operations import end_operation
from migrations_app.control.upgrade_state.repository.snapshots import snapshot_of
from migrations_app.control.upgrade_state.repository.upgrade_rows import (
    DIRECTOR,
    add_line,
    close_request,
    target_of,
)
from migrations_app.control.upgrade_state.repository.waits import end_waits
from migrations_app.control.upgrade_state.repository.words import message_of
from migrations_app.domain.access import Actor
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.votes import RequestState
from migrations_app.domain.switch.plan import ROLLBACK_HOURS
from migrations_app.domain.switch.states import (
    FINAL,
    META_STAGES,
    STATE_SENTENCES,
    State,
    Transition,
    UpgradeEvent,
    transition,
)
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.wordings import sentence_as_json
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import RecordedTransition, Upgrade
from migrations_app.models.work import Work
from migrations_app.ports.upgrades import TimelineEntry

SHARDS = ("sync", "parity")
"""The controllers whose keys are the shards of an upgrade."""
UNDONE = frozenset({"refused", "writes-resumed", "outcome-unknown"})
"""Lines that tell that what was asked for did not happen."""


def move(row: Upgrade, event: UpgradeEvent, actor: Actor, line: TimelineEntry, **changes: Any) -> Transition:
    """Let `event` move a locked upgrade; everything that tells of it commits with it.

    Raises: Conflict (`upgrade-state`) when the table has no such row.
    """
    step = transition(State(row.state), event)
    before: JsonObject = {"state": row.state}
    now = timezone.now()
    row.state = step.target.value
    for name, value in changes.items():
        setattr(row, name, value)
    if step.event is UpgradeEvent.START:
        row.started_at = now
    if step.target in FINAL:
        row.finished_at, row.request = now, ""
    if step.event is UpgradeEvent.FLIP and step.target is State.REVERSIBLE:
        row.reversible_until = now + timedelta(hours=row.plan.get("rollback_hours", ROLLBACK_HOURS))
    who = row.request_by or actor.person
    RecordedTransition.objects.create(upgrade=row, letter=step.letter, state=row.state, at=now, who=who)
    record(actor, f"upgrade.{event.value}", target_of(row), "done", before, {"state": row.state}, line.words)
    _settle_approvals(row, step)
    _end_work(row, step)
    write(row, actor, line)
    end_waits(row)
    return step


def write(row: Upgrade, actor: Actor, line: TimelineEntry | None = None) -> None:
    """Save a changed upgrade under the next revision and tell watchers."""
    row.rev += 1
    if row.operation and not row.request:
        failed = line is not None and line.kind in UNDONE
        end_operation(row.operation, line.text if line else "", failed=failed)
        row.operation = ""
    row.save()
    if line is not None:
        add_line(row.id, actor.person, line)
    patch: JsonObject = {
        "rev": row.rev,
        "state": row.state,
        "paused": row.paused,
        "meta_stage": META_STAGES[State(row.state)],
        "request": row.request,
        **sentence_as_json(message_of(snapshot_of(row))),
    }
    publish(f"upgrade:{row.id}", "upgrade", row.id, patch=patch, rev=row.rev)
    cell: JsonObject = {"upgrade_id": row.id, "state": row.state, "target_version": row.to_version}
    publish("fleet", "cell", row.deployment, patch=cell, places=[(row.service, row.region)])


def _end_work(row: Upgrade, step: Transition) -> None:
    """Take away the keys of work that need not be done any more, and with them what they are quarantined for.

    An upgrade that has ended is held up by nothing; those who were told of a cause are told so.

    After a flip the shards are worked on in the other direction, under other keys; who still holds one of the old
    keys settles nothing.
    """
    ended = step.target in FINAL
    if not ended and step.event is not UpgradeEvent.FLIP:
        return
    keys = Q(controller__in=SHARDS, key__startswith=f"{row.id}/")
    if ended:
        keys |= Q(controller=DIRECTOR, key=row.id)
    Work.objects.filter(keys).delete()
    if ended:
        if row.blockage_episodes.filter(announced_at__isnull=False).exists():
            add_line(
                row.id, "", TimelineEntry("unblocked", message("It has ended; nothing holds it up any more."))
            )
        row.blockage_episodes.all().delete()


def _used(row: Upgrade, purpose: Purpose) -> WordedMessage:
    if purpose is Purpose.REVERT:
        return message("The rollback from {version} was done.", version=row.to_version)
    return message("The switch to {version} was done.", version=row.to_version)


def _settle_approvals(row: Upgrade, step: Transition) -> None:
    """A flip uses its approval up; an ended upgrade leaves none open."""
    still_open = ApprovalRequest.objects.filter(upgrade=row, closed_at__isnull=True)
    if step.event in (UpgradeEvent.FLIP, UpgradeEvent.RENEW):
        purpose = Purpose.REVERT if step.source is State.REVERTING else Purpose.SWITCH
        for request in still_open.filter(purpose=purpose.value):
            close_request(request, RequestState.USED, _used(row, purpose))
        row.emergencies.filter(purpose=purpose.value, used_at__isnull=True).update(used_at=timezone.now())
    if step.target in FINAL:
        for request in still_open:
            close_request(request, RequestState.VOID, STATE_SENTENCES[State(row.state)])

"""The sentence of state of an upgrade, written once for the console, the API, `swy` and the audit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from migrations_app.domain.approvals.standing import EMERGENCY
from migrations_app.domain.approvals.votes import RequestState
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.words import span, where
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, message


@dataclass(frozen=True, slots=True)
class Situation:
    """What the sentence speaks of; `blocked_by` is what keeps a ready upgrade from its switch."""

    service: str
    region: str
    from_version: str
    to_version: str
    state: State
    paused: bool = False
    ready: int = 0
    total: int = 16
    eta: tuple[float, float] | None = None
    eta_reason: WordedMessage = NOTHING
    approvals_needed: int = 0
    approvals_given: int = 0
    approval_state: str = "none"
    quarantined: int = 0
    automatic: bool = False
    blocked_by: WordedMessage = NOTHING
    requested: str = ""
    freeze_ms: float | None = None
    rollback_freeze_ms: float | None = None
    reversible_until: datetime | None = None
    halt_reason: str = ""
    handed_over_to: str = ""
    downgrade_sync: bool = True
    # Reverse replication was switched on after the switch.
    reverse_late: bool = False


SETTLED = (RequestState.APPROVED.value, EMERGENCY)
"""States of an approval that let a step go on: everybody agreed, or a person overrode approval by break-glass."""


def state_message(of: Situation) -> WordedMessage:
    """Say in one or two sentences where the upgrade is and what it waits for."""
    return _MESSAGES[of.state](of)


def _values(of: Situation) -> dict[str, str | int]:
    place = where(of.service, of.region)
    return {
        "place": place,
        "old": of.from_version,
        "new": of.to_version,
        "ready": of.ready,
        "total": of.total,
        "freeze": f"{of.freeze_ms or 0:.0f}",
    }


def _planned(of: Situation) -> WordedMessage:
    return message("{place} is planned to move from {old} to {new}; nothing was copied yet.", **_values(of))


def _syncing(of: Situation) -> WordedMessage:
    values = _values(of)
    if of.paused:
        return message("{place} is paused copying data for {new}: {ready} of {total} shards ready.", **values)
    if of.requested == "abort":
        return message("{place} is stopping the copy of data for {new}.", **values)
    if of.eta:
        copying = message(
            "{place} is copying data for {new}: {ready} of {total} shards ready, about {left} of copying left.",
            left=span(*of.eta),
            **values,
        )
    else:
        copying = message("{place} is copying data for {new}: {ready} of {total} shards ready.", **values)
        copying += of.eta_reason
    return copying + _needs(of)


def _needs(of: Situation) -> WordedMessage:
    open_votes = of.approvals_needed - of.approvals_given
    if of.approvals_needed and open_votes > 0 and of.approval_state != EMERGENCY:
        return counted(
            open_votes, "Switch will need {count} approval.", "Switch will need {count} approvals."
        )
    return message("Switch will follow by itself.") if of.automatic else NOTHING


def _ready(of: Situation) -> WordedMessage:
    values = _values(of)
    if of.paused:
        return message("{place} has all {total} shards caught up for {new} and is paused.", **values)
    if of.requested == "switch":
        return message("{place} has all {total} shards caught up for {new} and is about to switch.", **values)
    if of.quarantined:
        return counted(
            of.quarantined,
            "{place} has all {total} shards caught up for {new} but {count} resource could not be carried over:"
            " fix it, or exclude it.",
            "{place} has all {total} shards caught up for {new} but {count} resources could not be carried over:"
            " fix them, or exclude them.",
            **values,
        )
    return _votes(of) or _unhindered(of)


def _votes(of: Situation) -> WordedMessage:
    """Say what is missing of the votes; nothing where none is."""
    values = _values(of)
    if of.approval_state == RequestState.OPEN.value:
        return counted(
            of.approvals_needed,
            "{place} has all {total} shards caught up for {new} and waits for votes: {given} of {count} approval"
            " given.",
            "{place} has all {total} shards caught up for {new} and waits for votes: {given} of {count} approvals"
            " given.",
            given=of.approvals_given,
            **values,
        )
    if of.approval_state == RequestState.REJECTED.value:
        return message(
            "{place} has all {total} shards caught up for {new}; its switch was rejected.", **values
        )
    if of.approval_state == RequestState.CHANGES.value:
        return message(
            "{place} has all {total} shards caught up for {new}; an approver requested changes.", **values
        )
    if of.approvals_needed and of.approval_state not in SETTLED:
        return counted(
            of.approvals_needed,
            "{place} has all {total} shards caught up for {new}; {count} approval must be requested.",
            "{place} has all {total} shards caught up for {new}; {count} approvals must be requested.",
            **values,
        )
    return NOTHING


def _unhindered(of: Situation) -> WordedMessage:
    values, is_emergency = _values(of), of.approval_state == EMERGENCY
    if of.blocked_by:
        hindered = message(
            "{place} has all {total} shards caught up for {new} but cannot switch now:", **values
        )
        return hindered + of.blocked_by
    if of.automatic and is_emergency:
        return message(
            "{place} has all {total} shards caught up for {new} and switches by itself any moment without votes:"
            " approval was overridden (break-glass).",
            **values,
        )
    if of.automatic:
        return message(
            "{place} has all {total} shards caught up for {new} and switches by itself any moment.", **values
        )
    if is_emergency:
        return message(
            "{place} has all {total} shards caught up for {new} and may switch now without votes: approval was"
            " overridden (break-glass).",
            **values,
        )
    return message("{place} has all {total} shards caught up for {new} and may switch now.", **values)


def _switching(of: Situation) -> WordedMessage:
    return message("{place} is switching from {old} to {new}: writes pause for a moment.", **_values(of))


def _reversible(of: Situation) -> WordedMessage:
    values = _values(of)
    if of.freeze_ms is None:
        serves = message("{place} now serves {new}.", **values)
    else:
        serves = message("{place} now serves {new}; writes were paused for {freeze} ms.", **values)
    if of.reverse_late and of.ready < of.total:
        return serves + counted(
            of.total,
            "Resources are copied back to {old} for a rollback: {ready} of {count} shard caught up.",
            "Resources are copied back to {old} for a rollback: {ready} of {count} shards caught up.",
            **values,
        )
    return serves + _rollback(of)


def _rollback(of: Situation) -> WordedMessage:
    values = _values(of)
    if of.reversible_until is None:
        if of.downgrade_sync:
            return message("Rollback to {old} is possible.", **values)
        return message("Rollback to {old} is possible, to its data as of the switch.", **values)
    until = to_minute(of.reversible_until)
    if of.downgrade_sync:
        return message("Rollback to {old} is possible until {until_at}.", until_at=until, **values)
    return message(
        "Rollback to {old} is possible until {until_at}, to its data as of the switch.",
        until_at=until,
        **values,
    )


def _reverting(of: Situation) -> WordedMessage:
    return message("{place} is rolling back from {new} to {old}: writes pause for a moment.", **_values(of))


def _reverted(of: Situation) -> WordedMessage:
    values = _values(of) | {"freeze": f"{of.rollback_freeze_ms or 0:.0f}"}
    if not of.downgrade_sync and of.rollback_freeze_ms is None:
        done = message("{place} rolled back to {old} as it was at the switch.", **values)
    elif not of.downgrade_sync:
        done = message(
            "{place} rolled back to {old} as it was at the switch; writes were paused for {freeze} ms.",
            **values,
        )
    elif of.rollback_freeze_ms is None:
        done = message("{place} rolled back to {old}.", **values)
    else:
        done = message("{place} rolled back to {old}; writes were paused for {freeze} ms.", **values)
    if of.downgrade_sync:
        return done + message("What was written under {new} was kept.", **values)
    return done + message("What was written under {new} is not there.", **values)


def _completed(of: Situation) -> WordedMessage:
    return message("{place} moved from {old} to {new}; the rollback window is closed.", **_values(of))


def _aborted(of: Situation) -> WordedMessage:
    return message("{place} stays at {old}; the upgrade to {new} was aborted.", **_values(of))


def _halted(of: Situation) -> WordedMessage:
    if of.halt_reason:
        halted = message("{place} is halted: {reason}", reason=of.halt_reason, **_values(of))
    else:
        halted = message("{place} is halted.", **_values(of))
    return halted + message("A person must check it before it continues.")


def _handed_over(of: Situation) -> WordedMessage:
    if of.handed_over_to:
        return message(
            "{place} continues at {peer}: its upgrade to {new} was approved here, and is carried out there.",
            peer=of.handed_over_to,
            **_values(of),
        )
    return message(
        "{place} continues where its data are moved: its upgrade to {new} was approved here, and is carried out"
        " there.",
        **_values(of),
    )


_MESSAGES = {
    State.PLANNED: _planned,
    State.SYNCING: _syncing,
    State.READY: _ready,
    State.SWITCHING: _switching,
    State.REVERSIBLE: _reversible,
    State.REVERTING: _reverting,
    State.REVERTED: _reverted,
    State.COMPLETED: _completed,
    State.ABORTED: _aborted,
    State.HALTED: _halted,
    State.HANDED_OVER: _handed_over,
}

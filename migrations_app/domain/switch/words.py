"""The sentence of state of an upgrade, written once for the console, the API, `swy` and the audit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from migrations_app.domain.approvals.standing import EMERGENCY
from migrations_app.domain.approvals.votes import RequestState
from migrations_app.domain.switch.states import State


@dataclass(frozen=True, slots=True)
class Situation:
    """What the sentence speaks of."""

    service: str
    region: str
    from_version: str
    to_version: str
    state: State
    paused: bool = False
    ready: int = 0
    total: int = 16
    eta: tuple[float, float] | None = None
    eta_reason: str = ""
    approvals_needed: int = 0
    approvals_given: int = 0
    approval_state: str = "none"
    quarantined: int = 0
    automatic: bool = False
    blocked_by: str = ""
    requested: str = ""
    freeze_ms: float | None = None
    reversible_until: datetime | None = None
    halt_reason: str = ""
    handed_over_to: str = ""
    downgrade_sync: bool = True
    # Reverse replication was switched on after the switch.
    reverse_late: bool = False


SETTLED = (RequestState.APPROVED.value, EMERGENCY)
"""States of an approval that let a step go on: everybody agreed, or a person overrode approval by break-glass."""


def where(service: str, region: str) -> str:
    """Name a deployment as people do: `secrets @ eu-1`."""
    return f"{service.split('.', 1)[0]} @ {region}"


def span(low: float, high: float) -> str:
    """Write a range of seconds as people say it: `4–9 min`."""
    for limit, unit, size in ((90.0, "s", 1.0), (5400.0, "min", 60.0), (float("inf"), "h", 3600.0)):
        if high < limit:
            first, last = max(1, round(low / size)), max(1, round(high / size))
            return f"{first} {unit}" if first >= last else f"{first}–{last} {unit}"
    return ""


def count(number: int, noun: str) -> str:
    """Write a number with its noun: `1 approval`, `2 approvals`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def sentence(of: Situation) -> str:
    """Say in one or two sentences where the upgrade is and what it waits for."""
    return f"{where(of.service, of.region)} {_WORDS[of.state](of)}"


def _planned(of: Situation) -> str:
    return f"is planned to move from {of.from_version} to {of.to_version}; nothing was copied yet."


def _syncing(of: Situation) -> str:
    if of.paused:
        return f"is paused copying data for {of.to_version}: {of.ready} of {of.total} shards ready."
    if of.requested == "abort":
        return f"is stopping the copy of data for {of.to_version}."
    left = (
        f", about {span(*of.eta)} of copying left"
        if of.eta
        else (f" ({of.eta_reason})" if of.eta_reason else "")
    )
    copying = f"is copying data for {of.to_version}: {of.ready} of {of.total} shards ready{left}."
    return f"{copying} {_needs(of)}".rstrip()


def _needs(of: Situation) -> str:
    open_votes = of.approvals_needed - of.approvals_given
    if of.approvals_needed and open_votes > 0 and of.approval_state != EMERGENCY:
        return f"Switch will need {count(open_votes, 'approval')}."
    return "Switch will follow by itself." if of.automatic else ""


def _ready(of: Situation) -> str:
    level = f"has all {of.total} shards caught up for {of.to_version}"
    if of.paused:
        return f"{level} and is paused."
    if of.requested == "switch":
        return f"{level} and is about to switch."
    if of.quarantined:
        them = "it, or leave it" if of.quarantined == 1 else "them, or leave them"
        return (
            f"{level} but {count(of.quarantined, 'resource')} could not be carried over: mend {them} behind."
        )
    if of.approval_state == RequestState.OPEN.value:
        needed = count(of.approvals_needed, "approval")
        return f"{level} and waits for votes: {of.approvals_given} of {needed} given."
    if of.approval_state == RequestState.REJECTED.value:
        return f"{level}; its switch was rejected."
    if of.approvals_needed and of.approval_state not in SETTLED:
        return f"{level}; {count(of.approvals_needed, 'approval')} must be requested."
    if of.blocked_by:
        return f"{level} but cannot switch now: {of.blocked_by}"
    how = " without votes: approval was overridden (break-glass)" if of.approval_state == EMERGENCY else ""
    return f"{level} and {'switches by itself any moment' if of.automatic else 'may switch now'}{how}."


def _switching(of: Situation) -> str:
    return f"is switching from {of.from_version} to {of.to_version}: writes pause for a moment."


def _reversible(of: Situation) -> str:
    froze = "" if of.freeze_ms is None else f", frozen for {of.freeze_ms:.0f} ms"
    until = f" until {of.reversible_until:%Y-%m-%d %H:%M} UTC" if of.reversible_until else ""
    if of.reverse_late and of.ready < of.total:
        copied = f"{of.ready} of {count(of.total, 'shard')} caught up"
        return f"serves {of.to_version}{froze}; {of.from_version} is brought in step again for a rollback: {copied}."
    price = "" if of.downgrade_sync else ", to its data as of the switch"
    return f"serves {of.to_version}{froze}; rollback to {of.from_version} is possible{until}{price}."


def _reverting(of: Situation) -> str:
    return f"is rolling back from {of.to_version} to {of.from_version}: writes pause for a moment."


def _reverted(of: Situation) -> str:
    froze = "" if of.freeze_ms is None else f", frozen for {of.freeze_ms:.0f} ms"
    if not of.downgrade_sync:
        lost = f"what was written under {of.to_version} is not there"
        return f"rolled back to {of.from_version} as it was at the switch{froze}; {lost}."
    return f"rolled back to {of.from_version}{froze}; what was written under {of.to_version} was kept."


def _completed(of: Situation) -> str:
    return f"moved from {of.from_version} to {of.to_version}; the rollback window is closed."


def _aborted(of: Situation) -> str:
    return f"stays at {of.from_version}; the upgrade to {of.to_version} was aborted."


def _halted(of: Situation) -> str:
    reason = f": {of.halt_reason}" if of.halt_reason else "."
    return f"is halted{reason} A person must look before it goes on."


def _handed_over(of: Situation) -> str:
    place = f"at {of.handed_over_to}" if of.handed_over_to else "where its data are moved"
    return f"goes on {place}: its upgrade to {of.to_version} was approved here, and is carried out there."


_WORDS = {
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

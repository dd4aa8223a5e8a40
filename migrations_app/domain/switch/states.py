"""The states of an upgrade and the one lettered table of how it may move between them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrations_app.kernel.errors import Conflict


class State(StrEnum):
    """Where an upgrade is in its life."""

    PLANNED = "PLANNED"
    SYNCING = "SYNCING"
    READY = "READY"
    SWITCHING = "SWITCHING"
    REVERSIBLE = "REVERSIBLE"
    COMPLETED = "COMPLETED"
    ABORTED = "ABORTED"
    REVERTING = "REVERTING"
    REVERTED = "REVERTED"
    HALTED = "HALTED"


class ShardState(StrEnum):
    """What one shard reports (seed 000, NotifyShardsUpgradeReadiness); `unknown` is shown for one that does not."""

    PENDING = "pending"
    SYNCING = "syncing"
    READY = "ready"
    SWITCHING = "switching"
    SWITCHED = "switched"
    REGRESSED = "regressed"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Event(StrEnum):
    """What moves an upgrade."""

    START = "start"
    LEVEL = "level"
    REGRESS = "regress"
    FREEZE = "freeze"
    FLIP = "flip"
    THAW = "thaw"
    ABORT = "abort"
    REVERT = "revert"
    COMPLETE = "complete"
    RENEW = "renew"
    DOUBT = "doubt"
    SETTLE_OLD = "settle-old"
    SETTLE_NEW = "settle-new"


@dataclass(frozen=True, slots=True)
class Transition:
    """One row of the table: `letter` is its stable name in the audit, tests and diagram."""

    letter: str
    source: State
    event: Event
    target: State
    meaning: str


TRANSITIONS: tuple[Transition, ...] = (
    Transition("A", State.PLANNED, Event.START, State.SYNCING, "a person or automation starts the copy"),
    Transition("B", State.PLANNED, Event.ABORT, State.ABORTED, "the plan is dropped; nothing was copied"),
    Transition("C", State.SYNCING, Event.LEVEL, State.READY, "every shard is level and following"),
    Transition("D", State.READY, Event.REGRESS, State.SYNCING, "a shard fell behind again"),
    Transition("E", State.SYNCING, Event.ABORT, State.ABORTED, "stopped while copying"),
    Transition("F", State.READY, Event.ABORT, State.ABORTED, "stopped at the gate"),
    Transition("G", State.READY, Event.FREEZE, State.SWITCHING, "the fence is frozen for the switch"),
    Transition("H", State.SWITCHING, Event.FLIP, State.REVERSIBLE, "the fence opened on the new version"),
    Transition("I", State.SWITCHING, Event.THAW, State.READY, "the fence opened on the old version again"),
    Transition("J", State.REVERSIBLE, Event.REVERT, State.REVERTING, "the way back was decided"),
    Transition("K", State.REVERTING, Event.FLIP, State.REVERTED, "the fence opened on the old version"),
    Transition("L", State.REVERTING, Event.THAW, State.REVERSIBLE, "the way back gave up; new still serves"),
    Transition("M", State.REVERSIBLE, Event.COMPLETE, State.COMPLETED, "the rollback window was closed"),
    Transition("N", State.SWITCHING, Event.DOUBT, State.HALTED, "it is not certain which version owns"),
    Transition("O", State.REVERTING, Event.DOUBT, State.HALTED, "it is not certain which version owns"),
    Transition("P", State.HALTED, Event.SETTLE_OLD, State.ABORTED, "a person found the old version owning"),
    Transition(
        "Q", State.HALTED, Event.SETTLE_NEW, State.REVERSIBLE, "a person found the new version owning"
    ),
    Transition(
        "R", State.SWITCHING, Event.ABORT, State.ABORTED, "the fence was thawed and the upgrade ended"
    ),
    Transition(
        "S", State.READY, Event.RENEW, State.COMPLETED, "the data in place are of the new data version"
    ),
)

FINAL = frozenset({State.COMPLETED, State.ABORTED, State.REVERTED})
LIVE = frozenset(State) - FINAL
"""States in which an upgrade holds its deployment: at most one such upgrade at a time."""

NEW_SERVES = frozenset({State.REVERSIBLE, State.REVERTING, State.COMPLETED})
"""States in which the target version is the active one."""

_TABLE = {(row.source, row.event): row for row in TRANSITIONS}

META_STAGES: dict[State, str] = {
    State.PLANNED: "",
    State.SYNCING: "INITIAL_SYNCING",
    State.READY: "READY",
    State.SWITCHING: "SWITCHING",
    State.REVERTING: "SWITCHING",
    State.HALTED: "SWITCHING",
    State.REVERSIBLE: "",
    State.COMPLETED: "",
    State.ABORTED: "",
    State.REVERTED: "",
}
"""The stage in the registry's `upgradeState` for each state; it is absent where this says nothing."""


def transition(state: State, event: Event) -> Transition:
    """Find the row that `event` takes from `state`.

    Raises: Conflict (`upgrade-state`) when the table has none; the message says what is possible.
    """
    row = _TABLE.get((state, event))
    if row is None:
        possible = ", ".join(each.event.value for each in TRANSITIONS if each.source is state) or "nothing"
        raise Conflict(
            f"An upgrade in state {state.value} cannot {event.value}.",
            code="upgrade-state",
            remedy=f"From {state.value} it can: {possible}.",
            state=state.value,
            event=event.value,
        )
    return row


def can(state: State, event: Event) -> bool:
    """Tell whether the table has a row for `event` in `state`."""
    return (state, event) in _TABLE


def mermaid() -> str:
    """Draw the table as a Mermaid state diagram, as docs/explanation/the-switch.md shows it."""
    lines = ["stateDiagram-v2", f"    [*] --> {State.PLANNED.value}"]
    lines += [
        f"    {row.source.value} --> {row.target.value}: {row.letter} {row.event.value}"
        for row in TRANSITIONS
    ]
    lines += [f"    {state.value} --> [*]" for state in State if state in FINAL]
    return "\n".join(lines)


def table() -> str:
    """Write the table in Markdown, as docs/explanation/the-switch.md shows it."""
    lines = ["| row | from | event | to | meaning |", "|---|---|---|---|---|"]
    lines += [
        f"| {row.letter} | {row.source.value} | {row.event.value} | {row.target.value} | {row.meaning} |"
        for row in TRANSITIONS
    ]
    return "\n".join(lines)

"""The states of an upgrade and the one lettered table of how it may move between them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from migrations_app.domain import state_machine
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.messages import WordedMessage, message


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
    HANDED_OVER = "HANDED_OVER"


STATE_SENTENCES: Mapping[State, WordedMessage] = {
    State.PLANNED: message("The upgrade is planned and has not started."),
    State.SYNCING: message("The upgrade is copying data."),
    State.READY: message("The upgrade is ready to switch."),
    State.SWITCHING: message("The upgrade is switching."),
    State.REVERSIBLE: message("The upgrade has switched, and its rollback window is open."),
    State.COMPLETED: message("The upgrade is complete."),
    State.ABORTED: message("The upgrade was aborted."),
    State.REVERTING: message("The upgrade is being rolled back."),
    State.REVERTED: message("The upgrade was rolled back."),
    State.HALTED: message("The upgrade is halted."),
    State.HANDED_OVER: message("The upgrade was handed over."),
}
"""Each state as a sentence for people."""


STATE_WORDS: Mapping[State, str] = {
    State.PLANNED: "Planned",
    State.SYNCING: "Syncing",
    State.READY: "Ready to switch",
    State.SWITCHING: "Switching",
    State.REVERSIBLE: "Rollback open",
    State.COMPLETED: "Completed",
    State.ABORTED: "Aborted",
    State.REVERTING: "Rolling back",
    State.REVERTED: "Rolled back",
    State.HALTED: "Halted",
    State.HANDED_OVER: "Handed over",
}
"""Each state as a word for people."""


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


class UpgradeEvent(StrEnum):
    """What moves an upgrade."""

    START = "start"
    CATCH_UP = "catch-up"
    REGRESS = "regress"
    FREEZE = "freeze"
    FLIP = "flip"
    RESUME = "resume"
    ABORT = "abort"
    REVERT = "revert"
    COMPLETE = "complete"
    RENEW = "renew"
    LOSE_TRACK = "lose-track"
    SETTLE_OLD = "settle-old"
    SETTLE_NEW = "settle-new"
    HAND_OVER = "hand-over"


Transition = state_machine.Transition[State, UpgradeEvent]

TRANSITIONS: tuple[Transition, ...] = (
    Transition(
        "A", State.PLANNED, UpgradeEvent.START, State.SYNCING, "a person or automation starts the copy"
    ),
    Transition(
        "B", State.PLANNED, UpgradeEvent.ABORT, State.ABORTED, "the plan is dropped; nothing was copied"
    ),
    Transition(
        "C", State.SYNCING, UpgradeEvent.CATCH_UP, State.READY, "every shard is caught up and follows"
    ),
    Transition("D", State.READY, UpgradeEvent.REGRESS, State.SYNCING, "a shard fell behind again"),
    Transition("E", State.SYNCING, UpgradeEvent.ABORT, State.ABORTED, "stopped while copying"),
    Transition("F", State.READY, UpgradeEvent.ABORT, State.ABORTED, "stopped while ready"),
    Transition("G", State.READY, UpgradeEvent.FREEZE, State.SWITCHING, "the fence is frozen for the switch"),
    Transition(
        "H", State.SWITCHING, UpgradeEvent.FLIP, State.REVERSIBLE, "the fence opened on the new version"
    ),
    Transition(
        "I", State.SWITCHING, UpgradeEvent.RESUME, State.READY, "the fence opened on the old version again"
    ),
    Transition("J", State.REVERSIBLE, UpgradeEvent.REVERT, State.REVERTING, "the rollback was decided"),
    Transition(
        "K", State.REVERTING, UpgradeEvent.FLIP, State.REVERTED, "the fence opened on the old version"
    ),
    Transition(
        "L", State.REVERTING, UpgradeEvent.RESUME, State.REVERSIBLE, "the rollback gave up; new still serves"
    ),
    Transition(
        "M", State.REVERSIBLE, UpgradeEvent.COMPLETE, State.COMPLETED, "the rollback window was closed"
    ),
    Transition(
        "N", State.SWITCHING, UpgradeEvent.LOSE_TRACK, State.HALTED, "it is not certain which version owns"
    ),
    Transition(
        "O", State.REVERTING, UpgradeEvent.LOSE_TRACK, State.HALTED, "it is not certain which version owns"
    ),
    Transition(
        "P", State.HALTED, UpgradeEvent.SETTLE_OLD, State.ABORTED, "a person found the old version owning"
    ),
    Transition(
        "Q", State.HALTED, UpgradeEvent.SETTLE_NEW, State.REVERSIBLE, "a person found the new version owning"
    ),
    Transition(
        "R", State.SWITCHING, UpgradeEvent.ABORT, State.ABORTED, "the fence was thawed and the upgrade ended"
    ),
    Transition(
        "S", State.READY, UpgradeEvent.RENEW, State.COMPLETED, "the data in place are of the new data version"
    ),
    Transition(
        "T", State.PLANNED, UpgradeEvent.HAND_OVER, State.HANDED_OVER, "it goes on where its data are moved"
    ),
)

UPGRADE = state_machine.StateMachine("An upgrade", State, (State.PLANNED,), TRANSITIONS)
FINAL = UPGRADE.final
LIVE = frozenset(State) - FINAL
"""States in which an upgrade holds its deployment: at most one such upgrade at a time."""

NEW_SERVES = frozenset({State.REVERSIBLE, State.REVERTING, State.COMPLETED})
"""States in which the target version is the active one."""

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
    State.HANDED_OVER: "",
}
"""The stage in the registry's `upgradeState` for each state; it is absent where this says nothing."""


def transition(state: State, event: UpgradeEvent) -> Transition:
    """Find the row that `event` takes from `state`.

    Raises: Conflict (`upgrade-state`) when the table has none.
    """
    row = UPGRADE.find(state, event)
    if row is None:
        raise Conflict(
            STATE_SENTENCES[state] + message("This action is not possible in that state."),
            code="upgrade-state",
            remedy=message("Its page and `swy upgrade show` list the actions that are possible now.")
            if UPGRADE.events(state)
            else message("No action is possible."),
            state=state.value,
            event=event.value,
        )
    return row


def can(state: State, event: UpgradeEvent) -> bool:
    """Tell whether the table has a row for `event` in `state`."""
    return UPGRADE.find(state, event) is not None


class ShardEvent(StrEnum):
    """What moves a shard between its reports."""

    BEGIN = "begin"
    CATCH_UP = "catch-up"
    FALL_BEHIND = "fall-behind"
    COPY_AGAIN = "copy-again"
    SWITCH = "switch"
    TURN = "turn"
    FAIL = "fail"


SHARD = state_machine.StateMachine(
    "A shard",
    ShardState,
    (ShardState.PENDING,),
    state_machine.lettered(
        [
            (ShardState.PENDING, ShardEvent.BEGIN, ShardState.SYNCING, "its resources are copied"),
            (ShardState.PENDING, ShardEvent.CATCH_UP, ShardState.READY, "it was caught up within one report"),
            (ShardState.PENDING, ShardEvent.SWITCH, ShardState.SWITCHED, "the same, after the switch"),
            (
                ShardState.PENDING,
                ShardEvent.FALL_BEHIND,
                ShardState.REGRESSED,
                "caught up and behind within one report",
            ),
            (ShardState.PENDING, ShardEvent.FAIL, ShardState.FAILED, "its work failed"),
            (ShardState.SYNCING, ShardEvent.CATCH_UP, ShardState.READY, "the copy is caught up"),
            (ShardState.SYNCING, ShardEvent.SWITCH, ShardState.SWITCHED, "the same, after the switch"),
            (
                ShardState.SYNCING,
                ShardEvent.FALL_BEHIND,
                ShardState.REGRESSED,
                "caught up and behind within one report",
            ),
            (ShardState.SYNCING, ShardEvent.TURN, ShardState.PENDING, "the switch turned the direction"),
            (ShardState.SYNCING, ShardEvent.FAIL, ShardState.FAILED, "its work failed"),
            (ShardState.READY, ShardEvent.FALL_BEHIND, ShardState.REGRESSED, "its lag grew"),
            (ShardState.READY, ShardEvent.COPY_AGAIN, ShardState.SYNCING, "it is copied again"),
            (
                ShardState.READY,
                ShardEvent.SWITCH,
                ShardState.SWITCHED,
                "the other version serves; it follows back",
            ),
            (ShardState.READY, ShardEvent.TURN, ShardState.PENDING, "the switch turned the direction"),
            (ShardState.READY, ShardEvent.FAIL, ShardState.FAILED, "its work failed"),
            (ShardState.REGRESSED, ShardEvent.CATCH_UP, ShardState.READY, "the copy is caught up again"),
            (ShardState.REGRESSED, ShardEvent.SWITCH, ShardState.SWITCHED, "the same, after the switch"),
            (
                ShardState.REGRESSED,
                ShardEvent.COPY_AGAIN,
                ShardState.SYNCING,
                "it is behind still, or copied again",
            ),
            (ShardState.REGRESSED, ShardEvent.TURN, ShardState.PENDING, "the switch turned the direction"),
            (ShardState.REGRESSED, ShardEvent.FAIL, ShardState.FAILED, "its work failed"),
            (ShardState.SWITCHED, ShardEvent.FALL_BEHIND, ShardState.REGRESSED, "its lag grew"),
            (ShardState.SWITCHED, ShardEvent.COPY_AGAIN, ShardState.SYNCING, "it is copied again"),
            (ShardState.SWITCHED, ShardEvent.FAIL, ShardState.FAILED, "its work failed"),
            (ShardState.FAILED, ShardEvent.BEGIN, ShardState.SYNCING, "its work goes on"),
            (
                ShardState.FAILED,
                ShardEvent.CATCH_UP,
                ShardState.READY,
                "its work goes on, and it is caught up",
            ),
            (ShardState.FAILED, ShardEvent.SWITCH, ShardState.SWITCHED, "the same, after the switch"),
            (ShardState.FAILED, ShardEvent.TURN, ShardState.PENDING, "its work begins again"),
        ]
    ),
)
"""What a shard reports. UNKNOWN is what is shown of one that reports no longer; SWITCHING is never reported."""

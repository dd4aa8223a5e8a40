"""How far a caller waits for an upgrade to come, and when it can come there no longer."""

from __future__ import annotations

from enum import StrEnum

from migrations_app.domain.switch.states import State

AFTER_SWITCH = frozenset({State.REVERSIBLE, State.COMPLETED})
OTHERWISE = frozenset({State.ABORTED, State.REVERTING, State.REVERTED, State.HALTED, State.HANDED_OVER})
"""States in which an upgrade comes to no milestone, or not before a person decided."""


class Milestone(StrEnum):
    """What is waited for."""

    READY = "ready"
    SWITCHED = "switched"
    COMPLETE = "complete"


_REACHED = {
    Milestone.READY: AFTER_SWITCH | {State.READY, State.SWITCHING},
    Milestone.SWITCHED: AFTER_SWITCH,
    Milestone.COMPLETE: frozenset({State.COMPLETED}),
}


def is_reached(milestone: Milestone, state: State) -> bool:
    """Tell whether an upgrade in this state has come to the milestone."""
    return state in _REACHED[milestone]


def is_out_of_reach(state: State) -> bool:
    """Tell whether waiting is in vain: the upgrade ended otherwise, rolls back, or waits for a person."""
    return state in OTHERWISE

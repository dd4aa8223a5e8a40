"""The states of a resource that could not be converted or applied."""

from __future__ import annotations

from enum import StrEnum

from migrations_app.domain.state_machine import StateMachine, lettered


class ParkedState(StrEnum):
    """What is to happen with a parked resource.

    HIDDEN: the old version cannot show it, as its conversion declares; that is no error on the way back.
    """

    PARKED = "parked"
    RETRY = "retry"
    WAIVED = "waived"
    HIDDEN = "hidden"


class ParkedEvent(StrEnum):
    """What happens to a parked resource; one that goes across is parked no longer."""

    FAIL = "fail"
    RETRY = "retry"
    WAIVE = "waive"


PARKED_RESOURCE = StateMachine(
    "A parked resource",
    ParkedState,
    (ParkedState.PARKED, ParkedState.HIDDEN),
    lettered(
        [
            (ParkedState.PARKED, ParkedEvent.FAIL, ParkedState.PARKED, "tried again at its time, in vain"),
            (ParkedState.PARKED, ParkedEvent.RETRY, ParkedState.RETRY, "a person has it tried again now"),
            (ParkedState.PARKED, ParkedEvent.WAIVE, ParkedState.WAIVED, "a person leaves it behind"),
            (ParkedState.RETRY, ParkedEvent.FAIL, ParkedState.PARKED, "tried again, in vain"),
            (ParkedState.RETRY, ParkedEvent.RETRY, ParkedState.RETRY, "a person asks once more"),
            (ParkedState.RETRY, ParkedEvent.WAIVE, ParkedState.WAIVED, "a person leaves it behind"),
            (ParkedState.WAIVED, ParkedEvent.FAIL, ParkedState.WAIVED, "its later changes do not go across"),
            (ParkedState.WAIVED, ParkedEvent.RETRY, ParkedState.RETRY, "a person wants it after all"),
            (ParkedState.WAIVED, ParkedEvent.WAIVE, ParkedState.WAIVED, "a person gives another reason"),
            (
                ParkedState.HIDDEN,
                ParkedEvent.FAIL,
                ParkedState.PARKED,
                "a later change of it could not go across",
            ),
        ]
    ),
)

"""The states of a resource that could not be converted or applied."""

from __future__ import annotations

from enum import StrEnum

from migrations_app.domain.state_machine import StateMachine, lettered


class QuarantineState(StrEnum):
    """What is to happen with a quarantined resource.

    HIDDEN: the old version cannot show it, as its conversion declares; that is no error on the rollback.
    """

    QUARANTINED = "quarantined"
    RETRY = "retry"
    WAIVED = "waived"
    HIDDEN = "hidden"


class QuarantineEvent(StrEnum):
    """What happens to a quarantined resource; one that goes across is quarantined no longer."""

    FAIL = "fail"
    RETRY = "retry"
    WAIVE = "waive"


QUARANTINED_RESOURCE = StateMachine(
    "A quarantined resource",
    QuarantineState,
    (QuarantineState.QUARANTINED, QuarantineState.HIDDEN),
    lettered(
        [
            (
                QuarantineState.QUARANTINED,
                QuarantineEvent.FAIL,
                QuarantineState.QUARANTINED,
                "tried again at its time, in vain",
            ),
            (
                QuarantineState.QUARANTINED,
                QuarantineEvent.RETRY,
                QuarantineState.RETRY,
                "a person has it tried again now",
            ),
            (
                QuarantineState.QUARANTINED,
                QuarantineEvent.WAIVE,
                QuarantineState.WAIVED,
                "a person leaves it behind",
            ),
            (
                QuarantineState.RETRY,
                QuarantineEvent.FAIL,
                QuarantineState.QUARANTINED,
                "tried again, in vain",
            ),
            (QuarantineState.RETRY, QuarantineEvent.RETRY, QuarantineState.RETRY, "a person asks once more"),
            (
                QuarantineState.RETRY,
                QuarantineEvent.WAIVE,
                QuarantineState.WAIVED,
                "a person leaves it behind",
            ),
            (
                QuarantineState.WAIVED,
                QuarantineEvent.FAIL,
                QuarantineState.WAIVED,
                "its later changes do not go across",
            ),
            (
                QuarantineState.WAIVED,
                QuarantineEvent.RETRY,
                QuarantineState.RETRY,
                "a person wants it after all",
            ),
            (
                QuarantineState.WAIVED,
                QuarantineEvent.WAIVE,
                QuarantineState.WAIVED,
                "a person gives another reason",
            ),
            (
                QuarantineState.HIDDEN,
                QuarantineEvent.FAIL,
                QuarantineState.QUARANTINED,
                "a later change of it could not go across",
            ),
        ]
    ),
)

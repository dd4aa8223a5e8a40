"""The states of a long operation."""

from __future__ import annotations

from enum import StrEnum

from migrations_app.domain.state_machine import StateMachine, lettered


class OperationState(StrEnum):
    """How a long operation stands."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class OperationEvent(StrEnum):
    """What ends an operation."""

    FINISH = "finish"
    FAIL = "fail"


OPERATION = StateMachine(
    "An operation",
    OperationState,
    (OperationState.RUNNING,),
    lettered(
        [
            (OperationState.RUNNING, OperationEvent.FINISH, OperationState.DONE, "it did what was asked for"),
            (OperationState.RUNNING, OperationEvent.FAIL, OperationState.FAILED, "it ended with an error"),
        ]
    ),
)

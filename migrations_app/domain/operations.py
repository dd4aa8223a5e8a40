"""The states of a long operation, and the answers that are kept for requests that may be repeated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from migrations_app.domain.state_machine import StateMachine, lettered
from migrations_app.kernel.json import Json


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


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """The right to work on the request with this key, until the transaction ends."""

    account: str
    key: str
    request_digest: str


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What was answered, and to which request."""

    request_digest: str
    status: int
    headers: Mapping[str, str]
    body: Json

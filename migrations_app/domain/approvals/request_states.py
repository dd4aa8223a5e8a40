"""The states of a request for approval."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from migrations_app.domain.state_machine import StateMachine, lettered
from migrations_app.kernel.messages import WordedMessage, message


class RequestState(StrEnum):
    """What became of a request."""

    OPEN = "OPEN"
    CHANGES = "CHANGES"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    EXPIRED = "EXPIRED"
    VOID = "VOID"
    USED = "USED"


REQUEST_SENTENCES: Mapping[RequestState, WordedMessage] = {
    RequestState.OPEN: message("The request is open."),
    RequestState.CHANGES: message("Changes were requested."),
    RequestState.APPROVED: message("The request is approved."),
    RequestState.REJECTED: message("The request was rejected."),
    RequestState.EXPIRED: message("The request has expired."),
    RequestState.VOID: message("The request is void."),
    RequestState.USED: message("The request was used."),
}
"""Each state as a sentence for people."""


class RequestEvent(StrEnum):
    """What moves a request."""

    APPROVE = "approve"
    REJECT = "reject"
    ASK_CHANGES = "ask-changes"
    ANSWER = "answer"
    LOSE_VOTES = "lose-votes"
    EXPIRE = "expire"
    USE = "use"
    END = "end"


_ANSWERED = "the plan was changed or the question answered: a new round begins"
_LOST = "the evidence changed, or a voter may vote no longer: those votes do not count"
_EMERGENCY = "the cutover ran under an emergency approval"
_ENDED = "the upgrade ended without it"
REQUEST = StateMachine(
    "A request for approval",
    RequestState,
    (RequestState.OPEN,),
    lettered(
        [
            (RequestState.OPEN, RequestEvent.APPROVE, RequestState.APPROVED, "the last vote that was needed"),
            (RequestState.OPEN, RequestEvent.REJECT, RequestState.REJECTED, "a voter rejects it"),
            (RequestState.OPEN, RequestEvent.ASK_CHANGES, RequestState.CHANGES, "a voter asks for changes"),
            (RequestState.OPEN, RequestEvent.EXPIRE, RequestState.EXPIRED, "its time ran out"),
            (RequestState.OPEN, RequestEvent.USE, RequestState.USED, _EMERGENCY),
            (RequestState.OPEN, RequestEvent.END, RequestState.VOID, _ENDED),
            (RequestState.CHANGES, RequestEvent.ANSWER, RequestState.OPEN, _ANSWERED),
            (RequestState.CHANGES, RequestEvent.LOSE_VOTES, RequestState.OPEN, _LOST),
            (RequestState.CHANGES, RequestEvent.EXPIRE, RequestState.EXPIRED, "its time ran out"),
            (RequestState.CHANGES, RequestEvent.USE, RequestState.USED, _EMERGENCY),
            (RequestState.CHANGES, RequestEvent.END, RequestState.VOID, _ENDED),
            (RequestState.APPROVED, RequestEvent.LOSE_VOTES, RequestState.OPEN, _LOST),
            (RequestState.APPROVED, RequestEvent.EXPIRE, RequestState.EXPIRED, "its time ran out"),
            (
                RequestState.APPROVED,
                RequestEvent.USE,
                RequestState.USED,
                "the cutover that it allowed was done",
            ),
            (RequestState.APPROVED, RequestEvent.END, RequestState.VOID, _ENDED),
            (
                RequestState.EXPIRED,
                RequestEvent.USE,
                RequestState.USED,
                "the cutover that it allowed began before its time ran out",
            ),
            (RequestState.EXPIRED, RequestEvent.END, RequestState.VOID, _ENDED),
        ]
    ),
)
SETTLED = REQUEST.final | {RequestState.EXPIRED}
"""States in which no vote is taken any more."""

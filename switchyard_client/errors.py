"""What can go wrong, by what to do next.

ClientError
├── Unreachable            no answer; the request may have been carried out
│   └── TimedOut           no answer in time
├── AnswerUnreadable       an answer that is not what the contract says
├── OperationFailed        a long operation ended in a failure
├── WaitTimedOut           what was waited for goes on
└── ApiError               a refusal, with code, place and remedy
    ├── InvalidRequest     400, 405, 406, 413, 415, 422: send something else
    ├── Unauthenticated    401: sign in
    ├── PermissionDenied   403: `who_can` names who may
    ├── NotFound           404, 410
    ├── Conflict           409: the present state forbids it
    ├── PreconditionFailed 412, 428: read it again
    ├── TooManyRequests    429: later
    └── ServerError        5xx
        └── Unavailable    503: later
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class ClientError(Exception):
    """Anything that this package raises."""


class Unreachable(ClientError):
    """There is no answer; whether the request was carried out is unknown."""


class TimedOut(Unreachable):
    """There is no answer in time; whether the request was carried out is unknown."""


class AnswerUnreadable(ClientError):
    """An answer is not what the contract says."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class WaitTimedOut(ClientError):
    """The time to wait is over; what was waited for goes on."""

    def __init__(self, operation_id: str, seconds: float) -> None:
        super().__init__(f"Operation {operation_id} has not ended after {seconds:.0f} s; it goes on.")
        self.operation_id = operation_id


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong in a request, and where."""

    path: str
    message: str


class _Described:
    """The fields of a problem document."""

    body: Mapping[str, Any]

    @property
    def code(self) -> str:
        """Give the stable code, as docs/reference/errors.md lists it."""
        # The registry's own API says its code as `reason`: `code` is a number there.
        code = self.body.get("code")
        return str(code if isinstance(code, str) and code else self.body.get("reason") or "")

    @property
    def detail(self) -> str:
        """Say what is wrong, in a sentence."""
        return str(self.body.get("detail") or self.body.get("title") or self.body.get("message") or "")

    @property
    def remedy(self) -> str:
        """Say what to do about it; empty where there is nothing to say."""
        return str(self.body.get("remedy") or "")

    @property
    def violations(self) -> tuple[Violation, ...]:
        """List what is wrong in the request, each with its place."""
        listed = self.body.get("errors") or ()
        return tuple(Violation(str(each.get("path", "")), str(each.get("message", ""))) for each in listed)

    @property
    def upgrade_id(self) -> str:
        """Name the upgrade that stands in the way; empty where none does."""
        return str(self.body.get("upgrade_id") or "")


def _sentence(described: _Described, otherwise: str) -> str:
    detail = described.detail or otherwise
    return detail if described.remedy in detail else f"{detail} {described.remedy}"


class OperationFailed(_Described, ClientError):
    """A long operation ended in a failure."""

    def __init__(self, operation_id: str, body: Mapping[str, Any]) -> None:
        self.body = body
        self.operation_id = operation_id
        super().__init__(_sentence(self, f"Operation {operation_id} failed."))


class ApiError(_Described, ClientError):
    """A refusal."""

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status, self.body, self.headers = status, body, headers
        super().__init__(_sentence(self, f"The console answered {status}."))

    @property
    def request_id(self) -> str:
        """Name the request, for a look into the logs."""
        return str(self.headers.get("x-request-id") or self.body.get("request_id") or "")

    @property
    def who_can(self) -> tuple[str, ...]:
        """Name who may do it."""
        return tuple(map(str, self.body.get("who_can") or ()))


class InvalidRequest(ApiError):
    """The request is wrong: send something else."""


class Unauthenticated(ApiError):
    """The caller is not signed in: the token is missing, wrong or over."""


class PermissionDenied(ApiError):
    """The account may not do this."""


class NotFound(ApiError):
    """There is no such thing, or it is gone."""


class Conflict(ApiError):
    """The present state forbids it."""


class PreconditionFailed(ApiError):
    """It was changed meanwhile: read it again."""


class TooManyRequests(ApiError):
    """Too many requests: later."""


class ServerError(ApiError):
    """Something is broken there."""


class Unavailable(ServerError):
    """Not just now: later."""


BY_STATUS: Mapping[int, type[ApiError]] = {
    401: Unauthenticated,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    410: NotFound,
    412: PreconditionFailed,
    428: PreconditionFailed,
    429: TooManyRequests,
    503: Unavailable,
}


def api_error(status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> ApiError:
    """Make the error of an answer."""
    kind = BY_STATUS.get(status) or (ServerError if status >= 500 else InvalidRequest)
    return kind(status, body, headers)

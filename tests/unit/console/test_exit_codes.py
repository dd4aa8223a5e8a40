"""What `swy` exits with, code by code."""

from __future__ import annotations

import httpx
import pytest

from console.cli.client import ConsoleClient, ConsoleCredentials, ConsoleProblem
from console.cli.command_table import help_text
from console.cli.exit_codes import (
    CONFLICT,
    DENIED,
    DIFFERS,
    EXIT_CODES,
    FAILED,
    NEEDS_APPROVAL,
    NOT_FOUND,
    OK,
    REFUSED,
    TIMED_OUT,
    USAGE,
)


def test_the_codes_are_those_that_scripts_rely_on() -> None:
    assert (OK, FAILED, DIFFERS, DENIED, NEEDS_APPROVAL, TIMED_OUT, CONFLICT) == (0, 1, 2, 3, 4, 5, 6)
    assert (NOT_FOUND, REFUSED, USAGE) == (7, 8, 64)


def test_every_code_is_in_the_help() -> None:
    shown = help_text().partition("Exit codes:\n")[2].splitlines()
    assert [line.split()[0] for line in shown] == [str(code) for code in EXIT_CODES]
    assert list(EXIT_CODES) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 64]


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (400, {"code": "filter"}, REFUSED),
        (404, {"code": "not-found"}, NOT_FOUND),
        (410, {"code": "gone"}, NOT_FOUND),
        (422, {"code": "idempotency-key-reused"}, REFUSED),
        (504, {"code": "deadline-exceeded"}, TIMED_OUT),
        (500, {"code": "broken"}, FAILED),
        (0, {"code": "unavailable"}, FAILED),
        (401, {"code": "unauthenticated"}, DENIED),
        (403, {"code": "denied"}, DENIED),
        (409, {"code": "guard-approval"}, NEEDS_APPROVAL),
        (409, {"code": 409, "status": "FAILED_PRECONDITION", "reason": "approval-needed"}, NEEDS_APPROVAL),
        (0, {"code": "timeout"}, TIMED_OUT),
        (409, {"code": "upgrade-running"}, CONFLICT),
        (409, {"code": 409, "status": "ABORTED", "reason": "compare-and-set"}, CONFLICT),
        (412, {"code": "changed"}, CONFLICT),
        (428, {"code": "precondition-required"}, CONFLICT),
    ],
)
def test_a_problem_exits_with_its_code(status: int, body: dict[str, object], code: int) -> None:
    assert ConsoleProblem(status, body).exit_code == code


@pytest.mark.parametrize(
    ("error", "code"), [(httpx.ReadTimeout("slow"), TIMED_OUT), (httpx.ConnectError("no"), FAILED)]
)
def test_a_console_that_does_not_answer_is_a_timeout_or_a_failure(error: httpx.HTTPError, code: int) -> None:
    def fail(_: httpx.Request) -> httpx.Response:
        raise error

    client = ConsoleClient(ConsoleCredentials("http://console", "x"), transport=httpx.MockTransport(fail))
    with pytest.raises(ConsoleProblem) as problem:
        client.get("/api/v1/fleet")
    assert problem.value.exit_code == code

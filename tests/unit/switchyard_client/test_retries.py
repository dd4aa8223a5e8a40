"""When the Python client sends a request again: what was not done, or can be done twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest

from switchyard_client import ApiError, RetryPolicy, Unreachable
from switchyard_client.errors import api_error
from switchyard_client.exchange import Request
from switchyard_client.retries import may_be_sent_again, retry_after_seconds
from tests.unit.switchyard_client.scripted import Caller, Script, answer, call, problem

__all__ = ["call"]
READ = Request("GET", "/x", {}, {})
KEYED = Request("POST", "/x", {}, {"Idempotency-Key": "k"})
BARE = Request("POST", "/x", {}, {})
BUSY = problem(503, "busy")


def test_a_refusal_for_now_is_asked_again_with_the_same_key(call: Caller) -> None:
    busy = answer(503, BUSY, retry_after="0")
    script = Script([busy, answer(429, problem(429, "too-many-requests"), retry_after="0"), answer(204)])
    call(script, lambda console: console.end_session("s1"))
    assert len(script.requests) == 3
    for header in ("Idempotency-Key", "X-Request-ID"):
        assert len({sent.headers[header] for sent in script.requests}) == 1


def test_it_gives_up_after_its_attempts_and_raises_the_last_refusal(call: Caller) -> None:
    script = Script([answer(503, BUSY, retry_after="0")] * 3)
    with pytest.raises(ApiError, match=r"It is busy\. Ask again\."):
        call(script, lambda console: console.regions())
    assert len(script.requests) == 3


def test_it_does_not_wait_longer_than_its_patience(call: Caller) -> None:
    script = Script([answer(503, BUSY, retry_after="30")])
    with pytest.raises(ApiError):
        call(script, lambda console: console.regions(), RetryPolicy(attempts=5, patience_seconds=10))
    assert len(script.requests) == 1


def test_a_lost_connection_is_tried_again_where_that_does_no_harm(call: Caller) -> None:
    script = Script([httpx.ReadError("cut"), answer(204)])
    call(script, lambda console: console.end_session("s1"))
    assert len(script.requests) == 2
    lost = Script([httpx.ReadError("cut")])
    with pytest.raises(Unreachable):
        call(lost, lambda console: console.sign_in({"name": "a", "password": "b"}))
    assert len(lost.requests) == 1


def test_what_is_wrong_is_sent_once(call: Caller) -> None:
    script = Script([answer(409, problem(409, "upgrade-running"))])
    with pytest.raises(ApiError):
        call(script, lambda console: console.plan_upgrade({"deployment": "x"}))
    assert len(script.requests) == 1


def refusal(status: int, code: str, **headers: str) -> ApiError:
    """Make the error of an answer."""
    return api_error(status, {"code": code}, headers)


@pytest.mark.parametrize(
    ("request_", "error", "again"),
    [
        (READ, Unreachable("x"), True),
        (KEYED, Unreachable("x"), True),
        (BARE, Unreachable("x"), False),
        (BARE, refusal(429, "too-many-requests", **{"retry-after": "1"}), True),
        (BARE, refusal(503, "unreadable"), False),
        (READ, refusal(503, "unreadable"), True),
        (READ, refusal(502, "unreadable"), True),
        (BARE, refusal(504, "unreadable"), False),
        (READ, refusal(502, "handler-failed"), False),
        (KEYED, refusal(409, "idempotency-in-progress"), True),
        (READ, refusal(500, "broken"), False),
        (READ, refusal(404, "not-found"), False),
    ],
)
def test_what_may_be_sent_again(request_: Request, error: Any, again: bool) -> None:
    assert may_be_sent_again(request_, error) is again


def test_without_a_word_of_the_server_the_delay_doubles_up_to_a_bound() -> None:
    policy = RetryPolicy(attempts=9, first_delay_seconds=1.0, longest_delay_seconds=4.0)
    delays = [policy.delay_seconds(READ, Unreachable("x"), attempt, 0.0) or 0.0 for attempt in (1, 2, 3, 4)]
    for delay, longest in zip(delays, (1.0, 2.0, 4.0, 4.0), strict=True):
        assert longest / 2 <= delay <= longest


def test_retry_after_is_seconds_or_a_moment() -> None:
    assert retry_after_seconds({"retry-after": "7"}) == 7.0
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 27.0 <= (retry_after_seconds({"retry-after": moment}) or 0.0) <= 30.0
    assert retry_after_seconds({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}) == 0.0
    assert retry_after_seconds({"retry-after": "soon"}) is None
    assert retry_after_seconds({}) is None

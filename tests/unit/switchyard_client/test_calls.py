"""What the Python client sends, and how it reads answers and refusals."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from switchyard_client import (
    AnswerUnreadable,
    Conflict,
    InvalidRequest,
    NotFound,
    OperationFailed,
    PermissionDenied,
    PreconditionFailed,
    TimedOut,
    TooManyRequests,
    Unauthenticated,
    Unavailable,
    Unreachable,
    Violation,
    WaitTimedOut,
    models,
)
from switchyard_client.retries import NO_RETRIES
from tests.unit.switchyard_client.scripted import Caller, Script, answer, call, problem

__all__ = ["call"]


def operation(state: str, **more: Any) -> dict[str, Any]:
    """Write a long operation."""
    return {
        "id": "6d0c0b9e-8c43-4b1e-9d7e-1f3a8a1b2c3d",
        "rev": 1,
        "kind": "wait",
        "target_kind": "upgrade",
        "target": "u1",
        "state": state,
        "requested_by": "ann",
        "request_id": "r1",
        "progress": {},
        "result": None,
        "error": None,
        "created_at": "2026-11-26T04:00:00Z",
        "finished_at": None,
        **more,
    }


def page(items: list[Any], cursor: str | None = None) -> dict[str, Any]:
    """Write a page of a list."""
    return {"items": items, "next_cursor": cursor, "has_more": cursor is not None}


def test_a_read_names_itself_and_is_read_as_its_type(call: Caller) -> None:
    script = Script([answer(200, operation("done") | {"new_field": 1}, etag='"7"', x_request_id="r9")])
    found = call(script, lambda console: console.operation("6d0c", wait="5s"))
    (sent,) = script.requests
    assert (sent.method, sent.url.path, sent.url.query) == ("GET", "/api/v1/operations/6d0c", b"wait=5s")
    assert sent.headers["Authorization"] == "Bearer swy_x"
    assert len(sent.headers["X-Request-ID"]) == 32
    assert "Idempotency-Key" not in sent.headers
    assert isinstance(found.value, models.Operation)
    assert (found.value.state, found.value.created_at) == ("done", datetime(2026, 11, 26, 4, tzinfo=UTC))
    assert (found.status, found.etag, found.request_id, found.is_replayed) == (200, '"7"', "r9", False)


def test_a_change_carries_a_key_and_its_condition_and_leaves_out_what_is_not_set(call: Caller) -> None:
    script = Script([answer(202, operation("running"), location="/api/v1/operations/6d0c")])
    body = models.UpgradeMilestoneRequest(until="ready")
    begun = call(
        script, lambda console: console.await_upgrade("u 1/x", body, idempotency_key="k1", request_id="mine")
    )
    (sent,) = script.requests
    assert (sent.method, sent.url.raw_path) == ("POST", b"/api/v1/upgrades/u%201%2Fx/wait")
    assert (sent.content, sent.headers["Content-Type"]) == (b'{"until":"ready"}', "application/json")
    assert (sent.headers["Idempotency-Key"], sent.headers["X-Request-ID"]) == ("k1", "mine")
    assert begun.location == "/api/v1/operations/6d0c"


def test_a_dry_run_carries_no_key_and_conditions_are_sent_as_given(call: Caller) -> None:
    script = Script([answer(400, problem(400, "x"))])
    with pytest.raises(InvalidRequest):
        call(script, lambda console: console.start_upgrade("u1", if_match='"3"', dry_run=True))
    (sent,) = script.requests
    assert (sent.url.query, sent.content, sent.headers["If-Match"]) == (b"dry_run=true", b"{}", '"3"')
    assert "Idempotency-Key" not in sent.headers


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InvalidRequest),
        (401, Unauthenticated),
        (403, PermissionDenied),
        (404, NotFound),
        (410, NotFound),
        (409, Conflict),
        (412, PreconditionFailed),
        (428, PreconditionFailed),
        (422, InvalidRequest),
        (429, TooManyRequests),
        (503, Unavailable),
    ],
)
def test_a_refusal_is_raised_with_its_code_place_and_remedy(
    call: Caller, status: int, kind: type[Exception]
) -> None:
    body = problem(
        status, "some-code", errors=[{"path": "a.b", "message": "is wrong"}], who_can=["ann"], upgrade_id="u2"
    )
    script = Script([answer(status, body, x_request_id="r7")])
    with pytest.raises(kind) as refused:
        call(script, lambda console: console.regions(), NO_RETRIES)
    error: Any = refused.value
    assert (error.status, error.code, error.detail, error.remedy) == (
        status,
        "some-code",
        "It is some-code.",
        "Ask again.",
    )
    assert (error.violations, error.who_can) == ((Violation("a.b", "is wrong"),), ("ann",))
    assert (error.request_id, error.upgrade_id) == ("r7", "u2")
    assert str(error) == "It is some-code. Ask again."


def test_an_answer_that_is_not_of_the_contract_is_named(call: Caller) -> None:
    script = Script([answer(200, {"id": 1})])
    with pytest.raises(AnswerUnreadable, match="The answer to operation is no Operation"):
        call(script, lambda console: console.operation("6d0c"))
    page_of_a_proxy = httpx.Response(502, headers={"content-type": "text/html"}, content=b"<h1>no</h1>")
    with pytest.raises(Exception, match="The console answered 502"):
        call(Script([page_of_a_proxy]), lambda console: console.regions(), NO_RETRIES)


@pytest.mark.parametrize(
    ("error", "kind", "sentence"),
    [
        (httpx.ReadTimeout("slow"), TimedOut, "did not answer in 30 s"),
        (httpx.ConnectError("refused"), Unreachable, "does not answer: refused"),
    ],
)
def test_no_answer_is_told_apart_from_a_refusal(
    call: Caller, error: Exception, kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind, match=sentence):
        call(Script([error]), lambda console: console.regions(), NO_RETRIES)


def test_every_page_of_a_list_is_read(call: Caller) -> None:
    script = Script([answer(200, page([], "c2")), answer(200, page([], "c3")), answer(200, page([]))])
    assert call(script, lambda console: console.iter_operations(state="running")) == []
    assert [dict(sent.url.params) for sent in script.requests] == [
        {"state": "running"},
        {"state": "running", "cursor": "c2"},
        {"state": "running", "cursor": "c3"},
    ]


def test_the_items_of_pages_come_in_order(call: Caller) -> None:
    first, second = operation("done"), operation("running")
    script = Script([answer(200, page([first], "c2")), answer(200, page([second]))])
    found = call(script, lambda console: console.iter_operations())
    assert [item.state for item in found] == ["done", "running"]


def test_waiting_ends_with_the_operation(call: Caller) -> None:
    begun = answer(202, operation("running"), location="/api/v1/operations/6d0c")
    script = Script([begun, answer(200, operation("running")), answer(200, operation("done"))])

    def wait(console: Any) -> Any:
        return console.wait_for("/api/v1/operations/6d0c", timeout=30)

    call(script, lambda console: console.await_upgrade("u1", {"until": "ready"}))
    assert call(script, wait).state == "done"
    assert [sent.url.query for sent in script.requests[1:]] == [b"wait=15s", b"wait=15s"]


def test_a_failed_operation_and_the_end_of_patience_are_raised(call: Caller) -> None:
    failed = operation("failed", error={"code": "guard-window", "detail": "It is closed.", "remedy": "Wait."})
    with pytest.raises(OperationFailed) as ended:
        call(Script([answer(200, failed)]), lambda console: console.wait_for("6d0c"))
    assert (ended.value.code, str(ended.value)) == ("guard-window", "It is closed. Wait.")
    with pytest.raises(WaitTimedOut, match="Operation 6d0c has not ended after 0 s"):
        call(Script([answer(200, operation("running"))]), lambda console: console.wait_for("6d0c", timeout=0))


def test_an_answer_that_began_nothing_cannot_be_waited_for(call: Caller) -> None:
    script = Script([answer(200, operation("done"))])
    found = call(script, lambda console: console.operation("6d0c"))
    with pytest.raises(ValueError, match="began no operation"):
        call(Script([]), lambda console: console.wait_for(found))


def test_any_address_can_be_asked_for_plain_values(call: Caller) -> None:
    script = Script([answer(200, {"name": "regions/{x}"})])
    found = call(
        script,
        lambda console: console.request("put", "/meta/v1/regions/{x}", query={"a": True}, body={"t": 1}),
    )
    (sent,) = script.requests
    assert (sent.method, sent.url.path, sent.url.query) == ("PUT", "/meta/v1/regions/{x}", b"a=true")
    assert found.value == {"name": "regions/{x}"}

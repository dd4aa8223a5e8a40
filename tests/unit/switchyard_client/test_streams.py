"""The live stream of the Python client: its messages, and where it goes on after a break."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from switchyard_client import PermissionDenied
from switchyard_client.streams import RECONNECT_SECONDS, stream_of
from tests.unit.switchyard_client.scripted import Caller, Script, answer, call, problem

__all__ = ["call"]


def stream(*messages: dict[str, Any]) -> httpx.Response:
    """Answer with messages, and end."""
    lines = [
        (f"id: {each['seq']}\n" if each.get("seq") and each["op"] != "hello" else "")
        + f"data: {json.dumps(each)}\n\n"
        for each in messages
    ]
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, content="".join(lines).encode())


def event(seq: int) -> dict[str, Any]:
    """Write an event."""
    return {"op": "event", "seq": seq, "topic": "fleet", "full": {}}


def test_a_stream_that_is_cut_goes_on_after_what_was_heard(
    call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("switchyard_client.streams.RECONNECT_SECONDS", (0.01,))
    # The greeting tells a newer number than what is replayed after it: going on from there would lose events.
    cut = stream({"op": "hello", "seq": 40}, event(31))
    busy = answer(503, problem(503, "busy"))
    script = Script(
        [
            cut,
            httpx.ReadError("cut"),
            busy,
            stream({"op": "hello", "seq": 41}, event(32)),
            httpx.ReadError("cut"),
            stream(event(33)),
        ]
    )
    # Read by count: a timeout would end the stream early where the machine is short of processor.
    found = call(script, lambda console: console.events(["fleet", "audit"], since=30), most=5)
    assert [(message.op, message.seq) for message in found] == [
        ("hello", 40),
        ("event", 31),
        ("hello", 41),
        ("event", 32),
        ("event", 33),
    ]
    asked = [dict(sent.url.params) for sent in script.requests]
    assert asked[0] == {"topics": "fleet,audit", "since": "30"}
    assert [each["since"] for each in asked[1:]] == ["31", "31", "31", "32", "32"]
    assert found[1].topic == "fleet"


def test_a_refused_stream_is_an_error(call: Caller) -> None:
    script = Script([answer(403, problem(403, "denied"))])
    with pytest.raises(PermissionDenied):
        call(script, lambda console: console.events("audit"))


def test_lines_become_messages_and_breaks_wait_longer_each_time() -> None:
    state = stream_of("fleet", None)
    assert state.query() == {"topics": "fleet"}
    assert [
        state.take_line(line) for line in (": comment", "id: 7", 'data: {"op":"event",', 'data: "seq":7}')
    ] == [None] * 4
    message = state.take_line("")
    assert message is not None
    assert (message.op, message.seq, state.since) == ("event", 7, 7)
    assert [state.lost() for _ in range(6)] == [*RECONNECT_SECONDS, RECONNECT_SECONDS[-1]]
    # A graph's events have the number 0: they are never replayed.
    state.take_line('data: {"op":"event","seq":0}')
    assert (state.take_line(""), state.since, state.failures) != (None, 0, 6)
    assert (state.since, state.failures) == (7, 0)

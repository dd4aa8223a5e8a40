"""Methods that a service answers in its own process: who is let in, what is answered, what goes wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from migrations_app.adapters.service_tokens import ServiceKeys, ServiceTokens
from migrations_app.kernel.errors import Denied
from migrations_app.ports.regions.peers import Peer
from switchyard_sdk import Busy, Conflict, Invalid, MethodCall, MethodServer, TokenVerifier
from switchyard_sdk.methods import MethodAnswer

KEYS = ServiceKeys.of("x" * 32)
HERE = Peer("devices.example.com", "eu-west1")
ELSEWHERE = Peer("devices.example.com", "us-east2")
NAME = "projects/p/devices/d 1"


def server(prefix: str = "") -> MethodServer:
    methods = MethodServer(TokenVerifier(KEYS.public, HERE.service, HERE.region), prefix)

    @methods.method("v1", "reboot")
    def reboot(call: MethodCall) -> dict[str, object]:
        assert 0.0 < call.remaining_seconds() <= 5.0
        return {
            "name": call.name,
            "reason": call.request.get("reason"),
            "by": call.caller,
            "id": call.request_id,
        }

    @methods.method("v1", "watch")
    def watch(call: MethodCall) -> Iterator[dict[str, object]]:
        yield {"step": 1}
        yield {"step": 2}

    @methods.method("v1", "refuse")
    def refuse(call: MethodCall) -> dict[str, object]:
        raise Conflict("It is on fire.", code="on-fire", remedy="Put it out.")

    @methods.method("v1", "wait")
    def wait(call: MethodCall) -> dict[str, object]:
        raise Busy("Not now.", code="later", retry_after_seconds=3.0)

    @methods.method("v1", "fail")
    def fail(call: MethodCall) -> dict[str, object]:
        raise RuntimeError("secret")

    return methods


def send(
    methods: MethodServer,
    verb: str,
    body: bytes = b"{}",
    *,
    prefix: str = "",
    token: str | None = None,
    sender: Peer = HERE,
    audience: Peer = HERE,
    keys: ServiceKeys = KEYS,
) -> MethodAnswer:
    path = f"{prefix}/v1/{NAME}:{verb}"
    signed = ServiceTokens(keys).sign(sender, audience, "POST", path, {"account": "ada"})
    headers = {
        "authorization": f"Bearer {signed if token is None else token}",
        "x-request-id": "r7",
        "x-server-timeout": "5",
    }
    return methods.answer("POST", quote(path, safe="/:"), "", headers, body)


@pytest.mark.parametrize("prefix", ["", "/methods"])
def test_a_call_with_a_good_token_is_answered(prefix: str) -> None:
    answer = send(server(prefix), "reboot", b'{"reason": "slow"}', prefix=prefix)
    assert (answer.status, json.loads(answer.body)) == (
        200,
        {"name": NAME, "reason": "slow", "by": "ada", "id": "r7"},
    )


def test_messages_of_a_stream_are_lines() -> None:
    answer = send(server(), "watch")
    assert answer.lines is not None
    assert b"".join(answer.lines) == b'{"step":1}\n{"step":2}\n'
    assert answer.content_type == "application/x-ndjson"


@pytest.mark.parametrize(
    ("verb", "body", "status", "code"),
    [
        ("refuse", b"{}", 409, "on-fire"),
        ("wait", b"{}", 503, "later"),
        ("fail", b"{}", 500, "handler-failed"),
        ("fly", b"{}", 404, "method-missing"),
        ("reboot", b"[]", 400, "document"),
        ("reboot", b"{", 400, "json-syntax"),
    ],
)
def test_what_goes_wrong_is_a_problem(verb: str, body: bytes, status: int, code: str) -> None:
    answer = send(server(), verb, body)
    problem = json.loads(answer.body)
    assert (answer.status, problem["code"], answer.content_type) == (status, code, "application/problem+json")
    assert b"secret" not in answer.body


def test_only_tokens_for_this_call_of_this_deployment_are_taken_and_once() -> None:
    methods = server()
    other = ServiceKeys.of("y" * 32)
    token = ServiceTokens(KEYS).sign(HERE, HERE, "POST", f"/v1/{NAME}:reboot")
    assert send(methods, "reboot", token=token).status == 200
    refused = [
        send(methods, "reboot", token=token),
        send(methods, "watch", token=ServiceTokens(KEYS).sign(HERE, HERE, "POST", f"/v1/{NAME}:reboot")),
        send(methods, "reboot", token=""),
        send(methods, "reboot", keys=other),
        send(methods, "reboot", audience=ELSEWHERE),
        send(methods, "reboot", sender=ELSEWHERE),
        send(methods, "reboot", sender=ELSEWHERE, keys=other),
    ]
    assert [(each.status, json.loads(each.body)["code"]) for each in refused] == [(403, "service-token")] * 7


def test_a_token_runs_out() -> None:
    verifier = TokenVerifier(KEYS.public, HERE.service, HERE.region, now=lambda: time.time() + 120)
    with pytest.raises(Denied):
        verifier.verify(ServiceTokens(KEYS).sign(HERE, HERE, "POST", "/v1/a:b"), "POST", "/v1/a:b")


def test_wrong_set_ups_are_refused() -> None:
    with pytest.raises(Invalid) as key:
        TokenVerifier("short", HERE.service, HERE.region)
    with pytest.raises(Conflict) as twice:
        server().method("v1", "reboot")(lambda call: {})
    assert (key.value.code, twice.value.code) == ("service-key", "handler-registered")

"""Custom methods answered by a backend of the service over HTTP: what it gets, and what callers are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from migrations_app.adapters.methods.backends import HandlersInTurn, HttpBackends
from migrations_app.adapters.methods.registered import RegisteredHandlers
from migrations_app.adapters.service_tokens import ServiceKeys, ServiceTokens
from migrations_app.domain.access import actor_with
from migrations_app.kernel.errors import Busy, Conflict, Denied, InvariantBroken, SwitchyardError
from migrations_app.ports.regions.peers import Peer
from tests.factories.method_backend import MethodBackend, method_backend
from tests.integration.resource_api.conftest import REGION, Yard
from tests.integration.resource_api.test_methods import NEW, OLD, QUEUE, TASKS, applied, call, serving, state

__all__ = ["applied"]
KEYS = ServiceKeys.of("x" * 32)
HERE = Peer(TASKS, REGION)


@pytest.fixture
def backend() -> Iterator[MethodBackend]:
    with method_backend() as made:
        yield made


@contextmanager
def handlers_at(urls: Mapping[str, str]) -> Iterator[HandlersInTurn]:
    """Handlers over HTTP; a process keeps their connections to its end, a test closes them."""
    backends = HttpBackends(urls, ServiceTokens(KEYS))
    try:
        yield HandlersInTurn((RegisteredHandlers({}), backends))
    finally:
        for client in backends._clients.values():
            client.close()


@pytest.fixture
def tasks(applied: str, backend: MethodBackend) -> Iterator[Yard]:
    """Cloud Tasks whose methods a backend answers, in both versions."""
    urls = {f"{TASKS}/{OLD}": backend.url, f"{TASKS}/{NEW}@{REGION}": backend.url}
    with handlers_at(urls) as handlers, serving(applied, handlers) as made:
        yield made


def test_a_backend_gets_the_call_in_its_version_with_a_token_for_it_alone(
    tasks: Yard, backend: MethodBackend
) -> None:
    backend.body = {"name": QUEUE, "state": "PAUSED", "rateLimits": {"maxDispatchesPerSecond": 2.0}}
    tasks.actor = actor_with("ada", "operator")
    paused = tasks.call("POST", f"{QUEUE}:pause", {}, version=OLD, headers={"x-request-id": "r7"})
    path, headers, sent = backend.received[0]

    assert state(paused) == ("PAUSED", "native", OLD)
    assert (path, sent, headers["x-request-id"]) == (f"/tasks/{OLD}/{QUEUE}:pause", {}, "r7")
    assert 0.0 < float(headers["x-server-timeout"]) <= 30.0
    token = headers["authorization"].removeprefix("Bearer ")
    caller = ServiceTokens(KEYS).check(token, HERE, "POST", path)
    assert (caller.peer, caller.on_behalf) == (
        HERE,
        {"account": "ada", "action": "resource.method:PauseQueue"},
    )
    # The token does not open this server's own address of the method.
    with pytest.raises(Denied):
        ServiceTokens(KEYS).check(token, HERE, "POST", f"/apis/{REGION}/{TASKS}/{OLD}/{QUEUE}:pause")


def test_after_the_switch_the_backend_of_the_new_version_is_called_and_its_answer_converted(
    tasks: Yard, backend: MethodBackend
) -> None:
    tasks.switch(OLD, NEW)
    backend.body = {"name": QUEUE, "appEngineRoutingOverride": {"service": "mail"}}
    paused = call(tasks, OLD, QUEUE, "pause")

    assert backend.received[0][0] == f"/tasks/{NEW}/{QUEUE}:pause"
    assert state(paused)[1:] == ("translated", NEW)
    assert paused.document == {
        "name": QUEUE,
        "appEngineHttpQueue": {"appEngineRoutingOverride": {"service": "mail"}},
    }


@pytest.mark.parametrize(
    ("status", "body", "kind", "code"),
    [
        (409, {"code": "queue-busy", "detail": "The queue has tasks."}, Conflict, "queue-busy"),
        (500, {"code": "x", "detail": "secret"}, InvariantBroken, "handler-failed"),
        (404, {}, InvariantBroken, "handler-failed"),
        (302, {}, InvariantBroken, "handler-failed"),
        (200, ["x"], InvariantBroken, "handler-response"),
        (200, {"rateLimits": 7}, InvariantBroken, "handler-response"),
    ],
)
def test_what_a_backend_refuses_is_the_answer_and_what_it_does_wrong_an_error_of_the_service(
    tasks: Yard,
    backend: MethodBackend,
    status: int,
    body: dict[str, str],
    kind: type[SwitchyardError],
    code: str,
) -> None:
    backend.status, backend.body = status, body  # type: ignore[assignment]
    with pytest.raises(kind) as failed:
        call(tasks, OLD, QUEUE, "pause")
    assert failed.value.code == code
    assert "secret" not in str(failed.value)


def test_a_backend_that_is_slow_or_down_is_unavailable(tasks: Yard, backend: MethodBackend) -> None:
    backend.seconds = 1.0
    with pytest.raises(Busy) as slow:
        tasks.call("POST", f"{QUEUE}:pause", {}, version=OLD, headers={"x-server-timeout": "0.2"})
    assert slow.value.code in ("backend-unavailable", "deadline-exceeded")


def test_a_backend_that_is_down_did_not_get_the_call(applied: str) -> None:
    urls = {f"{TASKS}/{OLD}": "http://127.0.0.1:9"}
    with handlers_at(urls) as handlers, serving(applied, handlers) as tasks, pytest.raises(Busy) as down:
        call(tasks, OLD, QUEUE, "pause")
    assert (down.value.code, down.value.nouns["reached"]) == ("backend-unavailable", False)

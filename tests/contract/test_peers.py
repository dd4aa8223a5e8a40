"""The contract of asking other deployments, checked on the way within a process and on the way over HTTP."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx
import pytest
import uvicorn

from migrations_app import wiring
from migrations_app.adapters.peers.by_region import PeersByRegion
from migrations_app.adapters.peers.http import HttpPeers
from migrations_app.adapters.peers.local import LocalPeers
from migrations_app.adapters.service_tokens import ServiceKeys, ServiceTokens
from migrations_app.kernel.errors import (
    Busy,
    Conflict,
    Denied,
    DeploymentMissing,
    Frozen,
    Invalid,
    RevisionConflict,
    SwitchyardError,
    Violation,
)
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.regions.peers import Peer, Peers
from migrations_app.resource_api.app import ResourceApplication
from tests.processes import free_port
from tests.proxy import Proxy

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE_SECONDS = 60.0
HERE, THERE = Peer("user.example.com", "north"), Peer("base.example.com", "south")


@dataclass
class Scripted:
    """What answers behind the door: what it was told to, noting who asked."""

    answer_with: JsonObject = field(default_factory=dict)
    fail_with: SwitchyardError | None = None
    asked: list[tuple[Peer, Peer, str, JsonObject]] = field(default_factory=list)

    def answer(self, sender: Peer, target: Peer, action: str, body: JsonObject) -> JsonObject:
        self.asked.append((sender, target, action, body))
        if self.fail_with is not None:
            raise self.fail_with
        return self.answer_with


@dataclass
class Door:
    """A way to ask, and who answers."""

    peers: Peers
    mixin: Scripted
    url: str = ""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The real door of resource servers, at a port of its own."""
    port = free_port()
    config = uvicorn.Config(
        ResourceApplication(), host="127.0.0.1", port=port, log_level="warning", lifespan="off"
    )
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join()


@pytest.fixture(params=["local", "http", "by region"])
def door(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    mixin = Scripted()
    local = LocalPeers(lambda: mixin)
    if request.param == "local":
        yield Door(local, mixin)
        return
    url = request.getfixturevalue("server")
    monkeypatch.setattr(wiring, "mixin", lambda: mixin)
    http = HttpPeers(wiring.service_tokens(), {THERE.region: url}.get, answer_seconds=PATIENCE_SECONDS)
    by_region = PeersByRegion(lambda region: region == HERE.region, local, http)
    yield Door(http if request.param == "http" else by_region, mixin, url)
    http.close()


def test_the_answer_and_who_asks_come_through_as_they_are(door: Door) -> None:
    body: JsonObject = {
        "text": "Grüße \u2028 \U0001f600",
        "numbers": [0, -1, 2**53, 1.5],
        "none": None,
        "deep": {"a": [{}]},
    }
    door.mixin.answer_with = {"back": body, "yes": True}
    assert door.peers.call(HERE, THERE, "doThis", body) == {"back": body, "yes": True}
    assert door.mixin.asked == [(HERE, THERE, "doThis", body)]


def test_an_empty_and_a_large_answer_come_through(door: Door) -> None:
    assert door.peers.call(HERE, THERE, "doThis", {}) == {}
    door.mixin.answer_with = {"large": ["x" * 1000] * 4000}
    assert door.peers.call(HERE, THERE, "doThis", {"large": "y" * 1_000_000}) == door.mixin.answer_with


@pytest.mark.parametrize(
    "error",
    [
        Invalid("This is wrong.", code="mixin-body", remedy="Mend it.", violations=(Violation("a.b", "is no number", "Write one.", "x"),)),
        Denied("Not yours.", code="not-yours"),
        DeploymentMissing("There is none.", remedy="Make one."),
        Conflict("It is blocked.", code="deletion-blocked", violations=(Violation("//s/r/n#f", "refers"),)),
        RevisionConflict("It moved."),
    ],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_a_refusal_comes_back_as_the_error_it_is(door: Door, error: SwitchyardError) -> None:
    door.mixin.fail_with = error
    with pytest.raises(SwitchyardError) as told:
        door.peers.call(HERE, THERE, "doThis", {})
    found = told.value
    assert (type(found), found.code, found.message, found.remedy) == (
        type(error), error.code, error.message, error.remedy,
    )  # fmt: skip
    assert [(each.path, each.message) for each in found.violations] == [
        (each.path, each.message) for each in error.violations
    ]


def test_who_is_busy_says_when_to_come_again(door: Door) -> None:
    door.mixin.fail_with = Frozen("Writes pause.", retry_after_seconds=7)
    with pytest.raises(Busy) as told:
        door.peers.call(HERE, THERE, "doThis", {})
    assert (told.value.code, told.value.retry_after_seconds) == ("frozen", 7)


@pytest.mark.parametrize("mode", ["refuse", "hang", "deaf", "mute"])
def test_no_answer_is_away_and_never_an_answer(
    server: str, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    mixin = Scripted(answer_with={"yes": True})
    monkeypatch.setattr(wiring, "mixin", lambda: mixin)
    proxy = Proxy(server)
    # Two of them: who waits for an answer that does not come need not wait for long, and one that comes may come late.
    hurried, peers = (
        HttpPeers(wiring.service_tokens(), {THERE.region: proxy.url}.get, answer_seconds=seconds)
        for seconds in (0.5, PATIENCE_SECONDS)
    )
    try:
        proxy.cut(mode)
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            with pytest.raises(Busy) as away:
                hurried.call(HERE, THERE, "doThis", {})
            assert away.value.code == "peer-unavailable"
            if mode != "mute":
                assert mixin.asked == []
                break
            if mixin.asked:
                break  # what got no answer may have been done
            assert time.monotonic() < until
        proxy.heal()
        assert peers.call(HERE, THERE, "doThis", {}) == {"yes": True}
        proxy.delay_seconds = 0.1
        assert peers.call(HERE, THERE, "doThis", {}) == {"yes": True}, "late is not lost"
    finally:
        hurried.close()
        peers.close()
        proxy.close()


def test_a_region_without_an_address_is_away() -> None:
    with pytest.raises(Busy) as away:
        HttpPeers(wiring.service_tokens(), lambda _: None).call(HERE, THERE, "doThis", {})
    assert (away.value.code, away.value.remedy) == ("peer-unavailable", "Add it to SWITCHYARD_PEER_URLS.")


def test_a_forged_token_is_refused_before_anything_is_done(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mixin = Scripted()
    monkeypatch.setattr(wiring, "mixin", lambda: mixin)
    forged = HttpPeers(ServiceTokens(ServiceKeys.of("another secret")), {THERE.region: server}.get)
    with pytest.raises(Denied) as refused:
        forged.call(HERE, THERE, "doThis", {})
    forged.close()
    assert (refused.value.code, mixin.asked) == ("service-token", [])


def test_a_call_that_is_sent_again_is_refused_by_every_process(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mixin = Scripted(answer_with={"yes": True})
    monkeypatch.setattr(wiring, "mixin", lambda: mixin)
    path = f"/apis/{THERE.region}/{THERE.service}/mixin/resourceShadows:doThis"
    token = wiring.service_tokens().sign(HERE, THERE, "POST", path)
    headers = {"authorization": f"Bearer {token}"}
    other = httpx.post(f"{server}{path}That", json={}, headers=headers)
    assert (other.status_code, "another call" in other.text, mixin.asked) == (403, True, [])
    assert httpx.post(server + path, json={}, headers=headers).json() == {"yes": True}
    for _ in range(3):
        again = httpx.post(server + path, json={}, headers=headers)
        assert (again.status_code, "used before" in again.text) == (403, True)
    wiring.service_tokens.cache_clear()
    assert httpx.post(server + path, json={}, headers=headers).status_code == 403
    assert len(mixin.asked) == 1

"""Watches over a socket: lines and events, a connection that is lost, a switch while they run."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import uvicorn

from migrations_app import wiring
from migrations_app.resource_api import app as application
from migrations_app.resource_api.app import by_prefix
from tests.factories.access import make_account, token_of
from tests.factories.notes import end_notes
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard

pytestmark = pytest.mark.django_db(transaction=True)
SECRETS = "projects/p/secrets"


@pytest.fixture
def web(transactional_db: None, ports: Yard) -> Iterator[httpx.Client]:
    """A client of the application, which listens in a thread of its own."""
    wiring.resource_servers.cache_clear()
    config = uvicorn.Config(by_prefix(None), port=0, log_level="warning", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    make_account("olga", "operator")
    headers = {"Authorization": f"Bearer {token_of('olga')}"}
    base = f"http://127.0.0.1:{port}/apis/{REGION}/{SERVICE}"
    try:
        with httpx.Client(base_url=base, headers=headers, timeout=120.0) as client:
            yield client
    finally:
        server.force_exit = server.should_exit = True
        thread.join(10)
        end_notes()
        wiring.resource_servers.cache_clear()
        wiring.databases().close(ports.database)


class Stream:
    """The messages of one watch as a client takes them in: by name what is there, the last token, the resets."""

    def __init__(self, answer: httpx.Response) -> None:
        self._lines = answer.iter_lines()
        self.there: dict[str, Any] = {}
        self.token, self.resets, self.sizes = "", 0, list[int]()

    def until(self, enough: Any) -> None:
        """Take messages in until it is enough."""
        while not enough(self):
            line = next(self._lines)
            if line.startswith("id: ") or not line:
                continue
            self.take(json.loads(line.removeprefix("data: ")))

    def take(self, message: dict[str, Any]) -> None:
        """Take one message in."""
        assert "error" not in message, message
        if message.get("isHardReset"):
            self.there, self.resets = {}, self.resets + 1
        for change in message.get("secretChanges", []):
            ((kind, about),) = change.items()
            if kind == "removed":
                self.there.pop(about["name"], None)
            else:
                self.there[about["secret"]["name"]] = about["secret"]
        self.token = message.get("resumeToken", self.token)
        self.sizes += [message["snapshotSize"]] if "snapshotSize" in message else []


@contextmanager
def watching(
    web: httpx.Client, version: str = "v1alpha2", *, headers: dict[str, str] | None = None, **body: Any
) -> Iterator[Stream]:
    """Open a stream."""
    parent = SECRETS if version == "v1alpha2" else "projects/p/regions/-/secrets"
    with web.stream("POST", f"/{version}/{parent}:watch", json=body, headers=headers) as answer:
        assert answer.status_code == 200, answer.read()
        events = "text/event-stream" in (headers or {}).get("Accept", "")
        assert answer.headers["content-type"] == ("text/event-stream" if events else "application/x-ndjson")
        yield Stream(answer)


def make(web: httpx.Client, *ids: str) -> None:
    for each in ids:
        answer = web.post(f"/v1alpha2/{SECRETS}", params={"id": each}, json={"title": each})
        assert answer.status_code == 201, answer.text


def test_an_event_stream_that_is_opened_again_goes_on_after_its_last_event(web: httpx.Client) -> None:
    make(web, "aa", "bb")
    events = {"Accept": "text/event-stream"}
    with watching(web, headers=events) as stream:
        stream.until(lambda seen: seen.token)
    assert len(stream.there) == 2

    # The connection is gone; meanwhile one comes and one goes.
    make(web, "cc")
    web.delete(f"/v1alpha2/{SECRETS}/aa")
    with watching(web, headers={**events, "Last-Event-ID": stream.token}) as again:
        again.there = stream.there
        again.until(lambda seen: len(seen.there) == 2 and f"{SECRETS}/cc" in seen.there)
    assert (again.resets, set(again.there)) == (0, {f"{SECRETS}/bb", f"{SECRETS}/cc"})


def test_a_client_that_lost_a_deletion_sees_it_by_the_size_in_the_pulse(
    web: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "PULSE_SECONDS", 0.3)
    make(web, "aa", "bb")
    with watching(web) as stream:
        stream.until(lambda seen: seen.sizes == [2])
        known = dict(stream.there)
        web.delete(f"/v1alpha2/{SECRETS}/aa")
        stream.until(lambda seen: seen.sizes[-1] == 1)
    assert (len(known), len(stream.there)) == (2, 1)


def test_a_stream_ends_after_its_time_and_is_gone_on_with_by_its_token(
    web: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "LIFETIME_SECONDS", 0.1)
    make(web, "aa")
    with watching(web) as stream, pytest.raises(StopIteration):
        stream.until(lambda seen: False)
    make(web, "bb")
    with watching(web, resumeToken=stream.token) as again:
        again.until(lambda seen: f"{SECRETS}/bb" in seen.there)
    assert (again.resets, len(again.there)) == (0, 1)


def test_a_version_switches_under_running_watches_of_both_versions_and_of_a_page(
    web: httpx.Client, ports: Yard
) -> None:
    make(web, "aa")
    ports.fill()
    wiring.resource_servers().directory.forget(REGION, SERVICE)
    with (
        watching(web) as old,
        watching(web, "v1") as new,
        watching(web, type="STATEFUL", pageSize=1) as page,
    ):
        for each in (old, new, page):
            each.until(lambda seen: len(seen.there) == 1)
        ports.switch()
        for each in (old, new):
            each.until(lambda seen: seen.resets == 1 and len(seen.there) == 1)
        path = f"/v1/projects/p/regions/{REGION}/secrets"
        made = web.post(path, params={"id": "a0"}, json={"displayName": "after"})
        assert made.status_code == 201, made.text
        old.until(lambda seen: len(seen.there) == 2)
        new.until(lambda seen: len(seen.there) == 2)
        page.until(lambda seen: f"{SECRETS}/a0" in seen.there)
    assert old.there[f"{SECRETS}/a0"]["title"] == "after"
    assert new.there[f"projects/p/regions/{REGION}/secrets/a0"]["displayName"] == "after"
    assert page.resets == 0


def test_what_is_wrong_is_answered_before_the_stream(web: httpx.Client) -> None:
    for body, code in (({"filter": "nonsense = 1"}, "filter-path"), ({"resumeToken": "x"}, "resume-token")):
        refused = web.post(f"/v1alpha2/{SECRETS}:watch", json=body)
        assert (refused.status_code, refused.json()["code"]) == (400, code)
    nobody = web.post(f"/v1alpha2/{SECRETS}:watch", headers={"Authorization": ""})
    assert nobody.status_code == 401

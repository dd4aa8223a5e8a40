"""The live stream over a real web process: topics, replay, rights, and the law of snapshot and events."""

from __future__ import annotations

import json
import random
import socket as socket_module
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role, unbind_role
from migrations_app.control.access.repository.access import digest_of
from migrations_app.control.events import outbox
from migrations_app.control.operations.commands.run_operation import begin_operation
from migrations_app.control.operations.repository.operations import end_operation, report_progress
from migrations_app.domain.access import Actor, Target
from migrations_app.domain.events import Event, State, apply
from migrations_app.models.access import Account, RoleBinding, Token
from migrations_app.models.outbox import OutboxEvent
from migrations_app.models.upgrades import Upgrade
from tests.factories.access import FOUNDER, make_account, token_of
from tests.processes import Children

MOST_CONNECTIONS = 24
"""That one web process holds to the control database."""

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def web(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One web process for all tests here: it must also bear that the tables are emptied between them."""
    children = Children(tmp_path_factory.mktemp("web"))
    try:
        yield children.start_web()
    finally:
        children.stop()


@contextmanager
def _open(web: str, token: str = "", **headers: str) -> Iterator[ClientConnection]:
    extra = {"Authorization": f"Bearer {token}"} if token else {}
    with connect(web.replace("http", "ws") + "/ws", additional_headers=extra | headers) as socket:
        yield socket


def _hear(socket: ClientConnection, seconds: float = 120.0) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(socket.recv(timeout=seconds))
    return message


def _subscribe(socket: ClientConnection, *topics: str, since: int | None = None) -> None:
    socket.send(json.dumps({"op": "subscribe", "topics": topics, "since": since}))


def _until(socket: ClientConnection, op: str) -> dict[str, Any]:
    while True:
        message = _hear(socket)
        if message["op"] == op:
            return message


def _drain(socket: ClientConnection, seconds: float) -> list[dict[str, Any]]:
    heard = []
    try:
        while True:
            heard.append(_hear(socket, seconds))
    except TimeoutError:
        return heard


def _wait_subscribed(socket: ClientConnection) -> None:
    """A refused topic is answered in order, so its answer says that everything before was taken."""
    _subscribe(socket, "nonsense")
    _until(socket, "denied")


def test_events_arrive_folded_and_other_topics_do_not(web: str) -> None:
    make_account("vera", "viewer")
    with _open(web, token_of("vera")) as socket:
        hello = _hear(socket)
        assert (hello["op"], hello["seq"] >= 0) == ("hello", True)
        _subscribe(socket, "fleet")
        _wait_subscribed(socket)
        outbox.publish("health", "component", "broker", full={"status": "ok"})
        # What one transaction wrote becomes visible at once, and is folded whenever the outbox is read.
        with transaction.atomic():
            for number in range(5):
                outbox.publish("fleet", "cell", "a", patch={"ready": number}, rev=number)
            outbox.publish("fleet", "cell", "b", full={"ready": 1}, rev=1)
        heard = [_until(socket, "event") for _ in range(2)]
    assert [(event["topic"], event["id"], event["rev"]) for event in heard] == [
        ("fleet", "a", 4),
        ("fleet", "b", 1),
    ]
    assert heard[0]["patch"] == {"ready": 4}


def test_what_was_missed_is_replayed_and_what_is_too_old_is_read_anew(web: str) -> None:
    make_account("vera", "viewer")
    token = token_of("vera")
    for id in "abc":
        outbox.publish("fleet", "cell", id, full={"id": id}, rev=1)
    assert outbox.number().seq >= 3
    first = OutboxEvent.objects.get(key="a").seq
    with _open(web, token) as socket:
        _subscribe(socket, "fleet", since=first)
        assert [_until(socket, "event")["id"] for _ in range(2)] == ["b", "c"]
    with _open(web, token) as socket:
        _subscribe(socket, "fleet", since=10_000_000)
        assert _until(socket, "resync")["topic"] == "fleet"
    OutboxEvent.objects.update(at=datetime(2020, 1, 1, tzinfo=UTC))
    outbox.prune(3600, 100)
    with _open(web, token) as socket:
        _subscribe(socket, "fleet", since=first)
        assert _until(socket, "resync")["topic"] == "fleet"


def test_a_topic_needs_its_permission(web: str) -> None:
    make_account("vera", "viewer")
    with _open(web, token_of("vera")) as socket:
        _subscribe(socket, "audit", "nonsense")
        denied = [_until(socket, "denied") for _ in range(2)]
    assert [(each["topic"], each["reason"]) for each in denied] == [
        ("audit", "This needs auditor or admin; you have viewer."),
        ("nonsense", "There is no topic 'nonsense'."),
    ]


def test_an_upgrade_is_streamed_to_who_may_read_it(web: str) -> None:
    for id, region in (("u-eu", "eu-west1"), ("u-us", "us-east1")):
        Upgrade.objects.create(
            id=id, deployment=f"services/secrets/deployments/{region}", service="secrets", region=region,
            from_version="v1", to_version="v2", created_by="olga", plan={}, plan_digest="d",
            source_database="a", source_schema="a", target_database="a", target_schema="b",
        )  # fmt: skip
    make_account("eva", "viewer", region="eu-*")
    token = token_of("eva")
    with _open(web, token) as socket:
        _subscribe(socket, "upgrade:u-eu", "upgrade:u-us")
        denied = _until(socket, "denied")
        assert (denied["topic"], denied["reason"]) == (
            "upgrade:u-us",
            "Your access does not reach upgrade/u-us: you are viewer of * @ eu-*.",
        )
        for id in ("u-us", "u-eu"):
            outbox.publish(f"upgrade:{id}", "upgrade", id, patch={"rev": 1}, rev=1)
        assert _until(socket, "event")["topic"] == "upgrade:u-eu"
    asked = urllib.request.Request(f"{web}/api/v1/events?topics=upgrade:u-us")
    asked.add_header("Authorization", f"Bearer {token}")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(asked)
    assert refused.value.code == 403
    refused.value.close()


def test_who_is_not_signed_in_or_comes_from_elsewhere_is_turned_away(web: str) -> None:
    with _open(web, "swy_wrong") as socket, pytest.raises(ConnectionClosed) as closed:
        _hear(socket)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
    cookie = {"Cookie": "sessionid=x"}
    for headers in (
        {},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        cookie,
        cookie | {"Authorization": "Bearer swy_wrong"},
        cookie | {"Authorization": "x"},
        {"Authorization": "Basic x"},
        {"Authorization": ""},
    ):
        with pytest.raises(InvalidStatus) as refused, _open(web, **headers):
            pass
        assert refused.value.response.status_code == 403
    with _open(web, Origin=web) as socket, pytest.raises(ConnectionClosed) as closed:
        _hear(socket)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401


def test_an_account_opens_so_many_streams_and_no_more(web: str) -> None:
    make_account("vera", "viewer")
    make_account("otto", "viewer")
    token = token_of("vera")
    with ExitStack() as stack:
        sockets = [stack.enter_context(_open(web, token)) for _ in range(50)]
        assert {_hear(each)["op"] for each in sockets} == {"hello"}
        extra = stack.enter_context(_open(web, token))
        with pytest.raises(ConnectionClosed) as closed:
            _hear(extra)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, "too many live streams" in closed.value.rcvd.reason) == (4429, True)
        asked = urllib.request.Request(f"{web}/api/v1/events?topics=fleet")
        asked.add_header("Authorization", f"Bearer {token}")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked)
        assert refused.value.code == 429
        refused.value.close()
        with _open(web, token_of("otto")) as other:
            assert _hear(other)["op"] == "hello"
        sockets[0].close()
        until = time.monotonic() + 120
        while time.monotonic() < until:
            try:
                with _open(web, token) as again:
                    assert _hear(again)["op"] == "hello"
                    break
            except ConnectionClosed:
                time.sleep(0.1)
        else:
            raise AssertionError("a closed stream still counts")


def test_who_loses_the_right_loses_the_stream(web: str) -> None:
    make_account("vera", "viewer")
    with _open(web, token_of("vera")) as socket:
        _subscribe(socket, "fleet")
        _wait_subscribed(socket)
        unbind_role(FOUNDER, RoleBinding.objects.get(subject="vera").pk)
        with pytest.raises(ConnectionClosed) as closed:
            _until(socket, "event")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403


def test_what_ends_by_the_clock_ends_the_stream_though_no_binding_changed(web: str) -> None:
    make_account("vera", "viewer")
    make_account("nora", "viewer")
    ending, lasting = token_of("vera"), token_of("vera")
    headers = {"Authorization": f"Bearer {token_of('nora')}"}
    request = urllib.request.Request(f"{web}/api/v1/events?topics=fleet", headers=headers)
    with _open(web, ending) as of_token, _open(web, token_of("nora")) as of_hours, _open(web, lasting) as on:
        with urllib.request.urlopen(request, timeout=60) as told:
            for socket in (of_token, of_hours, on):
                _subscribe(socket, "fleet")
                _wait_subscribed(socket)
            assert _read_event(told)["data"]["op"] == "hello"
            # As time does it: the rows are what they would be later, and no event is sent.
            Token.objects.filter(digest=digest_of(ending)).update(expires_at=timezone.now())
            yesterday = {"days": [(timezone.now() - timedelta(days=1)).isoweekday()]}
            RoleBinding.objects.filter(subject="nora").update(conditions=yesterday)
            codes = []
            for socket in (of_token, of_hours):
                with pytest.raises(ConnectionClosed) as closed:
                    _until(socket, "event")
                assert closed.value.rcvd is not None
                codes.append(closed.value.rcvd.code)
            heard = [json.loads(line[6:])["op"] for line in told if line.startswith(b"data: ")]
        assert (codes, set(heard) <= {"heartbeat"}) == ([4401, 4403], True)
        outbox.publish("fleet", "cell", "a", full={"ready": 1}, rev=1)
        assert _until(on, "event")["id"] == "a"


def test_a_malformed_message_ends_the_socket_with_a_reason(web: str) -> None:
    make_account("vera", "viewer")
    with _open(web, token_of("vera")) as socket:
        socket.send('{"op": "subscribe", "topics": "fleet"}')
        with pytest.raises(ConnectionClosed) as closed:
            _until(socket, "event")
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4400, "topics must be a list of names.")


def test_server_sent_events_carry_the_same_stream(web: str) -> None:
    make_account("vera", "viewer")
    outbox.publish("fleet", "cell", "a", full={"n": 1}, rev=1)
    headers = {"Authorization": f"Bearer {token_of('vera')}", "Last-Event-ID": "0"}
    request = urllib.request.Request(f"{web}/api/v1/events?topics=fleet", headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        hello = _read_event(answer)
        event = _read_event(answer)
    assert hello["data"]["op"] == "hello"
    assert (event["id"], event["data"]["id"]) == (str(event["data"]["seq"]), "a")
    for query, headers_, status in (
        ("topics=fleet", {}, 401),
        ("topics=audit", headers, 403),
        ("", headers, 400),
    ):
        request = urllib.request.Request(f"{web}/api/v1/events?{query}", headers=headers_)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=60)
        assert refused.value.code == status
        refused.value.close()


def _events(web: str, token: str, last: str = "", query: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} | ({"Last-Event-ID": last} if last else {})
    request = urllib.request.Request(f"{web}/api/v1/events?topics=fleet{query}", headers=headers)
    return urllib.request.urlopen(request, timeout=60)


def test_a_stream_of_events_that_is_cut_anywhere_and_resumed_loses_nothing(web: str) -> None:
    make_account("vera", "viewer")
    token = token_of("vera")
    for number in range(6):
        outbox.publish("fleet", "cell", str(number), full={"n": number}, rev=1)
    for cut in range(5):
        heard: list[str] = []
        last, query, connections = "", "&since=0", 0
        while len(heard) < 6:
            connections += 1
            assert connections < 40
            with _events(web, token, last, "" if last else query) as stream:
                for place in range(cut + 1):
                    event = _read_event(stream)
                    assert (event["data"]["op"] == "hello") == (place == 0)
                    assert place > 0 or "id" not in event
                    # As an EventSource: the last id that was told.
                    last = event.get("id", last)
                    if event["data"]["op"] == "event":
                        heard.append(event["data"]["id"])
                    if len(heard) == 6:
                        break
            if cut == 0:
                assert last == ""
                break
        assert heard == ([] if cut == 0 else [str(number) for number in range(6)])


def test_a_stream_that_begins_now_and_is_cut_after_its_greeting_resumes_from_there(web: str) -> None:
    make_account("vera", "viewer")
    token = token_of("vera")
    outbox.publish("fleet", "cell", "before", full={}, rev=1)
    with _events(web, token) as stream:
        hello, begun = _read_event(stream), _read_event(stream)
    assert (hello["data"]["op"], begun["data"]["op"], "id" in hello) == ("hello", "heartbeat", False)
    outbox.publish("fleet", "cell", "after", full={}, rev=1)
    with _events(web, token, begun["id"]) as stream:
        _read_event(stream)
        assert _read_event(stream)["data"]["id"] == "after"


def test_a_topic_of_an_upgrade_that_there_is_not_is_refused(web: str) -> None:
    make_account("vera", "viewer")
    with _open(web, token_of("vera")) as socket:
        _subscribe(socket, "upgrade:zzz", "fleet")
        denied = _until(socket, "denied")
        outbox.publish("fleet", "cell", "a", full={"n": 1}, rev=1)
        assert _until(socket, "event")["id"] == "a"
    assert (denied["topic"], denied["reason"]) == ("upgrade:zzz", "There is no upgrade 'zzz'.")


def test_a_slow_consumer_reads_its_topics_anew_and_then_hears_what_follows(web: str) -> None:
    make_account("vera", "viewer")
    token = token_of("vera")
    with _open(web, token) as quick, socket_module.socket() as slow:
        _subscribe(quick, "fleet")
        slow.setsockopt(socket_module.SOL_SOCKET, socket_module.SO_RCVBUF, 65_536)
        slow.connect(("127.0.0.1", int(web.rpartition(":")[2])))
        asked = f"GET /api/v1/events?topics=fleet HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
        slow.sendall(asked.encode())
        slow.settimeout(60)
        text = bytearray(slow.recv(512))
        # Beyond what the queue and the buffers of the kernel hold, in parts that who reads keeps up with.
        for part in range(5):
            rows = [
                OutboxEvent(
                    at=timezone.now(),
                    topic="fleet",
                    kind="cell",
                    key=f"{part}/{number}",
                    full={"load": "x" * 8_000},
                )
                for number in range(500)
            ]
            OutboxEvent.objects.bulk_create(rows)
            assert len({_until(quick, "event")["id"] for _ in rows}) == 500
        outbox.publish("fleet", "cell", "last", full={"n": 1}, rev=1)
        assert _until(quick, "event")["id"] == "last"
        while b'"id":"last"' not in text[-100_000:]:
            received = slow.recv(1 << 20)
            assert received
            text += received
    assert text.count(b'{"op":"resync","topic":"fleet"}') >= 1
    after = text.rpartition(b'{"op":"resync","topic":"fleet"}')[2]
    assert b'"id":"last"' in after
    assert text.count(b'"op":"event"') < 3_001


def test_more_streams_than_database_connections_leave_the_doors_open(web: str) -> None:
    make_account("vera", "viewer")
    token = {"Authorization": f"Bearer {token_of('vera')}"}
    browser = Client()
    browser.force_login(Account.objects.get(username="vera"), "django.contrib.auth.backends.ModelBackend")
    session = {"Cookie": f"sessionid={browser.cookies['sessionid'].value}"}
    address = f"{web}/api/v1/events?topics=fleet"
    with ExitStack() as streams:
        for number in range(MOST_CONNECTIONS + 4):
            request = urllib.request.Request(address, headers=session if number % 2 else token)
            answer = streams.enter_context(urllib.request.urlopen(request, timeout=60))
            assert _read_event(answer)["data"]["op"] == "hello"
        request = urllib.request.Request(f"{web}/api/v1/session", headers=token)
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer)["account"]["name"] == "vera"


def _read_event(answer: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    while True:
        line = answer.readline().decode().rstrip("\n")
        if not line:
            return found
        name, _, value = line.partition(": ")
        found[name] = json.loads(value) if name == "data" else value


class _Watcher:
    """A client as the browser is one: subscribe first, then the snapshot, then events by revision."""

    def __init__(self, web: str, token: str) -> None:
        self.web, self.token = web, token
        self.seq: int | None = None
        self.state: State = {}

    def snapshot(self) -> State:
        request = urllib.request.Request(
            f"{self.web}/api/v1/operations", headers={"Authorization": f"Bearer {self.token}"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            items = json.load(answer)["items"]
        return {("operations", "operation", item["id"]): (item["rev"], item) for item in items}

    def watch(self, seconds: float) -> None:
        with _open(self.web, self.token) as socket:
            hello = _until(socket, "hello")
            if self.seq is None:
                self.seq = hello["seq"]
                _subscribe(socket, "operations")
                _wait_subscribed(socket)
                self.state = self.snapshot()
            else:
                _subscribe(socket, "operations", since=self.seq)
            end = time.monotonic() + seconds
            while (left := end - time.monotonic()) > 0:
                try:
                    self._take(_hear(socket, left))
                except TimeoutError:
                    return

    def _take(self, message: dict[str, Any]) -> None:
        assert message["op"] in {"event", "heartbeat", "hello"}
        if message["op"] != "event":
            return
        self.seq = max(self.seq or 0, message["seq"])
        event = Event(
            message["seq"],
            datetime.now(UTC),
            message["topic"],
            message["kind"],
            message["id"],
            message["rev"],
            message.get("full"),
            message.get("patch"),
        )
        self.state = apply(self.state, event)


def _one_change(chance: random.Random, actor: Actor, running: list[str]) -> None:
    choice = chance.random()
    if choice < 0.2 or not running:
        if len(running) < 30:
            running.append(str(begin_operation(actor, "copy", Target("service", "s"))["id"]))
    elif choice < 0.9:
        report_progress(chance.choice(running), {"copied": chance.randrange(1000)})
    else:
        end_operation(running[chance.randrange(len(running))], "All is copied.", failed=False)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_snapshot_and_the_events_after_it_equal_a_fresh_snapshot(web: str, seed: int) -> None:
    import threading

    from django.db import connections

    chance = random.Random(seed)
    actor = make_account("vera", "viewer")
    watcher = _Watcher(web, token_of("vera"))
    over = threading.Event()

    def write() -> None:
        running: list[str] = []
        try:
            while not over.is_set():
                _one_change(chance, actor, running)
        finally:
            connections.close_all()

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    for _ in range(4):
        watcher.watch(random.Random(seed).uniform(0.2, 0.9))
    over.set()
    for writer in writers:
        writer.join()
    watcher.watch(1.5)
    fresh = watcher.snapshot()
    assert len(fresh) > 5
    assert {key: value for key, value in watcher.state.items() if key in fresh} == fresh


def test_a_stream_tells_of_the_places_that_a_role_reaches(web: str) -> None:
    make_account("eva", "viewer", region="eu-*")
    make_account("vera", "viewer")
    outbox.publish("fleet", "cell", "first", patch={}, places=[("iam", "us-1")])
    since = outbox.number().seq
    told = {"a": [("iam", "us-1")], "b": [("iam", "eu-1")], "c": [("iam", "eu-1"), ("iam", "us-1")], "d": []}
    with _open(web, token_of("eva")) as near, _open(web, token_of("vera")) as far:
        for each in (near, far):
            _subscribe(each, "fleet")
            _wait_subscribed(each)
        for id, places in told.items():
            outbox.publish("fleet", "cell", id, full={"id": id}, places=places)
        assert [_until(near, "event")["id"] for _ in range(2)] == ["b", "d"]
        assert [_until(far, "event")["id"] for _ in range(4)] == ["a", "b", "c", "d"]
        assert "places" not in json.dumps(_drain(near, 0.5))
    with _open(web, token_of("eva")) as again:
        _subscribe(again, "fleet", since=since)
        assert [_until(again, "event")["id"] for _ in range(2)] == ["b", "d"]


def test_whose_role_reaches_further_reads_anew_and_hears_the_rest(web: str) -> None:
    make_account("eva", "viewer", region="eu-*")
    with _open(web, token_of("eva")) as socket:
        _subscribe(socket, "fleet", "health")
        _wait_subscribed(socket)
        bind_role(FOUNDER, NewBinding("account", "eva", "viewer", service="*", region="us-*"))
        assert _until(socket, "resync")["topic"] == "fleet"
        outbox.publish("fleet", "cell", "far", full={}, places=[("iam", "us-1")])
        assert _until(socket, "event")["id"] == "far"

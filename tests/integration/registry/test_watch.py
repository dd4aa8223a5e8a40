"""Watches over real HTTP: snapshots, changes, resume, resets, pages that move."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from django.db import close_old_connections, connection, transaction

from migrations_app.control.registry.commands.delete_registered import delete_registered
from migrations_app.control.registry.commands.save_registered import create_registered, update_registered
from migrations_app.control.registry.controllers.registry_keeping import forget
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.env import Collection
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.engine.registry.meta_client import read_watch_message
from migrations_app.models.registry import RegistryChange, RegistryHead
from tests.contract.meta.messages import parse, parse_error
from tests.factories.access import make_account, token_of
from tests.processes import Children

WATCH = "/meta/v1/regions:watch"


class Watcher:
    """Reads the messages of one stream, each parsed by protobuf's own parser."""

    def __init__(self, lines: Iterator[str], message: str) -> None:
        self._lines, self._message = lines, message

    def next(self, message: str = "") -> Any:
        """Give the next message that says anything but its size."""
        while True:
            line = next(self._lines)
            if line:
                found = json.loads(line)
                parse(message or self._message, found)
                if set(found) - {"isCurrent", "resumeToken", "snapshotSize"}:
                    return found

    def token(self) -> str:
        """Give the next resume token."""
        while True:
            found = json.loads(next(self._lines))
            if "resumeToken" in found:
                return str(found["resumeToken"])


@pytest.fixture(scope="module")
def process(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One web process for all tests here: it must also bear that the tables are emptied between them."""
    children = Children(tmp_path_factory.mktemp("web"))
    try:
        yield children.start_web()
    finally:
        children.stop()


@pytest.fixture
def web(process: str, transactional_db: None) -> Iterator[httpx.Client]:
    """A client of a real web process."""
    make_account("root", "admin")
    token = token_of("root")
    with httpx.Client(
        base_url=process, headers={"Authorization": f"Bearer {token}"}, timeout=httpx.Timeout(20.0)
    ) as client:
        yield client
    close_old_connections()


@contextmanager
def watching(web: httpx.Client, path: str = WATCH, **body: Any) -> Iterator[Watcher]:
    """Open a stream, STATELESS when nothing else is said."""
    kind = path.removesuffix(":watch").split("/")[3:]
    many = len(kind) % 2 == 1
    if many:
        body = {"type": "STATELESS", **body}
    message = f"Watch{kind[-1 if many else -2].capitalize().removesuffix('' if many else 's')}Response"
    with web.stream("POST", path, json=body) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"] == "application/x-ndjson"
        yield Watcher(answer.iter_lines(), message)


def region(name: str, title: str = "") -> None:
    """Make a region, or change its title."""
    update_registered(
        SYSTEM,
        RegistryKind.REGION,
        f"regions/{name}",
        {"title": title},
        mask=(("title",),),
        allow_missing=True,
    )


def names(message: Any, kind: str) -> list[str]:
    """Name what a message tells of, by the kind of change."""
    return [
        (change[kind].get("region") or change[kind])["name"]
        for change in message["regionChanges"]
        if kind in change
    ]


def test_a_stateless_watch_gives_a_snapshot_in_chunks_then_changes(web: httpx.Client) -> None:
    for name in ("aa", "bb", "cc"):
        region(name)
    with watching(web, maxChunkSize=2) as watcher:
        first, second = watcher.next(), watcher.next()
        assert (first["snapshotSize"], names(first, "added")) == ("-1", ["regions/aa", "regions/bb"])
        assert "isCurrent" not in first
        assert (names(second, "added"), second["isCurrent"]) == (["regions/cc"], True)
        region("dd")
        assert names(watcher.next(), "added") == ["regions/dd"]
        region("aa", "Renamed")
        changed = watcher.next()
        assert names(changed, "modified") == ["regions/aa"]
        assert changed["regionChanges"][0]["modified"]["region"]["title"] == "Renamed"
        delete_registered(SYSTEM, RegistryKind.REGION, "regions/bb")
        assert names(watcher.next(), "removed") == ["regions/bb"]


def test_a_filter_lets_documents_enter_and_leave(web: httpx.Client) -> None:
    region("aa", "kept")
    with watching(web, filter='title = "kept"', fieldMask="name,title") as watcher:
        assert names(watcher.next(), "added") == ["regions/aa"]
        region("bb", "kept")
        assert watcher.next()["regionChanges"] == [
            {"added": {"region": {"name": "regions/bb", "title": "kept"}}}
        ]
        region("aa", "gone")
        assert names(watcher.next(), "removed") == ["regions/aa"]


def test_a_watch_resumes_where_it_was_and_resets_when_it_cannot(web: httpx.Client) -> None:
    region("aa")
    with watching(web) as watcher:
        token = watcher.next()["resumeToken"]
    region("bb")
    with watching(web, resumeToken=token) as watcher:
        resumed = watcher.next()
        assert (names(resumed, "current"), resumed["isCurrent"]) == (["regions/bb"], True)
        assert "isHardReset" not in resumed
    assert forget(timedelta(0)) == 2
    with watching(web, resumeToken=token) as watcher:
        assert watcher.next()["isHardReset"] is True
        assert names(watcher.next(), "current") == ["regions/aa", "regions/bb"]
    refused = web.post(WATCH, json={"type": "STATELESS", "resumeToken": "forged"})
    assert (refused.status_code, parse_error(refused.json())["reason"]) == (400, "resume-token")


def test_a_stateful_watch_tells_how_a_page_moves(web: httpx.Client) -> None:
    region("aa")
    region("cc")
    with watching(web, type="STATEFUL", orderBy="name desc", pageSize=2, view="NAME") as watcher:
        first = watcher.next()
        assert first["regionChanges"] == [
            {"added": {"region": {"name": "regions/cc"}, "viewIndex": 0}},
            {"added": {"region": {"name": "regions/aa"}, "viewIndex": 1}},
        ]
        region("bb")
        moved = watcher.next()
        assert moved["regionChanges"] == [
            {"removed": {"name": "regions/aa", "viewIndex": 1}},
            {"added": {"region": {"name": "regions/bb"}, "viewIndex": 1}},
        ]
        assert "nextPageToken" in moved["pageTokenChange"]
        region("dd")
        assert [next(iter(one)) for one in watcher.next()["regionChanges"]] == [
            "removed",
            "added",
            "modified",
        ]


def test_one_name_is_watched(web: httpx.Client) -> None:
    region("aa")
    with watching(web, "/meta/v1/regions/aa:watch", fieldMask="title") as watcher:
        assert watcher.next()["change"] == {"added": {"region": {}}}
        region("bb")
        region("aa", "A")
        assert watcher.next()["change"] == {"modified": {"name": "regions/aa", "region": {"title": "A"}}}
    assert web.post("/meta/v1/regions/zz:watch", json={}).status_code == 404


def test_a_name_that_is_removed_is_told(web: httpx.Client) -> None:
    region("aa")
    with watching(web, "/meta/v1/regions/aa:watch") as watcher:
        watcher.next()
        delete_registered(SYSTEM, RegistryKind.REGION, "regions/aa")
        assert watcher.next()["change"] == {"removed": {"name": "regions/aa"}}
    region("bb")
    resumed = web.post("/meta/v1/regions/bb:watch", json={"resumeToken": "x"})
    assert (resumed.status_code, parse_error(resumed.json())["reason"]) == (400, "message-shape")


def test_a_watch_may_start_at_a_time(web: httpx.Client) -> None:
    region("aa")
    region("bb")
    when = RegistryChange.objects.get(name="regions/bb").at
    with watching(web, startingTime=when.isoformat()) as watcher:
        read_watch_message = watcher.next()
        assert (names(read_watch_message, "current"), read_watch_message["isCurrent"]) == (
            ["regions/bb"],
            True,
        )
    forget(timedelta(0))
    with watching(web, startingTime="2001-01-01T00:00:00Z") as watcher:
        assert watcher.next()["isHardReset"] is True
    refused = web.post(WATCH, json={"type": "STATELESS", "startingTime": "yesterday"})
    assert (refused.status_code, parse_error(refused.json())["reason"]) == (400, "message-shape")


def test_a_registry_restored_from_a_copy_resets_its_watchers(web: httpx.Client) -> None:
    region("aa")
    with watching(web) as watcher:
        token = watcher.next()["resumeToken"]
        region("bb")
        watcher.next()
        with transaction.atomic():
            RegistryHead.objects.update(started=uuid4())
            region("cc")
        assert watcher.next() == {"isHardReset": True, "snapshotSize": "-1"}
        assert len(watcher.next()["regionChanges"]) == 3
    with watching(web, resumeToken=token) as watcher:
        assert watcher.next()["isHardReset"] is True


def test_a_stateful_watch_moves_to_its_page(web: httpx.Client) -> None:
    for name in ("aa", "bb", "cc"):
        region(name)
    with watching(web, type="STATEFUL", pageSize=2, view="NAME") as watcher:
        token = watcher.next()["pageTokenChange"]["nextPageToken"]
    with watching(web, type="STATEFUL", pageSize=2, view="NAME", pageToken=token) as watcher:
        second = watcher.next()
        assert second["regionChanges"] == [{"added": {"region": {"name": "regions/cc"}, "viewIndex": 0}}]
        assert set(second["pageTokenChange"]) == {"prevPageToken"}
        region("cc", "renamed")
        region("dd")
        assert watcher.next()["regionChanges"] == [
            {"added": {"region": {"name": "regions/dd"}, "viewIndex": 1}}
        ]


@pytest.mark.parametrize("kind", ["regions", "services", "deployments", "resources"])
def test_each_kind_is_watched_alone_and_together(web: httpx.Client, kind: str) -> None:
    region("eu")
    policy: Any = {"enabledRegions": ["eu"], "defaultControlRegion": "eu"}
    create_registered(
        SYSTEM, RegistryKind.SERVICE, "services/iam", {"allVersions": ["v1"], "multiRegionPolicy": policy}
    )
    create_registered(
        SYSTEM, RegistryKind.DEPLOYMENT, "services/iam/deployments/eu", {"currentVersion": "v1"}
    )
    create_registered(SYSTEM, RegistryKind.RESOURCE, "services/iam/resources/User", {})
    path, name = {
        "regions": ("regions", "regions/eu"),
        "services": ("services", "services/iam"),
        "deployments": ("services/-/deployments", "services/iam/deployments/eu"),
        "resources": ("services/iam/resources", "services/iam/resources/User"),
    }[kind]
    singular = kind.removesuffix("s")
    bodies: tuple[dict[str, Any], ...] = ({}, {"type": "STATEFUL"})
    for body in bodies:
        with watching(web, f"/meta/v1/{path}:watch", **body) as watcher:
            first = watcher.next()
            assert [each["added"][singular]["name"] for each in first[f"{singular}Changes"]] == [name]
    with watching(web, f"/meta/v1/{name}:watch") as watcher:
        assert watcher.next()["change"]["added"][singular]["name"] == name


def test_watchers_outlive_a_loss_of_the_tables(web: httpx.Client) -> None:
    region("aa")
    with watching(web) as watcher:
        watcher.next()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        region("bb")
        assert names(watcher.next(), "added") == ["regions/bb"]


def test_what_is_told_half_is_taken_back_by_a_soft_reset(
    transactional_db: None, tmp_path: Path, web: httpx.Client
) -> None:
    region("aa")
    with watching(web) as watcher:
        token = watcher.next()["resumeToken"]
    head = RegistryHead.objects.get()
    written = RegistryChange.objects.get(seq=head.seq)
    later = [(seq, f"regions/r{seq:04}") for seq in range(head.seq + 1, head.seq + 1501)]
    RegistryChange.objects.bulk_create(
        RegistryChange(seq=seq, at=written.at, kind="regions", name=name, document={"name": name})
        for seq, name in later
    )
    RegistryHead.objects.update(seq=head.seq + 1500)
    children = Children(tmp_path)
    try:
        url = children.start_web(SWITCHYARD_FAIL="watch-behind:raise@2")
        with httpx.Client(base_url=url, headers=web.headers, timeout=120.0) as other:
            seen = Collection()
            with other.stream(
                "POST", WATCH, json={"type": "STATELESS", "resumeToken": token, "maxChunkSize": 5000}
            ) as answer:
                messages = [json.loads(line) for line in itertools.islice(answer.iter_lines(), 4)]
        for message in messages:
            parse("WatchRegionsResponse", message)
            seen.take(read_watch_message(RegistryKind.REGION, message))
    finally:
        children.stop()
    assert [
        (len(each.get("regionChanges", [])), each.get("isCurrent", False), each.get("isSoftReset", False))
        for each in messages
    ] == [(1000, False, False), (0, False, True), (1000, False, False), (500, True, False)]
    assert len(seen.documents) == 1500


def test_a_stream_may_be_server_sent_events(web: httpx.Client) -> None:
    create_registered(SYSTEM, RegistryKind.REGION, "regions/aa", {})
    with web.stream(
        "POST", WATCH, json={"type": "STATELESS"}, headers={"Accept": "text/event-stream"}
    ) as answer:
        lines = answer.iter_lines()
        assert answer.headers["content-type"] == "text/event-stream"
        assert next(lines).startswith("id: ")
        assert len(json.loads(next(lines).removeprefix("data: "))["regionChanges"]) == 1


def test_what_is_wrong_is_answered_before_the_stream(web: httpx.Client) -> None:
    for body, reason in (({"filter": "nonsense = 1"}, "filter-path"), ({"type": "OTHER"}, "option")):
        refused = web.post(WATCH, json=body)
        assert (refused.status_code, parse_error(refused.json())["reason"]) == (400, reason)
    assert httpx.post(f"{web.base_url}{WATCH}".replace("//meta", "/meta"), json={}).status_code == 401

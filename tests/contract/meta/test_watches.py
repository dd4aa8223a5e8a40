"""Watches over HTTP and gRPC as the published watcher reads them: snapshot, size, changes, resume, resets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from django.db import transaction

from migrations_app.control.registry.commands.delete_registered import delete_registered
from migrations_app.control.registry.commands.save_registered import update_registered
from migrations_app.control.registry.controllers.registry_keeping import forget
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.models.registry import RegistryHead
from tests.contract.meta.test_conformance import Both, Running, running  # noqa: F401 - the fixture
from tests.contract.meta.transports import Failed, Grpc, Rest, Transport
from tests.factories.access import make_account, token_of
from tests.processes import Children, free_port


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


@pytest.fixture
def both(running: Running, transactional_db: None) -> Iterator[Both]:  # noqa: F811
    """An admin's clients, and two regions."""
    make_account("root", "admin")
    token = token_of("root")
    region("aa")
    region("bb")
    with grpc.insecure_channel(running.grpc) as channel, closing(Rest(running.web, token)) as rest:
        yield Both(rest, Grpc(channel, token))


@pytest.fixture(params=["rest", "grpc"])
def meta(request: pytest.FixtureRequest, both: Both) -> Transport:
    """Each transport in turn."""
    return both.named(request.param)


def said(message: Any) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    """Tell the changes of a message by kind and name, and everything else that it says."""
    changes = []
    for change in message.region_changes:
        kind = change.WhichOneof("change_type")
        part = getattr(change, kind)
        changes.append((kind, part.name if kind == "removed" else part.region.name))
    rest = {
        field.name: value
        for field, value in message.ListFields()
        if field.name not in ("region_changes", "resume_token", "page_token_change")
    }
    return changes, rest


STATELESS = {"type": "STATELESS"}
ALIVE = {"is_current": True, "snapshot_size": -1}


def test_a_snapshot_is_whole_then_its_size_is_told_then_changes(meta: Transport) -> None:
    with closing(meta.watch("WatchRegions", {**STATELESS, "maxChunkSize": 1})) as stream:
        first, second, size = next(stream), next(stream), next(stream)
        assert said(first) == ([("added", "regions/aa")], {"snapshot_size": -1})
        assert said(second) == ([("added", "regions/bb")], ALIVE)
        assert (first.resume_token, bool(second.resume_token)) == ("", True)
        assert said(size) == ([], {"snapshot_size": 2})
        region("cc")
        assert said(next(stream)) == ([("added", "regions/cc")], ALIVE)
        region("aa", "A")
        assert said(next(stream)) == ([("modified", "regions/aa")], ALIVE)
        delete_registered(SYSTEM, RegistryKind.REGION, "regions/bb")
        assert said(next(stream)) == ([("removed", "regions/bb")], ALIVE)


def test_a_size_of_nothing_is_told(meta: Transport) -> None:
    with closing(meta.watch("WatchServices", STATELESS)) as stream:
        whole, size = next(stream), next(stream)
    assert (whole.is_current, whole.snapshot_size, len(whole.service_changes)) == (True, -1, 0)
    assert (size.is_current, size.snapshot_size) == (False, 0)


def test_a_watch_goes_on_at_its_token_and_resets_when_it_cannot(meta: Transport) -> None:
    with closing(meta.watch("WatchRegions", STATELESS)) as stream:
        token = next(stream).resume_token
    region("cc")
    with closing(meta.watch("WatchRegions", {**STATELESS, "resumeToken": token})) as stream:
        assert said(next(stream)) == ([("current", "regions/cc")], ALIVE)
    assert forget(timedelta(0)) > 0
    with closing(meta.watch("WatchRegions", {**STATELESS, "resumeToken": token})) as stream:
        assert said(next(stream)) == ([], {"is_hard_reset": True, "snapshot_size": -1})
        changes, rest = said(next(stream))
        assert (changes, rest) == ([("current", f"regions/{name}") for name in ("aa", "bb", "cc")], ALIVE)
        assert said(next(stream)) == ([], {"snapshot_size": 3})


def test_another_registry_resets_a_watch_that_is_open(meta: Transport) -> None:
    with closing(meta.watch("WatchRegions", STATELESS)) as stream:
        next(stream), next(stream)
        with transaction.atomic():
            RegistryHead.objects.update(started="00000000-0000-4000-8000-000000000001")
            region("cc")
        assert said(next(stream)) == ([], {"is_hard_reset": True, "snapshot_size": -1})
        assert len(said(next(stream))[0]) == 3


def test_a_watch_without_a_type_is_a_page(meta: Transport) -> None:
    fields = {"pageSize": 1, "orderBy": "name desc", "view": "NAME"}
    with closing(meta.watch("WatchRegions", fields)) as stream:
        first = next(stream)
        assert said(first) == ([("added", "regions/bb")], ALIVE)
        assert first.resume_token == ""
        assert bool(first.page_token_change.next_page_token)
        region("cc")
        moved = next(stream)
        assert said(moved)[0] == [("removed", "regions/bb"), ("added", "regions/cc")]
        assert moved.region_changes[1].added.view_index == 0


def test_one_name_is_watched(meta: Transport) -> None:
    with closing(meta.watch("WatchRegion", {"name": "regions/aa", "fieldMask": "title"})) as stream:
        assert next(stream).change.WhichOneof("change_type") == "added"
        region("aa", "A")
        changed = next(each for each in stream if each.HasField("change")).change
        assert (changed.modified.name, changed.modified.region.title) == ("regions/aa", "A")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"resumeToken": "x"}, "option"),
        ({**STATELESS, "pageSize": 2}, "option"),
        ({**STATELESS, "resumeToken": "forged"}, "resume-token"),
        ({**STATELESS, "filter": "nonsense = 1"}, "filter-path"),
    ],
)
def test_what_a_watch_cannot_do_is_refused(meta: Transport, fields: Any, reason: str) -> None:
    with pytest.raises(Failed) as refused:
        next(meta.watch("WatchRegions", fields))
    assert (refused.value.code, refused.value.reason) == ("INVALID_ARGUMENT", reason)


@pytest.mark.parametrize("form", ["rest", "grpc"])
def test_a_connection_that_is_killed_loses_nothing(transactional_db: None, tmp_path: Path, form: str) -> None:
    make_account("root", "admin")
    token, port, children = token_of("root"), free_port(), Children(tmp_path)
    region("aa")

    def opened() -> Transport:
        if form == "rest":
            return Rest(children.start_web_at("served", port), token)
        channel = grpc.insecure_channel(children.start_grpc("served", port))
        return Grpc(channel, token)

    try:
        first = opened()
        stream = first.watch("WatchRegions", STATELESS)
        resume = next(stream).resume_token
        next(stream)
        children.kill("served")
        with pytest.raises((httpx.TransportError, ConnectionError)):
            next(stream)
        first.close()
        region("bb")
        delete_registered(SYSTEM, RegistryKind.REGION, "regions/aa")
        again = opened()
        with closing(again.watch("WatchRegions", {**STATELESS, "resumeToken": resume})) as resumed:
            assert said(next(resumed)) == ([("current", "regions/bb"), ("removed", "regions/aa")], ALIVE)
        again.close()
    finally:
        children.stop()

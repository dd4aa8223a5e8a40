"""Search where a type is searchable: in every version, level with what is written, without secrets."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from migrations_app.adapters.search.postgres import PostgresSearch
from migrations_app.adapters.store.copying import PostgresCopies
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.controller import Again, Budget, Outcome, Rest
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.engine.sync.search import (
    EVERY_SECONDS,
    FOLLOWER,
    QUIET_EVERY_SECONDS,
    QUIET_SECONDS,
    SWEEP_SECONDS,
    SearchController,
)
from migrations_app.kernel.clock import HeldClock, SystemClock
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.copies import CopySource
from migrations_app.ports.locks import Lease
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.stored import Put, Removal
from migrations_app.resource_api.openapi.document import openapi
from migrations_app.resource_api.requests import ResourceApi
from tests.integration.resource_api.conftest import DEPLOYMENT, EXAMPLES, REGION, SERVICE, Yard, files_of

SECRETS = "projects/p/secrets"


@pytest.fixture
def controller(transactional_db: None, ports: Yard) -> SearchController:
    """The controller of the yard, whose secrets are searchable in both versions."""
    files = files_of(EXAMPLES / "secrets")
    searchable = b'      options: {optIns: {searchable: true}}\n      patterns: ["projects/{project}/'
    for path in ("v1alpha2.yaml", "v1.yaml"):
        text = files[path].replace(b'      patterns: ["projects/{project}/', searchable, 1)
        assert text != files[path]
        files[path] = text
    apply_service(SYSTEM, files)
    ports.servers.directory.forget(REGION, SERVICE)
    databases = ports.store._databases
    search = PostgresSearch(databases)
    servers = ports.servers
    ports.servers = ResourceServers(servers.directory, servers.router, servers.feed, search=search)
    ports.api = ResourceApi(ports.servers)
    return SearchController(
        ports.store, ports.feed, search, servers.directory, lambda: [Peer(SERVICE, REGION)], SystemClock()
    )


def level(controller: SearchController) -> None:
    for key in controller.due():
        while controller.reconcile(key, Budget(60.0, SystemClock()), Lease(key, 1, "search")) != Again(1.0):
            pass


def names(
    ports: Yard, phrase: str, parent: str = SECRETS, version: str = "v1alpha2", **query: str
) -> list[str]:
    found = ports.call("GET", f"{parent}:search", version=version, phrase=phrase, **query).document
    return [each["name"].rpartition("/")[2] for each in found["secrets"]]  # type: ignore[index,union-attr,call-overload]


def test_what_is_written_is_found_once_the_index_is_level(ports: Yard, controller: SearchController) -> None:
    ports.call(
        "POST", SECRETS, {"title": "Front door", "encData": "c2VjcmV0", "labels": {"team": "gate"}}, id="one"
    )
    level(controller)
    ports.call("POST", SECRETS, {"title": "Back door"}, id="two")
    ports.call("POST", "projects/q/secrets", {"title": "Other door"}, id="three")
    level(controller)

    assert names(ports, "door") == ["one", "two"]
    assert names(ports, "DOOR fro*") == ["one"]
    assert names(ports, "gate team") == ["one"]
    assert names(ports, "c2VjcmV0") == []
    assert names(ports, "door", "projects/-/secrets") == ["one", "two", "three"]
    first = ports.call("GET", f"{SECRETS}:search", phrase="door", pageSize="1", view="NAME").document
    assert first["secrets"] == [{"name": f"{SECRETS}/one"}]  # type: ignore[index,call-overload]
    assert names(ports, "door", pageSize="1", pageToken=str(first["nextPageToken"])) == ["two"]  # type: ignore[index,call-overload]

    ports.call("PATCH", f"{SECRETS}/one", {"title": "Front gate"})
    ports.call("DELETE", f"{SECRETS}/two")
    level(controller)
    assert (names(ports, "door"), names(ports, "gate")) == ([], ["one"])


def test_both_versions_are_searched_before_and_after_the_switch(
    ports: Yard, controller: SearchController
) -> None:
    ports.call("POST", SECRETS, {"title": "Front door"}, id="one")
    level(controller)
    ports.fill()
    controller._swept.clear()
    level(controller)
    everywhere = "projects/-/regions/-/secrets"
    assert names(ports, "front", everywhere, "v1") == ["one"]
    ports.switch()
    ports.call("POST", SECRETS, {"title": "Front gate"}, id="two")
    level(controller)
    assert names(ports, "front", everywhere, "v1") == ["one", "two"]
    assert names(ports, "front") == ["one", "two"]


def test_two_versions_rest_once_they_were_compared_after_the_end_of_the_upgrade(
    ports: Yard, controller: SearchController
) -> None:
    clock, filled = HeldClock(), True
    controller.clock, controller.rest = clock, Rest(lambda: 1, clock)
    controller.is_filled = lambda _: filled

    def turn() -> Outcome:
        (key,) = controller.due()
        return controller.reconcile(str(key), Budget(60.0, SystemClock()), Lease(str(key), 1, "search"))

    ports.call("POST", SECRETS, {"title": "Front door"}, id="one")
    assert turn() == Again(EVERY_SECONDS)
    ports.fill()
    # What was copied into the new version is in no feed, and the upgrade ends before the next comparison.
    filled = False
    assert turn() == Again(SWEEP_SECONDS)
    clock.advance(SWEEP_SECONDS)
    rests = turn()
    assert isinstance(rests, Again)
    assert rests.after_seconds > 5 * SWEEP_SECONDS
    assert names(ports, "front", "projects/-/regions/-/secrets", "v1") == ["one"]


def test_places_that_an_upgrade_copies_into_are_asked_less_often_while_nothing_changes(
    ports: Yard, controller: SearchController
) -> None:
    clock = HeldClock()
    controller.clock, controller.rest = clock, Rest(lambda: 1, clock)
    controller.is_filled = lambda _: True

    def turn() -> Outcome:
        (key,) = controller.due()
        return controller.reconcile(str(key), Budget(60.0, SystemClock()), Lease(str(key), 1, "search"))

    ports.fill()
    assert turn() == Again(EVERY_SECONDS)
    clock.advance(QUIET_SECONDS)
    ports.feed.beat(ports.namespace("v1alpha2"), "pulse")
    assert turn() == Again(QUIET_EVERY_SECONDS)
    ports.call("POST", SECRETS, {"title": "Front door"}, id="one")
    assert turn() == Again(EVERY_SECONDS)
    assert names(ports, "front") == ["one"]


def test_read_copies_of_other_regions_are_found_and_forgotten(
    ports: Yard, controller: SearchController
) -> None:
    level(controller)
    copies, home = PostgresCopies(ports.store._databases), ports.namespace("v1alpha2")
    at, name = datetime(2026, 1, 1, tzinfo=UTC), f"{SECRETS}/one"
    body: JsonObject = {"title": "Front door"}
    put = Put("Secret", name, uuid4(), 7, 0, body, {}, "us-east2", at, at)
    source, _ = copies.bring(home, CopySource("us-east2"), [put])
    level(controller)
    assert names(ports, "front door") == ["one"]
    copies.bring(home, source, [Removal("Secret", name, put.uid, 8, 0)])
    level(controller)
    assert names(ports, "front door") == []


def test_a_follower_that_was_given_up_begins_again(ports: Yard, controller: SearchController) -> None:
    ports.call("POST", SECRETS, {"title": "Front door"}, id="one")
    level(controller)
    home = ports.namespace("v1alpha2")
    ports.feed.forget(home, FOLLOWER)
    ports.call("POST", SECRETS, {"title": "Back door"}, id="two")
    level(controller)
    assert names(ports, "door") == ["one", "two"]
    assert {each.follower for each in ports.feed.cursors(home)} == {FOLLOWER}


def test_what_is_not_searchable_says_so(ports: Yard, controller: SearchController) -> None:
    for path, phrase, code in (
        ("projects/p/secretGrants", "x", "not-searchable"),
        (SECRETS, " ,;", "phrase"),
        (SECRETS, "", "phrase"),
    ):
        with pytest.raises(Invalid) as refused:
            ports.call("GET", f"{path}:search", phrase=phrase)
        assert refused.value.code == code
    paths = openapi(ports.servers.schema(REGION, SERVICE, "v1"), REGION)["paths"]
    assert [path for path in paths if path.endswith(":search")] == [  # type: ignore[union-attr]
        "/projects/{project}/regions/{region}/secrets:search"
    ]
    assert controller.reconcile(DEPLOYMENT, Budget(9.0, SystemClock()), Lease(DEPLOYMENT, 1)) == Again(1.0)

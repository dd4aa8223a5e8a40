"""Search where a type is searchable: in every version, level with what is written, without secrets."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from migrations_app.adapters.search.postgres import PostgresSearch
from migrations_app.adapters.store.copying import PostgresCopies
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.controller import Again, Budget
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.engine.sync.search import FOLLOWER, SearchController
from migrations_app.kernel.clock import SystemClock
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.copies import CopySource
from migrations_app.ports.locks import Lease
from migrations_app.ports.peers import Peer
from migrations_app.ports.stored import Put, Removal
from migrations_app.resource_api.openapi import openapi
from migrations_app.resource_api.requests import ResourceApi
from tests.integration.resource_api.conftest import DEPLOYMENT, EXAMPLES, REGION, SERVICE, Yard, files_of

SECRETS = "projects/p/secrets"


@pytest.fixture
def controller(transactional_db: None, yard: Yard) -> SearchController:
    """The controller of the yard, whose secrets are searchable in both versions."""
    files = files_of(EXAMPLES / "secrets")
    searchable = b'      options: {optIns: {searchable: true}}\n      patterns: ["projects/{project}/'
    for path in ("v1alpha2.yaml", "v1.yaml"):
        text = files[path].replace(b'      patterns: ["projects/{project}/', searchable, 1)
        assert text != files[path]
        files[path] = text
    apply_service(SYSTEM, files)
    yard.servers.directory.forget(REGION, SERVICE)
    databases = yard.store._databases
    search = PostgresSearch(databases)
    servers = yard.servers
    yard.servers = ResourceServers(servers.directory, servers.router, servers.feed, search=search)
    yard.api = ResourceApi(yard.servers)
    return SearchController(
        yard.store, yard.feed, search, servers.directory, lambda: [Peer(SERVICE, REGION)], SystemClock()
    )


def level(controller: SearchController) -> None:
    for key in controller.due():
        while controller.reconcile(key, Budget(60.0, SystemClock()), Lease(key, 1, "search")) != Again(1.0):
            pass


def names(
    yard: Yard, phrase: str, parent: str = SECRETS, version: str = "v1alpha2", **query: str
) -> list[str]:
    found = yard.call("GET", f"{parent}:search", version=version, phrase=phrase, **query).document
    return [each["name"].rpartition("/")[2] for each in found["secrets"]]  # type: ignore[index,union-attr,call-overload]


def test_what_is_written_is_found_once_the_index_is_level(yard: Yard, controller: SearchController) -> None:
    yard.call(
        "POST", SECRETS, {"title": "Front door", "encData": "c2VjcmV0", "labels": {"team": "gate"}}, id="one"
    )
    level(controller)
    yard.call("POST", SECRETS, {"title": "Back door"}, id="two")
    yard.call("POST", "projects/q/secrets", {"title": "Other door"}, id="three")
    level(controller)

    assert names(yard, "door") == ["one", "two"]
    assert names(yard, "DOOR fro*") == ["one"]
    assert names(yard, "gate team") == ["one"]
    assert names(yard, "c2VjcmV0") == []
    assert names(yard, "door", "projects/-/secrets") == ["one", "two", "three"]
    first = yard.call("GET", f"{SECRETS}:search", phrase="door", pageSize="1", view="NAME").document
    assert first["secrets"] == [{"name": f"{SECRETS}/one"}]  # type: ignore[index,call-overload]
    assert names(yard, "door", pageSize="1", pageToken=str(first["nextPageToken"])) == ["two"]  # type: ignore[index,call-overload]

    yard.call("PATCH", f"{SECRETS}/one", {"title": "Front gate"})
    yard.call("DELETE", f"{SECRETS}/two")
    level(controller)
    assert (names(yard, "door"), names(yard, "gate")) == ([], ["one"])


def test_both_versions_are_searched_before_and_after_the_switch(
    yard: Yard, controller: SearchController
) -> None:
    yard.call("POST", SECRETS, {"title": "Front door"}, id="one")
    level(controller)
    yard.fill()
    controller._swept.clear()
    level(controller)
    everywhere = "projects/-/regions/-/secrets"
    assert names(yard, "front", everywhere, "v1") == ["one"]
    yard.switch()
    yard.call("POST", SECRETS, {"title": "Front gate"}, id="two")
    level(controller)
    assert names(yard, "front", everywhere, "v1") == ["one", "two"]
    assert names(yard, "front") == ["one", "two"]


def test_read_copies_of_other_regions_are_found_and_forgotten(
    yard: Yard, controller: SearchController
) -> None:
    level(controller)
    copies, home = PostgresCopies(yard.store._databases), yard.namespace("v1alpha2")
    at, name = datetime(2026, 1, 1, tzinfo=UTC), f"{SECRETS}/one"
    body: JsonObject = {"title": "Front door"}
    put = Put("Secret", name, uuid4(), 7, 0, body, {}, "us-east2", at, at)
    source, _ = copies.bring(home, CopySource("us-east2"), [put])
    level(controller)
    assert names(yard, "front door") == ["one"]
    copies.bring(home, source, [Removal("Secret", name, put.uid, 8, 0)])
    level(controller)
    assert names(yard, "front door") == []


def test_a_follower_that_was_given_up_begins_again(yard: Yard, controller: SearchController) -> None:
    yard.call("POST", SECRETS, {"title": "Front door"}, id="one")
    level(controller)
    home = yard.namespace("v1alpha2")
    yard.feed.forget(home, FOLLOWER)
    yard.call("POST", SECRETS, {"title": "Back door"}, id="two")
    level(controller)
    assert names(yard, "door") == ["one", "two"]
    assert {each.follower for each in yard.feed.cursors(home)} == {FOLLOWER}


def test_what_is_not_searchable_says_so(yard: Yard, controller: SearchController) -> None:
    for path, phrase, code in (
        ("projects/p/secretGrants", "x", "not-searchable"),
        (SECRETS, " ,;", "phrase"),
        (SECRETS, "", "phrase"),
    ):
        with pytest.raises(Invalid) as refused:
            yard.call("GET", f"{path}:search", phrase=phrase)
        assert refused.value.code == code
    paths = openapi(yard.servers.schema(REGION, SERVICE, "v1"), REGION)["paths"]
    assert [path for path in paths if path.endswith(":search")] == [  # type: ignore[union-attr]
        "/projects/{project}/regions/{region}/secrets:search"
    ]
    assert controller.reconcile(DEPLOYMENT, Budget(9.0, SystemClock()), Lease(DEPLOYMENT, 1)) == Again(1.0)

"""References counted in groups and listed group by group, over real deployments."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from migrations_app.control.references.queries import stream as reference_stream
from migrations_app.domain.reach import ALL
from migrations_app.engine.serving.references import groups
from migrations_app.kernel.json import JsonObject
from tests.factories.access import client_of
from tests.integration.resource_api.conftest import DOOR, GRANT, REGION, SERVICE, Yard

BASE = {"service": SERVICE, "region": REGION, "version": "v1alpha2", "kind": "BLOCK"}


@pytest.fixture
def vera(granted: Yard) -> APIClient:
    """A viewer of a secret that one grant refers to twice."""
    return client_of("vera", "viewer")


def counted(client: APIClient, name: str) -> list[dict[str, Any]]:
    answer = client.get("/api/v1/references/groups", {"name": name})
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["groups"]
    return found


def members(client: APIClient, name: str, group: dict[str, Any], **page: str) -> dict[str, Any]:
    named = {key: value for key, value in group.items() if key not in ("count", "is_exact")}
    answer = client.get("/api/v1/references/groups/members", {"name": name, **named, **page})
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def grant(yard: Yard, number: int) -> None:
    body: JsonObject = {"secret": "projects/p/secrets/door", "member": "bob"}
    yard.call("POST", "projects/p/secretGrants", body, id=f"more-{number}")


def test_references_are_counted_by_direction_field_and_rule(vera: APIClient, granted: Yard) -> None:
    for number in range(3):
        grant(granted, number)

    of_grants = {**BASE, "direction": "in", "type": "SecretGrant", "is_exact": True}
    assert counted(vera, DOOR) == [
        {**of_grants, "field": "secret", "count": 4},
        {**of_grants, "field": "secrets[]", "count": 1},
    ]
    to_secrets = {**BASE, "direction": "out", "type": "Secret", "is_exact": True}
    assert counted(vera, GRANT) == [
        {**to_secrets, "field": "secrets[]", "count": 2},
        {**to_secrets, "field": "secret", "count": 1},
    ]


def test_a_group_opens_to_its_single_references_page_by_page(vera: APIClient, granted: Yard) -> None:
    for number in range(3):
        grant(granted, number)
    by_secret, by_list = counted(vera, DOOR)

    first = members(vera, DOOR, by_secret, limit="3")
    second = members(vera, DOOR, by_secret, limit="3", cursor=first["next_cursor"])
    names = [each["id"].rpartition("/")[2] for each in first["items"] + second["items"]]
    assert (names, first["has_more"], second["has_more"]) == (
        ["g1", "more-0", "more-1", "more-2"],
        True,
        False,
    )
    assert members(vera, DOOR, by_list)["items"] == [{"id": GRANT, "path": "secrets[1]"}]

    outgoing, _ = counted(vera, GRANT)
    gate = DOOR.replace("door", "gate")
    first = members(vera, GRANT, outgoing, limit="1")
    second = members(vera, GRANT, outgoing, limit="1", cursor=first["next_cursor"])
    assert [first["items"], second["items"]] == [
        [{"id": DOOR, "path": "secrets[1]"}],
        [{"id": gate, "path": "secrets[0]"}],
    ]


def test_of_more_than_are_counted_it_is_said_that_there_are_at_least_so_many(
    vera: APIClient, granted: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "MOST_COUNTED", 2)
    grant(granted, 0)
    found = counted(vera, DOOR)
    assert {each["is_exact"] for each in found} == {False}
    assert sum(each["count"] for each in found) == 3


def test_what_is_not_asked_for_as_declared_is_refused(vera: APIClient) -> None:
    assert vera.get("/api/v1/references/groups").status_code == 400
    assert vera.get("/api/v1/references/groups", {"name": DOOR, "depth": "2"}).status_code == 400
    assert vera.get("/api/v1/references/groups", {"name": f"{DOOR}-no"}).status_code == 200
    wrong = {**BASE, "name": DOOR, "direction": "both", "type": "SecretGrant", "field": "secret"}
    assert vera.get("/api/v1/references/groups/members", wrong).status_code == 400
    foreign = {**wrong, "direction": "in", "cursor": "x"}
    assert vera.get("/api/v1/references/groups/members", foreign).json()["code"] == "cursor"


# A transaction that stays open would hold what is written back from all feeds.
@pytest.mark.django_db(transaction=True)
def test_counts_are_streamed_as_what_a_write_made_different(granted: Yard) -> None:
    topic = f"references:groups:1:{DOOR}"
    before = reference_stream.graph_of(topic, ALL)
    grant(granted, 0)
    changed = reference_stream.difference(before, reference_stream.graph_of(topic, ALL))

    assert changed is not None
    assert list(changed) == ["nodes"]
    ((key, group),) = changed["nodes"].items()  # type: ignore[union-attr]
    assert key == f"in {SERVICE} {REGION} v1alpha2 SecretGrant secret BLOCK"
    assert group["count"] == 2  # type: ignore[index,call-overload]

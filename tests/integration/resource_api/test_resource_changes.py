"""The resource change log: before and after of each write, through a switch, without sensitive values."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from migrations_app import wiring
from tests.factories.access import token_of
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard
from tests.integration.resource_api.logged_requests import ENC_DATA, LOGS, LoggedRequests, logged_requests
from tests.swy import Swy

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def requests(transactional_db: None, ports: Yard) -> Iterator[LoggedRequests]:
    """The secrets service, and clients of it."""
    with logged_requests(ports) as made:
        yield made


def test_each_write_is_kept_with_before_after_revision_caller_and_request(requests: LoggedRequests) -> None:
    requests.send("POST", "projects/p/secrets?id=door", {"title": "Door"}, x_request_id="r-1")
    requests.send(
        "PATCH", "projects/p/secrets/door", {"title": "Gate"}, x_request_id="r-2", account="billing"
    )
    assert requests.send("PATCH", "projects/p/secrets/door", {"colour": "red"}).status_code == 400
    requests.send("GET", "projects/p/secrets/door")
    requests.send("DELETE", "projects/p/secrets/door", x_request_id="r-3")

    deleted, updated, created = requests.listed("resource-changes")

    facts = ("operation", "revision", "caller", "request_id", "version", "type", "name")
    name = "projects/p/secrets/door"
    assert [created[key] for key in facts] == ["create", "1", "olga", "r-1", "v1alpha2", "Secret", name]
    assert [updated[key] for key in facts] == ["update", "2", "billing", "r-2", "v1alpha2", "Secret", name]
    assert [deleted[key] for key in facts][:4] == ["delete", "3", "olga", "r-3"]
    assert created["before"] is None
    assert created["after"]["body"]["title"] == "Door"
    assert (updated["before"], updated["changed"][0]) == (created["after"], "title")
    assert updated["after"]["body"]["title"] == "Gate"
    assert (deleted["before"], deleted["after"]) == (updated["after"], None)


def test_filters_restrict_and_what_is_unknown_or_foreign_is_refused(requests: LoggedRequests) -> None:
    for name in ("box-a", "box-b", "box-c"):
        requests.send("POST", f"projects/p/secrets?id={name}", {"title": name}, x_request_id=f"r-{name[-1]}")
    requests.send("PATCH", "projects/p/secrets/box-b", {"title": "B"}, account="billing")
    b = requests.listed("resource-changes", request_id="r-b")[0]

    def names(**filters: str) -> list[str]:
        return [
            f"{each['operation']} {each['name'][-1]}"
            for each in requests.listed("resource-changes", **filters)
        ]

    assert names(uid=b["uid"]) == ["update b", "create b"]
    assert names(name="projects/p/secrets/box-c") == ["create c"]
    assert names(caller="billing") == ["update b"]
    assert names(operation="create", until=b["at"]) == ["create a"]
    assert names(type="SecretGrant") == []
    pages, cursor = [], ""
    while cursor is not None:
        page = requests.console.get(f"{LOGS}/resource-changes", {"limit": 3, "cursor": cursor}).json()
        pages.append([each["name"][-1] for each in page["items"]])
        cursor = page["next_cursor"]
    assert pages == [["b", "c", "b"], ["a"]]

    for wrong, code in (
        ({"colour": "red"}, "parameter"),
        ({"operation": "paint"}, "invalid"),
        ({"uid": "door"}, "invalid"),
        ({"since": "yesterday"}, "invalid"),
        ({"cursor": "forged"}, "cursor"),
    ):
        refused = requests.console.get(f"{LOGS}/resource-changes", wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, code), wrong
    first = requests.console.get(f"{LOGS}/resource-changes", {"limit": 1}).json()["next_cursor"]
    moved = requests.console.get(f"{LOGS}/resource-changes", {"limit": 1, "caller": "x", "cursor": first})
    assert moved.json()["code"] == "cursor"


def test_sensitive_values_are_not_even_stored(requests: LoggedRequests) -> None:
    requests.send("POST", "projects/p/secrets?id=door", {"title": "Door", "encData": ENC_DATA})
    requests.send("PATCH", "projects/p/secrets/door", {"encData": "b3RoZXI="})
    read = requests.send("GET", "projects/p/secrets/door").json()
    assert read["encData"] == "b3RoZXI="

    updated, created = requests.listed("resource-changes")

    assert created["after"]["body"]["encData"] == "[redacted]"
    assert updated["before"]["body"]["encData"] == "[redacted]"
    with wiring.databases().connection(requests.ports.database) as connection:
        schema = requests.ports.namespace("v1alpha2").schema
        rows = connection.execute(f'SELECT before, after FROM "{schema}".change'.encode()).fetchall()
    assert len(rows) == 2
    assert ENC_DATA not in str(rows)
    assert "b3RoZXI=" not in str(rows)


def test_entries_of_both_versions_stay_through_a_switch_trimming_and_the_drop_of_a_version(
    requests: LoggedRequests,
) -> None:
    ports = requests.ports
    requests.send(
        "POST", "projects/p/regions/eu-west1/secrets?id=door", {"title": "Door"}, x_request_id="old"
    )
    requests.send("POST", "projects/p/secrets?id=door", {"title": "Door"}, x_request_id="old")
    ports.switch()
    requests.send("PATCH", "projects/p/secrets/door", {"title": "Gate"}, x_request_id="translated")
    requests.send(
        "PATCH",
        "projects/p/regions/eu-west1/secrets/door",
        {"displayName": "Wall"},
        version="v1",
        x_request_id="new",
    )

    def seen() -> list[tuple[str, str, str]]:
        (newest, *_) = requests.listed("resource-changes")
        entries = requests.listed("resource-changes", uid=newest["uid"])
        return [(each["request_id"], each["version"], each["operation"]) for each in entries]

    expected = [("new", "v1", "update"), ("translated", "v1", "update"), ("old", "v1alpha2", "create")]
    assert seen() == expected
    for version in ("v1alpha2", "v1"):
        assert ports.feed.trim(ports.namespace(version), retain_seconds=-5.0) > 0
    assert seen() == expected
    ports.store.drop(ports.namespace("v1alpha2"))
    assert seen() == expected


def test_a_dropped_version_leaves_the_entries_that_were_still_in_its_feed(requests: LoggedRequests) -> None:
    ports = requests.ports
    requests.send("POST", "projects/p/secrets?id=door", {"title": "Door"}, x_request_id="old")
    ports.switch()
    while ports.store.drop_part(ports.namespace("v1alpha2")):
        pass

    assert [each["request_id"] for each in requests.listed("resource-changes")] == ["old"]


def test_the_command_lists_changes(requests: LoggedRequests, live_web: str) -> None:
    requests.send("POST", "projects/p/secrets?id=door", {"title": "Door", "encData": ENC_DATA})
    requests.send("PATCH", "projects/p/secrets/door", {"title": "Gate"}, account="billing")
    swy = Swy(live_web, token_of("vera"))

    updated, created = swy.lines("changes", SERVICE, REGION, "projects/p/secrets/door")

    assert (created["operation"], updated["operation"], updated["caller"]) == ("create", "update", "billing")
    assert swy.lines("changes", SERVICE, REGION, "--caller", "olga") == [created]
    assert ENC_DATA not in swy("changes", SERVICE, REGION)
    swy("changes", SERVICE, REGION, "--operation", "paint", expect=8)

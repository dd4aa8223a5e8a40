"""What is done with one key that a version does not know, until an end, beside what its service does with all."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.adapters import definitions
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models.evidence.retirements import KeyStrategy
from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import client_of, token_of
from tests.factories.shelves import BOX, SHELVES, STORED, V1, folder
from tests.integration.resource_api.conftest import REGION, Yard, deployed
from tests.swy import Swy

STRATEGIES = f"/api/v1/services/{SHELVES}/usage/key-strategies"
STRICT = "unknownKeys: strict"
WITHOUT_TITLE = V1.replace("        title: string\n", "")


@pytest.fixture
def shelves(db: None, data_database: str) -> Iterator[Yard]:
    """A box in a service that refuses what it does not know."""
    with deployed(data_database, SHELVES, "v1", files=folder(more=STRICT)) as made:
        made.call("POST", "boxes", STORED, version="v1", id="b1")
        yield made


@pytest.fixture
def olga(db: None) -> APIClient:
    """An operator."""
    return client_of("olga", "operator")


def wish(place: str, strategy: str) -> dict[str, str]:
    """Ask for the strategy of one key, until tomorrow."""
    until = (timezone.now() + timedelta(days=1)).isoformat()
    return {"version": "v1", "place": place, "strategy": strategy, "reason": "Old stock.", "until": until}


def put(shelves: Yard, client: APIClient, place: str, strategy: str) -> dict[str, Any]:
    """Set the strategy of one key, and let the servers read it."""
    answer = client.post(STRATEGIES, wish(place, strategy), format="json")
    assert answer.status_code == 201, answer.content
    shelves.servers.directory.forget(REGION, SHELVES)
    made: dict[str, Any] = answer.json()
    return made


def refused_paths(shelves: Yard, body: JsonObject) -> list[str]:
    """Patch the box, and list what is refused."""
    with pytest.raises(Invalid) as refused:
        shelves.call("PATCH", BOX, body, version="v1")
    return sorted(each.path for each in refused.value.violations)


def stored(shelves: Yard) -> JsonObject:
    """Read what the database keeps of the box."""
    with shelves.store.snapshot(shelves.namespace("v1")) as reading:
        found = reading.get("Box", BOX)
    assert found is not None
    return dict(found.body)


def test_one_key_is_dropped_where_all_others_are_refused_until_its_end(
    shelves: Yard, olga: APIClient
) -> None:
    assert refused_paths(shelves, {"legacy": 1, "other": 2}) == ["legacy", "other"]
    made = put(shelves, olga, "Box.legacy", "filter")
    assert (made["state"], made["is_known"], made["set_by"]) == ("in-force", False, "olga")
    assert refused_paths(shelves, {"legacy": 1, "other": 2}) == ["other"]
    changed = shelves.call("PATCH", BOX, {"sealed": False, "legacy": 1}, version="v1")
    assert changed.headers["Warning"].endswith('not know them: legacy"')
    assert stored(shelves) == {**STORED, "sealed": False}

    KeyStrategy.objects.update(until=timezone.now())
    shelves.servers.directory.forget(REGION, SHELVES)
    assert refused_paths(shelves, {"legacy": 1}) == ["legacy"]
    [listed] = olga.get(STRATEGIES).json()["items"]
    assert listed["state"] == "expired"
    late = olga.post(f"/api/v1/key-strategies/{made['id']}/end").json()
    assert late["code"] == "key-strategy-state"
    assert late["detail"].startswith("The strategy has expired. ")
    again = put(shelves, olga, "Box.legacy", "filter")
    assert shelves.call("PATCH", BOX, {"sealed": True, "legacy": 1}, version="v1").status == 200

    ended = olga.post(f"/api/v1/key-strategies/{again['id']}/end").json()
    assert (ended["state"], ended["ended_by"]) == ("ended", "olga")
    shelves.servers.directory.forget(REGION, SHELVES)
    assert refused_paths(shelves, {"legacy": 1}) == ["legacy"]
    entries = LedgerEntry.objects.filter(action__startswith="key-strategy.", outcome="done").order_by("pk")
    assert [each.action for each in entries] == ["key-strategy.set", "key-strategy.set", "key-strategy.end"]


def test_keys_inside_lists_and_maps_have_strategies_of_their_own(shelves: Yard, olga: APIClient) -> None:
    put(shelves, olga, "Box.parts[].shade", "pass")
    put(shelves, olga, "Box.tags{}.shade", "filter")
    put(shelves, olga, "Box.lid.shade", "pass")
    lid: JsonObject = {"colour": "red", "hingeCount": 2}
    parts: list[Json] = [{"id": "a", "shade": {"deep": 1}}]
    body: JsonObject = {
        "parts": [*parts],
        "tags": {"x": {"id": "d", "shade": 1}},
        "lid": {**lid, "shade": "x", "tone": "y"},
    }
    assert refused_paths(shelves, body) == ["lid.tone"]
    body["lid"] = {**lid, "shade": "x"}
    shelves.call("PATCH", BOX, body, version="v1")
    kept = stored(shelves)
    assert (kept["lid"], kept["parts"], kept["tags"]) == ({**lid, "shade": "x"}, parts, {"x": {"id": "d"}})
    # What passes is a client's own: left out of the whole, it is gone.
    read = shelves.call("GET", BOX, version="v1").document
    assert isinstance(read, dict)
    shelves.call("PUT", BOX, {**read, "lid": {**lid}}, version="v1")
    assert stored(shelves)["lid"] == lid


def test_one_key_is_refused_where_all_others_are_dropped(shelves: Yard, olga: APIClient) -> None:
    definitions.keep(SHELVES, folder())
    put(shelves, olga, "Box.legacy", "strict")
    assert refused_paths(shelves, {"legacy": 1, "other": 2}) == ["legacy"]
    assert shelves.call("PATCH", BOX, {"other": 2, "sealed": False}, version="v1").status == 200


def test_a_removed_field_that_clients_still_send_is_dropped_instead_of_refused(
    shelves: Yard, olga: APIClient
) -> None:
    made = put(shelves, olga, "Box.title", "filter")
    assert made["is_known"] is True
    shelves.call("PATCH", BOX, {"title": "still known"}, version="v1")
    assert stored(shelves)["title"] == "still known"
    definitions.keep(SHELVES, folder(v1=WITHOUT_TITLE, v2=WITHOUT_TITLE, ops=" ", more=STRICT))
    shelves.servers.directory.forget(REGION, SHELVES)
    shelves.call("PATCH", BOX, {"title": "other", "sealed": False}, version="v1")
    assert stored(shelves) == {**STORED, "title": "still known", "sealed": False}
    assert olga.get(STRATEGIES).json()["items"][0]["is_known"] is False


def test_a_later_strategy_takes_the_place_of_the_one_in_force(shelves: Yard, olga: APIClient) -> None:
    put(shelves, olga, "Box.legacy", "filter")
    put(shelves, olga, "Box.legacy", "pass")
    shelves.call("PATCH", BOX, {"legacy": 1}, version="v1")
    assert stored(shelves)["legacy"] == 1
    assert [each["state"] for each in olga.get(STRATEGIES).json()["items"]] == ["in-force", "ended"]


def test_what_has_no_end_to_come_no_place_or_no_right_is_refused(shelves: Yard, olga: APIClient) -> None:
    def refusal(**more: str) -> tuple[int, str]:
        answer = olga.post(STRATEGIES, {**wish("Box.legacy", "filter"), **more}, format="json")
        return answer.status_code, answer.json()["code"]

    past = (timezone.now() - timedelta(seconds=1)).isoformat()

    def ends(until: str) -> list[tuple[str, str]]:
        answer = olga.post(STRATEGIES, {**wish("Box.legacy", "filter"), "until": until}, format="json")
        return [(each["path"], each["message"]) for each in answer.json()["errors"]]

    assert ends(past) == [("until", "The time is not in the future.")]
    far = (timezone.now() + timedelta(days=400)).isoformat()
    assert ends(far) == [("until", "The time is more than one year away.")]
    assert refusal(until=past) == (400, "key-strategy")
    assert refusal(until=(timezone.now() + timedelta(days=400)).isoformat()) == (400, "key-strategy")
    assert refusal(reason=" ") == (400, "invalid")
    assert refusal(place="Crate.legacy") == (404, "key-place")
    assert refusal(place="Box.title.legacy") == (404, "key-place")
    assert refusal(place="Box.parts.note") == (404, "key-place")
    assert refusal(place="Box") == (404, "key-place")
    assert refusal(version="v9") == (404, "version")
    assert refusal(strategy="drop") == (400, "invalid")
    viewer = client_of("vera", "viewer")
    assert viewer.post(STRATEGIES, wish("Box.legacy", "filter"), format="json").status_code == 403
    assert (
        olga.post(f"{STRATEGIES}?dry_run=true", wish("Box.legacy", "filter"), format="json").status_code
        == 201
    )
    assert not KeyStrategy.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_command_line_sets_lists_and_ends(live_server: Any, shelves: Yard, olga: APIClient) -> None:
    swy = Swy(live_server.url, token_of("olga"))
    until = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%MZ")
    words = ("Box.legacy", "filter", "--until", until, "-m", "Old stock.")
    made = swy.told("usage", "keys", "set", SHELVES, "v1", *words, "-o", "json")
    listed = swy.lines("usage", "keys", "list", SHELVES, "-o", "json")
    assert [(each["place"], each["strategy"], each["state"]) for each in listed] == [
        ("Box.legacy", "filter", "in-force")
    ]
    assert swy.told("usage", "keys", "end", made["id"], "-o", "json")["state"] == "ended"
    assert "until: The time is not in the future." in swy(
        "usage", "keys", "set", SHELVES, "v1", "Box.legacy", "filter", "--until", "2020-01-01T00:00Z", "-m", "x",
        expect=8,
    )  # fmt: skip

"""Who still uses what: by field, type and version, with the claim, the day of a removal, and its announcement."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.adapters import definitions
from migrations_app.adapters.usage import BufferedUsage
from migrations_app.control.events import outbox
from migrations_app.control.notifications.messages import body_of, is_within, name_of, place_of
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.outbox import OutboxEvent
from tests.factories.access import client_of, token_of
from tests.factories.shelves import BOX, SHELVES, V1, folder
from tests.integration.compatibility.test_changes_of_definitions import box as box
from tests.integration.compatibility.test_changes_of_definitions import observed_for
from tests.integration.compatibility.test_changes_of_definitions import olga as olga
from tests.integration.compatibility.test_changes_of_definitions import shelves as shelves
from tests.integration.resource_api.conftest import Yard
from tests.swy import Swy

PLACES = f"/api/v1/services/{SHELVES}/usage/places"
DEADLINES = f"/api/v1/services/{SHELVES}/usage/deadlines"


def places(reader: APIClient, **query: str) -> dict[str, dict[str, Any]]:
    """List what is used, by place."""
    answer = reader.get(PLACES, {"version": "v1", **query})
    assert answer.status_code == 200, answer.content
    return {each["place"]: each for each in answer.json()["items"]}


def test_each_field_is_listed_with_who_sends_and_who_reads_it(box: Yard, olga: APIClient) -> None:
    box.call("GET", BOX, version="v1", fieldMask="title", headers={"user-agent": "label/2"})
    assert isinstance(box.usage, BufferedUsage)
    box.usage.flush()
    found = places(olga)
    today = timezone.now().date()
    title = found["Box.title"]
    assert [(each["client"], each["release"]) for each in title["senders"]] == [
        ("stock", "label/2"),
        ("stock", "stock/1.4"),
    ]
    assert [each["release"] for each in title["readers"]] == ["label/2"]
    assert (title["answers_looked_into"], title["answers_with_it"], title["confidence"]) == (1, 1, 0.0)
    assert title["last_used_on"] == today.isoformat()
    # One day was observed of thirty-five, with two messages: at that rate the proof takes 1,499 days more.
    assert title["removable_on"] == (today + timedelta(days=1499)).isoformat()
    inner = found["Box.parts[].note"]
    assert [each["release"] for each in inner["senders"]] == ["stock/1.4"]
    assert inner["readers"] == []
    assert (found["v1"]["kind"], found["Box"]["kind"], found["Box.lid.colour"]["kind"]) == (
        "version",
        "type",
        "field",
    )
    assert places(olga, client="nobody") == {}
    assert client_of("vera").get(PLACES, {"version": "v1"}).status_code == 403
    assert olga.get(PLACES).json()["code"] == "version"


def test_a_custom_method_is_listed_with_who_calls_it(box: Yard, olga: APIClient) -> None:
    definitions.keep(SHELVES, folder(v1=f"{V1}  methods: {{ArchiveBox: {{verb: archive, resource: Box}}}}\n"))
    unused = places(olga)["Box.ArchiveBox"]
    assert (unused["kind"], unused["senders"], unused["last_used_on"]) == ("method", [], None)
    observed_for(1, client="till", method="Box.ArchiveBox", count=7)
    called = places(olga)["Box.ArchiveBox"]
    assert [(each["client"], each["messages"]) for each in called["senders"]] == [("till", 7)]
    assert "not proved unused: it was seen 7 times" in called["reasons"]
    assert set(places(olga, client="till")) == {"v1", "Box", "Box.ArchiveBox"}


def test_what_is_proved_unused_may_go_now(box: Yard, olga: APIClient) -> None:
    UsageCount.objects.all().delete()
    observed_for(35, count=3000)
    one = places(olga)["Box.title"]
    assert (one["proved_unused"], one["reasons"]) == (True, [])
    assert (one["confidence"], one["messages"], one["observed_days"]) == (0.9503, 3000, 35)
    assert one["removable_on"] == timezone.now().date().isoformat()


def test_a_deadline_is_announced_to_channels_with_the_clients(box: Yard, olga: APIClient) -> None:
    wish = {"version": "v1", "place": "Box.title", "deadline": "2099-06-30", "note": "Send label."}
    past = olga.post(DEADLINES, {**wish, "deadline": "2020-01-01"}, format="json")
    assert (past.status_code, past.json()["code"]) == (400, "deadline")
    assert [(each["path"], each["message"]) for each in past.json()["errors"]] == [
        ("deadline", "The day is not in the future.")
    ]
    other = olga.post(DEADLINES, {**wish, "place": "Box.nothing"}, format="json")
    assert (other.status_code, other.json()["code"]) == (404, "usage-place")
    before = outbox.number().seq
    assert olga.post(f"{DEADLINES}?dry_run=true", wish, format="json").status_code == 201
    assert not OutboxEvent.objects.filter(kind="usage-deadline").exists()

    made = olga.post(DEADLINES, wish, format="json")
    assert (made.status_code, made.json()["clients"]) == (201, ["stock"])
    events = outbox.read(before, outbox.number().seq, 10)
    [event] = [each for each in events if each.kind == "usage-deadline"]
    name = name_of(event)
    assert (name, is_within(place_of(event), SHELVES, "*")) == ("usage.deadline", True)
    body = body_of(event, name)
    assert body["title"] == f"Box.title of {SHELVES} v1 goes on 2099-06-30"
    assert (body["text"], body["link"]) == ("Used by stock. Send label.", f"/versions/{SHELVES}/usage")
    assert LedgerEntry.objects.filter(action="usage.announce", outcome="done").count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_command_line_lists_and_announces(live_server: Any, box: Yard, olga: APIClient) -> None:
    swy = Swy(live_server.url, token_of("olga"))
    lines = swy("usage", "show", SHELVES, "v1", "--client", "stock", "-o", "json").splitlines()
    listed = [json.loads(line) for line in lines]
    assert {each["place"] for each in listed} >= {"v1", "Box", "Box.title", "Box.lid.colour"}
    assert swy("usage", "show", SHELVES, "v1", "--unused", "-o", "json").strip() == ""
    told = swy(
        "usage", "announce", SHELVES, "v1", "Box.title", "--deadline", "2099-06-30", "-m", "Send label."
    )
    assert json.loads(told)["clients"] == ["stock"]

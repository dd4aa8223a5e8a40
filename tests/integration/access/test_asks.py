"""Asking those who may: it reaches exactly them, and stands until it is settled."""

from __future__ import annotations

from typing import Any

import pytest

from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import client_of

pytestmark = pytest.mark.django_db
ASKS = "/api/v1/asks"
WISH = {
    "permission": "window.write",
    "what": "New window or freeze",
    "link": "/windows",
    "comment": "for the holidays",
}


def _needs(client: Any) -> list[tuple[str, str]]:
    needs = client.get("/api/v1/overview").json()["needs_you"]
    return [(each["sentence"], each["link"]) for each in needs if each["kind"] == "ask"]


def test_an_ask_stands_on_the_overview_of_those_who_may_until_it_is_settled() -> None:
    vera, olga = client_of("vera", "viewer"), client_of("olga", "operator")
    ivan = client_of("ivan", "viewer")
    made = vera.post(ASKS, WISH, format="json")
    assert made.status_code == 201
    assert _needs(olga) == [("vera asks: New window or freeze: for the holidays", "/windows")]
    (need,) = olga.get("/api/v1/overview").json()["needs_you"]
    assert need["phrases"] == [
        {
            "key": "{who} asks: {title}: {comment}",
            "values": {"who": "vera", "title": "New window or freeze", "comment": "for the holidays"},
        }
    ]
    assert (_needs(vera), _needs(ivan)) == ([], [])
    assert [each["who"] for each in vera.get(ASKS).json()["items"]] == ["vera"]
    assert vera.post(ASKS, WISH, format="json").json()["code"] == "asked-already"

    place = f"{ASKS}/{made.json()['id']}"
    assert ivan.delete(place).status_code == 403
    assert olga.delete(place).status_code == 204
    assert (_needs(olga), olga.delete(place).status_code) == ([], 404)
    done = LedgerEntry.objects.filter(action__startswith="ask", outcome="done").values_list("action", "actor")
    assert list(done.order_by("pk")) == [("ask", "vera"), ("ask.settle", "olga")]


def test_an_ask_names_a_right_and_a_page_of_this_console() -> None:
    vera = client_of("vera", "viewer")
    assert vera.post(ASKS, {**WISH, "permission": "sudo"}, format="json").status_code == 400
    assert vera.post(ASKS, {**WISH, "link": "//evil.example"}, format="json").json()["code"] == "ask-link"

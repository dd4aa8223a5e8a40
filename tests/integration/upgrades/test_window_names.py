"""Names of windows: shown in headers, so they hold no control characters, and others are escaped there."""

from __future__ import annotations

import pytest

from tests.factories.access import client_of

pytestmark = pytest.mark.django_db

RULE = {"effect": "deny", "zone": "Europe/Warsaw", "cron": "0 0 * * *", "minutes": 60, "reason": "audit week"}


@pytest.mark.parametrize("name", ["a\x0eb", "a\x7f", "a\nb", "\x1b[31m", "a\u202eb", "a/b", " "])
def test_a_name_that_cannot_be_shown_is_refused_and_nothing_is_kept(name: str) -> None:
    client = client_of("root", "admin")

    refused = client.post("/api/v1/windows", {"name": name, **RULE}, format="json")
    assert (refused.status_code, refused.json()["code"] in ("window-name", "invalid")) == (400, True)
    assert client.get("/api/v1/windows").json()["items"] == []


def test_the_address_of_a_window_is_escaped_in_its_header() -> None:
    client = client_of("root", "admin")
    made = client.post("/api/v1/windows", {"name": "Größe 1", **RULE}, format="json")

    assert (made.status_code, made["Location"]) == (201, "/api/v1/windows/Gr%C3%B6%C3%9Fe%201")
    assert client.get(made["Location"]).json()["name"] == "Größe 1"

"""The audit list over HTTP: its pages, its filters, what it exports."""

from __future__ import annotations

import csv
import json
from typing import Literal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.access.queries.access import actor_named
from migrations_app.control.audit.commands.export_audit import export_audit
from migrations_app.control.audit.ledger import record
from migrations_app.domain.access import Target, actor_with
from migrations_app.models.ledger import LedgerEntry
from migrations_app.web.streams import Streamed
from tests.factories.access import FOUNDER, client_of, make_account, token_of

pytestmark = pytest.mark.django_db


def test_the_audit_list_pages_filters_and_verifies() -> None:
    auditor = client_of("otto", "auditor")
    for number in range(5):
        make_account(f"user{number}")
    first = auditor.get("/api/v1/audit", {"action": "access.*", "limit": 3}).json()
    assert (len(first["items"]), first["has_more"]) == (3, True)
    rest = auditor.get(
        "/api/v1/audit", {"action": "access.*", "limit": 3, "cursor": first["next_cursor"]}
    ).json()
    ids = [item["id"] for item in first["items"] + rest["items"]]
    assert ids == sorted(ids, reverse=True)
    foreign = auditor.get("/api/v1/audit", {"action": "token.*", "cursor": first["next_cursor"]})
    assert (foreign.status_code, foreign.json()["code"]) == (400, "cursor")
    assert auditor.get("/api/v1/audit", {"limit": "0"}).json()["code"] == "limit"
    assert auditor.get("/api/v1/audit", {"colour": "red"}).json()["code"] == "parameter"
    assert auditor.get("/api/v1/audit/chain").json()["broken_at"] is None


def test_an_export_is_noted_and_no_spreadsheet_runs_it() -> None:
    auditor = client_of("otto", "auditor")
    make_account("+cmd")
    exported = auditor.get("/api/v1/audit/export", {"action": "access.create"})
    assert exported["Content-Disposition"] == 'attachment; filename="audit.jsonl"'
    entries = [json.loads(line) for line in exported.getvalue().splitlines()]
    assert [entry["target"] for entry in entries] == ["otto", "+cmd"]
    table = auditor.get("/api/v1/audit/export", {"action": "access.create", "as": "csv"})
    rows = list(csv.DictReader(table.getvalue().decode().splitlines()))
    assert [row["target"] for row in rows] == ["otto", "'+cmd"]
    assert "reason" in rows[0]
    assert "reason_phrases" not in rows[0]
    noted = LedgerEntry.objects.filter(action="audit.export").order_by("id")
    assert [row.after["format"] for row in noted] == ["jsonl", "csv"]
    assert client_of("vera", "viewer").get("/api/v1/audit/export").status_code == 403


def test_an_export_is_read_page_by_page_and_holds_what_was_there_when_it_began() -> None:
    auditor = make_account("otto", "auditor")
    for name in ("a", "b", "c"):
        make_account(name)
    pages = export_audit(auditor, {"action": "access.create"}, "jsonl", page=2)
    with CaptureQueriesContext(connection) as first:
        assert [entry["target"] for entry in next(pages)] == ["otto", "a"]
    assert len(first) == 1
    make_account("late")
    assert [[entry["target"] for entry in page] for page in pages] == [["b", "c"]]


async def test_an_export_comes_in_parts_to_an_asynchronous_server() -> None:
    parts = iter([b"1\n", b"2\n"])
    assert [part async for part in Streamed(parts)] == [b"1\n", b"2\n"]


def test_entries_are_found_by_their_time_and_by_the_request_that_made_them() -> None:
    auditor = client_of("otto", "auditor")
    made = auditor.get("/api/v1/audit", {"action": "access.create"}).json()["items"][0]
    of_one = auditor.get("/api/v1/audit", {"since": made["at"], "until": "2999-01-01T00:00:00Z"}).json()[
        "items"
    ]
    assert made["id"] in [each["id"] for each in of_one]
    assert auditor.get("/api/v1/audit", {"until": "2001-01-01T00:00:00"}).json()["items"] == []
    refused = auditor.get("/api/v1/audit", {"since": "yesterday"})
    assert (refused.status_code, refused.json()["code"]) == (400, "moment")
    admin = client_of("ada", "admin")
    denied = client_of("vera", "viewer").post("/api/v1/access/accounts", {"name": "eve"}, format="json")
    asked = denied.json()["request_id"]
    (entry,) = admin.get("/api/v1/audit", {"request_id": asked}).json()["items"]
    assert (entry["actor"], entry["outcome"], entry["request_id"]) == ("vera", "denied", asked)
    assert entry["reason_phrases"] == denied.json()["phrases"]


def test_what_was_taken_away_is_gone_and_says_since_when_to_those_who_may_know() -> None:
    olga, nora = client_of("olga", "operator"), client_of("nora")
    make_account("rita")
    bind_role(FOUNDER, NewBinding("account", "rita", "viewer", service="other.example.com"))
    rita = APIClient(HTTP_AUTHORIZATION=f"Bearer {token_of('rita')}")
    target = Target("upgrade", "u123456789a", service="secrets.example.com", region="eu-1")
    record(actor_named("olga"), "upgrade.remove", target, "done")
    record(actor_named("olga"), "upgrade.plan", Target("upgrade", "u00000000zz"), "denied")
    entry = LedgerEntry.objects.get(action="upgrade.remove")
    gone = olga.get("/api/v1/upgrades/u123456789a")
    assert (gone.status_code, gone.json()["code"], gone.json()["link"]) == (
        410,
        "gone",
        "/activity?target=u123456789a",
    )
    assert gone.json()["detail"] == (
        f"Upgrade u123456789a is gone since {entry.at:%Y-%m-%d %H:%M} UTC (upgrade.remove by olga)."
        " Activity tells what became of it."
    )
    assert olga.get("/api/v1/upgrades/u00000000zz").status_code == 404
    assert rita.get("/api/v1/upgrades/u123456789a").status_code == 404
    assert nora.get("/api/v1/upgrades/u123456789a").status_code == 403


def test_the_quiet_list_leaves_out_dry_runs_and_sign_ins_that_succeeded() -> None:
    auditor = client_of("otto", "auditor")
    actor = actor_with("olga", "operator")
    target = Target("account", "olga")
    entries: list[tuple[str, Literal["done", "denied", "failed", "dry_run"]]] = [
        ("session.sign_in", "done"),
        ("session.sign_in", "denied"),
        ("upgrade.create", "dry_run"),
        ("upgrade.create", "done"),
    ]
    for action, outcome in entries:
        record(actor, action, target, outcome)

    def listed(**asked: str) -> list[tuple[str, str]]:
        found = auditor.get("/api/v1/audit", {"actor": "olga", **asked}).json()["items"]
        return [(each["action"], each["outcome"]) for each in found]

    assert len(listed(quiet="false")) == 4
    assert listed(quiet="true") == [("upgrade.create", "done"), ("session.sign_in", "denied")]
    assert auditor.get("/api/v1/audit", {"quiet": "yes"}).status_code == 400

"""What is told of an upgrade to be taken away: the story of one shard, and the report that people read."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.sync import SyncScan
from migrations_app.models.upgrades import RecordedShardTransition, Upgrade
from migrations_app.ports.upgrades import ShardReport, ShardState
from tests.integration.upgrades.test_api import act, plan
from tests.integration.upgrades.test_approvals import at_the_gate

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
UPGRADES = DjangoUpgrades()


def test_a_shard_tells_how_it_came_to_where_it_is_and_how_often_it_fell_back(olga: APIClient) -> None:
    upgrade = plan(olga, start=True)["id"]
    for state, stage, copied in (
        (ShardState.SYNCING, "backfill", 4),
        (ShardState.SYNCING, "backfill", 8),
        (ShardState.SYNCING, "follow", 9),
        (ShardState.READY, "follow", 9),
        (ShardState.REGRESSED, "follow", 9),
        (ShardState.READY, "follow", 9),
    ):
        UPGRADES.report_shard(upgrade, ShardReport(3, state, stage, copied=copied, total=9))
    told = olga.get(f"/api/v1/upgrades/{upgrade}/shards/3/turns").json()["items"]
    assert [(each["state"], each["stage"], each["copied"]) for each in told] == [
        ("syncing", "backfill", 4),
        ("syncing", "follow", 9),
        ("ready", "follow", 9),
        ("regressed", "follow", 9),
        ("ready", "follow", 9),
    ]
    shards = olga.get(f"/api/v1/upgrades/{upgrade}").json()["shards"]["items"]
    assert [shard["falls"] for shard in shards[:4]] == [0, 0, 0, 1]
    assert olga.get(f"/api/v1/upgrades/{upgrade}/shards/4/turns").json()["items"] == []
    missing = olga.get(f"/api/v1/upgrades/{upgrade}/shards/16/turns")
    assert (missing.status_code, missing.json()["code"]) == (404, "shard-missing")


def test_of_a_shard_that_turns_again_and_again_the_last_hundred_turns_are_kept(olga: APIClient) -> None:
    upgrade = plan(olga, start=True)["id"]
    for copied in range(103):
        state = (ShardState.READY, ShardState.REGRESSED)[copied % 2]
        UPGRADES.report_shard(upgrade, ShardReport(3, state, "follow", copied=copied, total=200))
    UPGRADES.report_shard(upgrade, ShardReport(2, ShardState.READY, "follow", copied=7, total=7))
    kept = (
        RecordedShardTransition.objects.filter(upgrade=upgrade).order_by("pk").values_list("shard", "copied")
    )
    assert list(kept) == [*((3, copied) for copied in range(3, 103)), (2, 7)]
    assert len(olga.get(f"/api/v1/upgrades/{upgrade}/shards/3/turns").json()["items"]) == 100


def test_the_report_reads_as_markdown_and_names_put_no_marks_into_it(olga: APIClient) -> None:
    upgrade = at_the_gate()
    act(olga, upgrade, "request-approval", {"comment": "see *this* | [that](x)"})
    answer = olga.get(f"/api/v1/upgrades/{upgrade}/report?as=md")
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="upgrade-{upgrade}.md"'
    lines = answer.content.decode().splitlines()
    assert lines[0] == "# secrets.example.com @ eu-1: v1alpha2 to v1"
    assert "| State | Ready to switch |" in lines
    assert "| Rollback possible until | not possible |" in lines
    (ready,) = [line for line in lines if line.startswith("| 20") and "Ready to switch" in line]
    assert re.fullmatch(r"\| \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \| Ready to switch \| [^|]+ \|", ready)
    assert not [line for line in lines if re.search(r"\d{4}-\d\d-\d\dT", line)]
    assert "- ✓ parity holds." in lines
    assert [line for line in lines if line.startswith("## ")] == [
        "## Checks",
        "## States",
        "## What happened",
    ]
    assert all("[that](x)" not in line for line in lines)
    assert olga.get(f"/api/v1/upgrades/{upgrade}/report?as=pdf").json()["code"] == "report-form"


def test_the_history_holds_what_the_run_sheet_draws_and_replays(olga: APIClient, ann: APIClient) -> None:
    upgrade = at_the_gate()
    request = act(olga, upgrade, "request-approval", {"comment": "for the portal"}).json()
    request_id = request["readiness"]["approvals"]["request_id"]
    shown = ann.get(f"/api/v1/approvals/{request_id}")
    voted = ann.post(
        f"/api/v1/approvals/{request_id}/approve", {}, format="json", HTTP_IF_MATCH=shown["ETag"]
    )
    assert voted.status_code == 200, voted.content
    UPGRADES.report_shard(upgrade, ShardReport(3, ShardState.REGRESSED, "follow", copied=9, total=9))
    history = olga.get(f"/api/v1/upgrades/{upgrade}/history").json()
    assert [each["state"] for each in history["transitions"]][:3] == ["PLANNED", "SYNCING", "READY"]
    shards = history["shards"]
    assert (shards["shard"][-1], shards["state"][-1], shards["complete"]) == (3, "regressed", True)
    assert len(shards["shard"]) == len(shards["at"]) == len(shards["state"])
    assert shards["at"] == sorted(shards["at"])
    (asked,) = history["requests"]
    assert (asked["who"], asked["purpose"]) == ("olga", "switch")
    assert {check["check"] for check in asked["evidence"]} >= {"approval"}
    assert [(vote["who"], vote["verdict"], vote["void"]) for vote in history["votes"]] == [
        ("ann", "approve", "")
    ]
    assert olga.get("/api/v1/upgrades/u0/history").status_code == 404


def test_the_history_tells_when_shards_were_compared_and_who_called_which_version(olga: APIClient) -> None:
    upgrade = at_the_gate()
    row, now = Upgrade.objects.get(pk=upgrade), timezone.now()
    SyncScan.objects.create(upgrade=upgrade, direction="forward", shard=2, passed_at=now)
    SyncScan.objects.create(upgrade=upgrade, direction="forward", shard=3)
    switched = now - timedelta(hours=1)
    for client, version, first, last in (
        ("portal", row.from_version, -50, 5),
        ("cli", row.from_version, -50, -5),
        ("cli", row.to_version, 2, 4),
        ("long-ago", row.from_version, -20_000, -19_000),
    ):
        seen = {
            "first_seen": switched + timedelta(minutes=first),
            "last_seen": switched + timedelta(minutes=last),
        }
        UsageCount.objects.create(
            day=now.date(), service=row.service, region=row.region, version=version, method="Get", client=client,
            count=1, **seen,
        )  # fmt: skip
    # In another region, and on a page of the keys that messages have.
    UsageCount.objects.create(
        day=now.date(), service=row.service, region="us-1", version=row.from_version, method="Get",
        client="of-another-region", count=1, first_seen=now, last_seen=now,
    )  # fmt: skip

    def history() -> dict[str, Any]:
        found: dict[str, Any] = olga.get(f"/api/v1/upgrades/{upgrade}/history").json()
        return found

    before = history()
    assert before["compared"]["shard"] == [2]
    assert len(before["compared"]["at"]) == 1
    assert before["callers"]["switched_at"] is None
    assert before["callers"]["versions"] == [
        {"version": row.from_version, "before_switch": 2, "since_switch": None},
        {"version": row.to_version, "before_switch": 1, "since_switch": None},
    ]
    row.moves.create(at=switched, state="REVERSIBLE", who="switchyard")
    assert history()["callers"]["versions"] == [
        {"version": row.from_version, "before_switch": 2, "since_switch": 1},
        {"version": row.to_version, "before_switch": 0, "since_switch": 1},
    ]


def test_the_history_leaves_out_the_oldest_changes_and_says_so(
    olga: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade = plan(olga, start=True)["id"]
    for copied in range(6):
        state = (ShardState.READY, ShardState.REGRESSED)[copied % 2]
        UPGRADES.report_shard(upgrade, ShardReport(3, state, "follow", copied=copied, total=200))
    monkeypatch.setattr("migrations_app.control.upgrades.queries.history.MOST_CHANGES", 4)
    shards = olga.get(f"/api/v1/upgrades/{upgrade}/history").json()["shards"]
    assert (shards["state"], shards["complete"]) == (["ready", "regressed"] * 2, False)

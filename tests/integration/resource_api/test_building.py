"""References of a version that is not served yet: how far its index is, in the answers to requests for them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import actor_with
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.models.access import RoleBinding
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import ShardReport, ShardState, TimelineEntry
from tests.factories.access import client_of
from tests.integration.resource_api.conftest import DEPLOYMENT, DOOR, REGION, SERVICE, Yard

UPGRADES = DjangoUpgrades()
OLGA = actor_with("olga", "operator")


def copied(upgrade: str, shard: int, part: int, of: int = 10) -> None:
    report = ShardReport(shard, ShardState.SYNCING, "backfill", copied=part, total=of)
    UPGRADES.report_shard(upgrade, report)


def test_a_reader_of_a_version_that_is_copied_to_sees_how_far_its_index_is(granted: Yard) -> None:
    vera = client_of("vera", "viewer")

    def told(**asked: str) -> list[Any]:
        found: list[Any] = vera.get("/api/v1/references/building", asked).json()["items"]
        return found

    upgrade = plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id
    assert told() == []  # nothing is copied before it began
    start_upgrade(OLGA, upgrade)
    for shard in range(8):
        copied(upgrade, shard, 10)
    copied(upgrade, 8, 9)
    copied(upgrade, 9, 3)
    assert [(each["percent"], each["sentence"][:32]) for each in told()] == [
        (None, "Index building: not counted yet.")
    ]
    for shard in range(10, 16):
        copied(upgrade, shard, 0)
    (found,) = told()
    assert datetime.fromisoformat(found["oldest_report_at"]) <= datetime.now(UTC)
    assert {key: value for key, value in found.items() if key != "oldest_report_at"} == {
        "service": SERVICE, "region": REGION, "version": "v1", "served": "v1alpha2", "upgrade_id": upgrade, "percent": 57,
        "sentence": "Index building: 57 %. secrets @ eu-west1 is being copied to v1. "
        "References are those of v1alpha2 until it is switched.",
        "phrases": [
            {"key": "Index building: {percent} %.", "values": {"percent": 57}},
            {
                "key": "{place} is being copied to {version}.",
                "values": {"place": "secrets @ eu-west1", "version": "v1"},
            },
            {"key": "References are those of {served} until it is switched.", "values": {"served": "v1alpha2"}},
        ],
    }  # fmt: skip
    assert [told(version="v1"), told(version="v1alpha2"), told(region="us-9")] == [[found], [], []]

    asked = vera.get("/api/v1/references/search", {"version": "v1"}).json()
    assert (asked["items"], asked["building"]) == ([], [found])
    assert vera.get("/api/v1/references/search", {"version": "v1alpha2"}).json()["building"] == []
    assert vera.get("/api/v1/references/search").json()["building"] == []

    for shard in range(16):
        report = ShardReport(shard, ShardState.READY, "follow", copied=10, total=10, lag_seconds=0.1)
        UPGRADES.report_shard(upgrade, report)
    page = vera.get(f"/api/v1/upgrades/{upgrade}").json()["progress"]["percent"]
    assert (told()[0]["percent"], page) == (100, 100)
    UPGRADES.transition(UPGRADES.load(upgrade), UpgradeEvent.CATCH_UP, TimelineEntry("caught-up", "level"))
    assert (told()[0]["percent"], told()[0]["sentence"]) == (
        100,
        found["sentence"].replace("57 %", "100 %").replace("is being copied", "is copied"),
    )
    Upgrade.objects.filter(pk=upgrade).update(state="REVERSIBLE")
    assert told() == []


def test_a_reader_of_another_region_is_told_nothing_of_this_one(granted: Yard) -> None:
    start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id)
    ned = client_of("ned", "viewer")
    RoleBinding.objects.filter(subject="ned").update(region="us-*")
    assert ned.get("/api/v1/references/building").json()["items"] == []
    assert ned.get("/api/v1/references", {"name": DOOR}).status_code == 403
    assert ned.get("/api/v1/deletion-check", {"name": DOOR}).status_code == 403
    assert ned.get("/api/v1/deletion-check", {"name": "projects/p/secrets/door"}).status_code == 403
    many = ned.post("/api/v1/deletion-checks", {"names": [DOOR]}, format="json").json()["items"]
    assert [(each["verdict"], each["id"], each["blockers"]) for each in many] == [("unknown", "", 0)]

"""The wall: a wave of twenty regions as rows of the same spine, live, and true by what the console answers."""

from __future__ import annotations

import asyncio

import pytest
from django.db import connections
from playwright.async_api import expect

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.rollouts.commands.plan_rollout import RolloutWish, plan_rollout
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import actor_with
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.models.rollouts import RolloutItem
from migrations_app.ports.upgrades import ShardReport, ShardState, TimelineEntry
from tests.browser.conftest import ADMIN, SERVICE, World
from tests.browser.person import PHONE, Person
from tests.factories.reports import keep_new

pytestmark = pytest.mark.django_db(transaction=True)
UPGRADES = DjangoUpgrades()
OLGA = actor_with("olga", "operator")
REGIONS = [f"region-{number:02}" for number in range(1, 21)]
ROW_FACTS = """
async (path) => {
  const answer = await (await fetch(path)).json();
  return answer.waves[0].map((item) => [item.region, item.upgrade_state, item.ready, item.total]);
}
"""
OUTSIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def report(upgrade: str, ready: int) -> None:
    """Report 16 shards, so many of which are caught up."""
    for shard in range(16):
        state = ShardState.READY if shard < ready else ShardState.SYNCING
        stage = "follow" if shard < ready else "backfill"
        UPGRADES.report_shard(
            upgrade,
            ShardReport(shard, state, stage, copied=5, total=10, lag_seconds=0.1, rate_per_second=3.0),
        )


def report_of(rollout: str, position: int, ready: int) -> None:
    """Report the shards of one deployment of the wave."""
    try:
        report(RolloutItem.objects.get(rollout=rollout, position=position).upgrade_id, ready)
        keep_new()
    finally:
        connections.close_all()


@pytest.fixture
def rollout(world: World, data_database: str) -> str:
    """A wave of twenty regions: eight planned, eight that copy, four that are ready."""
    for region in REGIONS:
        apply_region(ADMIN, region)
        apply_deployment(
            ADMIN,
            f"services/{SERVICE}/deployments/{region}",
            {"currentVersion": "v1alpha2"},
            database=data_database,
        )
    wave = tuple(f"services/{SERVICE}/deployments/{region}" for region in REGIONS)
    spec = UpgradeSpec("", target_version="v1")
    rollout = plan_rollout(OLGA, RolloutWish((wave,), spec, title="v1 everywhere", max_parallel=20))
    items = list(RolloutItem.objects.filter(rollout=rollout).order_by("position"))
    for item in items[8:]:
        start_upgrade(OLGA, item.upgrade_id)
    for item in items[8:16]:
        report(item.upgrade_id, item.position % 8)
    for item in items[16:]:
        report(item.upgrade_id, 16)
        UPGRADES.transition(
            UPGRADES.load(item.upgrade_id),
            UpgradeEvent.CATCH_UP,
            TimelineEntry("caught-up", "All are caught up."),
        )
    keep_new()
    return rollout


async def test_a_wave_of_twenty_regions_is_followed_on_one_screen(
    rollout: str, people: dict[str, Person]
) -> None:
    vera = people["vera"]
    await vera.sign_in()
    await vera.page.set_viewport_size({"width": 1920, "height": 1080})
    await vera.visit(f"/rollouts/{rollout}")
    await vera.page.get_by_role("link", name="Wall: the wave on one screen").press("Enter")
    rows = vera.page.get_by_role("list", name="Upgrades of wave 1").get_by_role("listitem")
    await expect(rows).to_have_count(20)
    steps = {
        "PLANNED": "Step 1 of 8: Plan",
        "SYNCING": "Step 3 of 8: Backfill",
        "READY": "Step 5 of 8: Approvals",
    }
    facts = await vera.page.evaluate(ROW_FACTS, f"/api/v1/rollouts/{rollout}")
    assert [state for _, state, _, _ in facts] == ["PLANNED"] * 8 + ["SYNCING"] * 8 + ["READY"] * 4
    for at, (region, state, ready, total) in enumerate(facts):
        await expect(rows.nth(at)).to_contain_text(region)
        await expect(rows.nth(at).get_by_role("img", name=steps[state])).to_be_visible()
        if state == "SYNCING":
            await expect(rows.nth(at)).to_contain_text(f"{ready} of {total} shards")
    await expect(vera.page.get_by_text("Wave 1 of 1: 0 of 20 switched")).to_be_visible()
    last = await rows.nth(19).bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= 1100
    await vera.shoot("wall")
    assert await vera.faults() == []

    # What happens is seen without reading the page again.
    await asyncio.to_thread(report_of, rollout, 8, 15)
    await expect(rows.nth(8)).to_contain_text("15 of 16 shards")

    await vera.wear("dark")
    await vera.page.set_viewport_size(PHONE)
    await vera.visit(f"/rollouts/{rollout}/wall")
    await expect(rows).to_have_count(20)
    assert await vera.page.evaluate(OUTSIDE) <= 0
    await vera.shoot("wall-phone-dark")
    assert await vera.faults() == []
    await vera.page.emulate_media(forced_colors="active")
    await vera.page.set_viewport_size({"width": 680, "height": 900})
    assert await vera.page.evaluate(OUTSIDE) <= 0
    await vera.shoot("wall-forced-colours")
    assert vera.complaints == []

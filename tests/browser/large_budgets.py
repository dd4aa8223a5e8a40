"""What a fleet of 18,000 deployments and an upgrade of 4,096 shards take in a browser on this machine.

`python -m benchmarks.frontend` runs it and keeps the figures.
"""

from __future__ import annotations

import time
from datetime import timedelta
from functools import partial
from itertools import pairwise

import pytest
from django.db import close_old_connections, connection, transaction
from django.utils import timezone
from playwright.async_api import expect

from migrations_app.control.events.outbox import publish
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.models.registry import Deployment, Region, Service
from migrations_app.models.upgrades import (
    RecordedShardTransition,
    RecordedTransition,
    Upgrade,
    UpgradeShard,
)
from migrations_app.ports.upgrades import ShardState
from tests.browser.budgets import COUNT, in_thread, keep, part
from tests.browser.conftest import ADMIN, DEPLOYMENT, World
from tests.browser.person import Person

pytestmark = pytest.mark.django_db(transaction=True)
SERVICES, REGIONS = 300, 60
CELLS = SERVICES * REGIONS
RATE, SECONDS, AT_ONCE = 200, 10, 10
SHARDS, CHANGES = 4_096, 10_000
SCRUBS = 30
LONG_MS = 240_000
SCRUB_MS = 60_000
"""A moment that is not shown by then fails the run; nothing of what is measured comes near it."""

PAINTS = """
(() => {
  const fill = CanvasRenderingContext2D.prototype.fillRect;
  window.fills = 0;
  CanvasRenderingContext2D.prototype.fillRect = function (...box) {
    fill.apply(this, box);
    window.fills += 1;
    if (window.fills === CELLS) window.paintedAt = performance.now();
  };
})()
"""
FIRST_PAINT = """
() => {
  const fleet = performance.getEntriesByType('resource').find(each => each.name.endsWith('/api/v1/fleet'));
  return [window.paintedAt - fleet.responseEnd, fleet.responseEnd - fleet.startTime];
}
"""
SCRUB = """
async ([moments, longest]) => {
  const slider = document.querySelector('#replay');
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
  const [from, to, took] = [Number(slider.min), Number(slider.max), []];
  const frame = () => new Promise(requestAnimationFrame);
  for (let at = 1; at <= moments; at += 1) {
    const [before, began] = [slider.getAttribute('aria-valuetext'), performance.now()];
    const moment = Math.round(from + ((to - from) * at) / (moments + 1));
    set.call(slider, String(moment));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    while (slider.getAttribute('aria-valuetext') === before) {
      if (performance.now() - began > longest)
        throw new Error(`the slider from ${from} to ${to} still shows "${before}" at ${moment}`);
      await frame();
    }
    // What the frame draws is drawn before the next task.
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    took.push(performance.now() - began);
  }
  return took;
}
"""


@pytest.fixture
def large_fleet(world: World) -> list[tuple[str, str]]:
    """A fleet of 300 services in 60 regions; gives them in pairs."""
    now = timezone.now()
    names = [f"s{number:03d}.example.com" for number in range(SERVICES)]
    regions = [f"r-{number:02d}" for number in range(REGIONS)]
    Region.objects.bulk_create(Region(id=region, created_at=now, updated_at=now) for region in regions)
    Service.objects.bulk_create(
        Service(id=name, versions=["v2", "v1"], created_at=now, updated_at=now) for name in names
    )
    pairs = [(name, region) for name in names for region in regions]
    Deployment.objects.bulk_create(
        (
            Deployment(
                name=f"services/{name}/deployments/{region}",
                service_id=name,
                region_id=region,
                current_version="v1" if at % 3 else "v2",
                created_at=now,
                updated_at=now,
            )
            for at, (name, region) in enumerate(pairs)
        ),
        1000,
    )
    return pairs


def told(pairs: list[tuple[str, str]]) -> float:
    """Tell of cells at RATE, several in one transaction; gives how long it lasted, in seconds."""
    close_old_connections()
    began = time.monotonic()
    for first in range(0, RATE * SECONDS, AT_ONCE):
        time.sleep(max(0.0, began + first / RATE - time.monotonic()))
        with transaction.atomic():
            for number in range(first, first + AT_ONCE):
                service, region = pairs[number * 7 % len(pairs)]
                patch = {"ready": number % 16, "total": 16, "percent": number % 100}
                name = f"services/{service}/deployments/{region}"
                publish("fleet", "cell", name, patch=dict(patch), places=[(service, region)])
    connection.close()
    return time.monotonic() - began


async def test_the_heat_map_of_a_large_fleet(
    large_fleet: list[tuple[str, str]], people: dict[str, Person]
) -> None:
    olga = people["olga"]
    await olga.page.add_init_script(PAINTS.replace("CELLS", str(CELLS)))
    await olga.sign_in()
    await olga.visit("/")
    await olga.page.wait_for_function("() => window.paintedAt > 0")
    painted, answered = await olga.page.evaluate(FIRST_PAINT)
    await expect(olga.page.get_by_role("button", name="Live")).to_be_visible()
    await olga.page.evaluate("() => { window.renders = []; }")
    await olga.page.evaluate(COUNT)
    lasted = await in_thread(partial(told, large_fleet))
    frames = list(await olga.page.evaluate("window.frames_"))
    gaps = [later - one for one, later in pairwise(frames)]
    keep(
        {
            "heat_map_paint_ms": round(painted),
            "heat_map_answer_ms": round(answered),
            "heat_map_frames_per_second": round(len(frames) / lasted, 1),
            "heat_map_frame_p95_ms": part(gaps, 0.95),
            "heat_map_longest_frame_ms": round(max(gaps)),
        }
    )
    assert olga.complaints == []


@pytest.fixture
def large_upgrade(world: World) -> str:
    """An upgrade of 4,096 shards whose 10,000 changes of state are recorded."""
    upgrade = start_upgrade(ADMIN, plan_upgrade(ADMIN, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id)
    Upgrade.objects.filter(pk=upgrade).update(ring=SHARDS)
    now, states = timezone.now(), [ShardState.PENDING, ShardState.SYNCING, ShardState.READY]
    # The slider begins at the first transition: of an hour, each moment that is scrubbed to has its own second in words.
    planned = now - timedelta(hours=1)
    Upgrade.objects.filter(pk=upgrade).update(created_at=planned)
    RecordedTransition.objects.filter(upgrade_id=upgrade).update(at=planned)
    UpgradeShard.objects.bulk_create(
        (
            UpgradeShard(
                upgrade_id=upgrade,
                shard=shard,
                state=ShardState.SYNCING.value,
                copied=shard,
                total=SHARDS,
                reported_at=now,
                changed_at=now,
            )
            for shard in range(SHARDS)
        ),
        1000,
    )
    RecordedShardTransition.objects.bulk_create(
        (
            RecordedShardTransition(
                upgrade_id=upgrade,
                shard=number % SHARDS,
                at=now - timedelta(seconds=(CHANGES - number) / 4),
                state=states[number // SHARDS].value,
            )
            for number in range(CHANGES)
        ),
        1000,
    )
    return upgrade


async def test_the_run_sheet_of_a_large_upgrade_is_scrubbed(
    large_upgrade: str, people: dict[str, Person]
) -> None:
    olga = people["olga"]
    await olga.sign_in()
    await olga.page.goto(f"{olga.url}/upgrades/{large_upgrade}")
    await expect(olga.page.locator("[data-shard]")).to_have_count(SHARDS, timeout=LONG_MS)
    await expect(olga.page.locator("#replay")).to_be_visible(timeout=LONG_MS)
    took = await olga.page.evaluate(SCRUB, [SCRUBS, SCRUB_MS])
    keep({"scrub_p50_ms": part(took, 0.5), "scrub_p95_ms": part(took, 0.95)})
    assert olga.complaints == []

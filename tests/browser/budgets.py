"""What the console's budgets come to on this machine; `python -m benchmarks.frontend` runs it and keeps the figures."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
from django.db import close_old_connections, connection, transaction
from django.utils import timezone
from playwright.async_api import Page, expect

from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades, shard_as_json
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.models.outbox import OutboxEvent
from migrations_app.models.upgrades import UpgradeShard
from migrations_app.ports.upgrades import ShardReport, ShardState
from tests.browser.conftest import ADMIN, DEPLOYMENT, World
from tests.browser.person import Person

T = TypeVar("T")
pytestmark = pytest.mark.django_db(transaction=True)
SEEN = 60
RATE, SECONDS, AT_ONCE = 200, 10, 10
"""A fleet reports from several workers. One process that wrote each report by itself told about a hundred a second: here some
share a transaction, and watchers are told of each."""
ROUTES = ("Fleet", "Upgrades", "Home")

WATCH = """
() => {
  window.pixels = {};
  window.renders = [];
  const panel = document.querySelector('#shards');
  const note = () => {
    const shown = document.querySelector('.inspector .numbers dd');
    if (shown) window.pixels[shown.firstChild.textContent.replaceAll(',', '')] ??= Date.now();
  };
  new MutationObserver(() => { note(); }).observe(document.querySelector('main'), {subtree: true, childList: true, characterData: true});
  new MutationObserver(() => window.renders.push(performance.now())).observe(panel, {subtree: true, childList: true, characterData: true, attributes: true});
}
"""
COUNT = """
() => {
  window.renders = [];
  window.frames_ = [];
  const next = () => { window.frames_.push(performance.now()); requestAnimationFrame(next); };
  requestAnimationFrame(next);
}
"""
GO = """
name => new Promise((done, failed) => {
  const link = [...document.querySelectorAll('nav.side a')].find(each => each.textContent.startsWith(name));
  const began = performance.now();
  link.click();
  const look = () => {
    const title = document.querySelector('h1');
    if (title && title.textContent === name && !document.querySelector('[aria-busy=true]')) done(performance.now() - began);
    else if (performance.now() - began > 60_000) failed(new Error(`${name} is not shown: ${title?.textContent}`));
    else requestAnimationFrame(look);
  };
  look();
})
"""


def told(upgrade_id: str, reports: list[tuple[float, ShardReport]]) -> dict[int, float]:
    """Report on shards at their moments (seconds from now); gives when each was told, by its count."""
    close_old_connections()
    upgrades, began, at = DjangoUpgrades(), time.monotonic(), {}
    for moment, report in reports:
        time.sleep(max(0.0, began + moment - time.monotonic()))
        at[report.copied] = time.time() * 1000
        upgrades.report_shard(upgrade_id, report)
    connection.close()
    return at


def replayed(upgrade_id: str, reports: list[ShardReport]) -> tuple[float, dict[int, float]]:
    """Report at RATE, several in one transaction; gives how long it lasted, in seconds, and when shard 0 was told, by its count."""
    close_old_connections()
    rows = {row.shard: row for row in UpgradeShard.objects.filter(upgrade_id=upgrade_id)}
    began, at = time.monotonic(), dict[int, float]()
    for first in range(0, len(reports), AT_ONCE):
        time.sleep(max(0.0, began + first / RATE - time.monotonic()))
        told = [rows[report.shard] for report in reports[first : first + AT_ONCE]]
        for row, report in zip(told, reports[first:], strict=False):
            row.copied, row.reported_at = report.copied, timezone.now()
        with transaction.atomic():
            UpgradeShard.objects.bulk_update(told, ["copied", "reported_at"])
            OutboxEvent.objects.bulk_create(_event(upgrade_id, row) for row in told)
        at |= {row.copied: time.time() * 1000 for row in told if row.shard == 0}
    connection.close()
    return time.monotonic() - began, at


def _event(upgrade_id: str, row: UpgradeShard) -> OutboxEvent:
    topic, key = f"upgrade:{upgrade_id}", f"{upgrade_id}/{row.shard}"
    return OutboxEvent(at=timezone.now(), topic=topic, kind="shard", key=key, full=shard_as_json(row))


async def in_thread(work: Callable[[], T]) -> T:
    """Let the browser go on while something is told."""
    with ThreadPoolExecutor(1) as pool:
        return await asyncio.get_running_loop().run_in_executor(pool, work)


def part(values: list[float], share: float) -> float:
    """Give a percentile, rounded."""
    return round(sorted(values)[min(len(values) - 1, int(share * len(values)))], 1)


def seen_after(pixels: dict[str, float], at: dict[int, float]) -> list[float]:
    """Tell how long after each report the page showed it or a later one, in milliseconds."""
    shown = {int(count): when for count, when in pixels.items() if count.isdigit()}
    return [min(when for seen, when in shown.items() if seen >= count) - told for count, told in at.items()]


def keep(found: dict[str, float]) -> None:
    """Print figures, and add them to the file that BUDGETS_FILE names."""
    print(json.dumps(found))
    if name := os.environ.get("BUDGETS_FILE"):
        file = Path(name)
        known = json.loads(file.read_text()) if file.exists() else {}
        file.write_text(json.dumps(known | found))


async def first_load(page: Page) -> int:
    """Count the bytes of JavaScript that the first page took over the wire."""
    return int(
        await page.evaluate(
            """performance.getEntriesByType('resource').filter(each => each.name.endsWith('.js'))
               .reduce((sum, each) => sum + each.encodedBodySize, 0)"""
        )
    )


@pytest.fixture
def upgrade_id(world: World) -> str:
    """An upgrade whose shards only the measurement reports on."""
    return plan_upgrade(ADMIN, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id


async def test_the_budgets_of_the_console(upgrade_id: str, people: dict[str, Person]) -> None:
    olga, found = people["olga"], dict[str, float]()
    await olga.sign_in()
    found["first_load_kib"] = round(await first_load(olga.page) / 1024, 1)
    for name in ROUTES:
        await olga.page.evaluate(GO, name)
    took = [await olga.page.evaluate(GO, name) for _ in range(7) for name in ROUTES]
    found |= {"route_p50_ms": part(took, 0.5), "route_p95_ms": part(took, 0.95)}

    await olga.visit(f"/upgrades/{upgrade_id}?shard=0")
    await expect(olga.page.get_by_role("button", name="Live")).to_be_visible()
    await olga.page.evaluate(WATCH)
    slowly = [
        (n * 0.37, ShardReport(0, ShardState.SYNCING, "", copied=n + 1, total=10**6)) for n in range(SEEN)
    ]
    at = await in_thread(lambda: told(upgrade_id, slowly))
    await olga.page.wait_for_timeout(1500)
    pixels = {
        int(count): when
        for count, when in (await olga.page.evaluate("window.pixels")).items()
        if count.isdigit()
    }
    late = [pixels[count] - when for count, when in at.items() if count in pixels]
    found |= {"pixel_p50_ms": part(late, 0.5), "pixel_p95_ms": part(late, 0.95), "pixel_seen": len(late)}

    every = [ShardReport(n, ShardState.SYNCING, "", copied=1, total=10**6) for n in range(16)]
    await in_thread(lambda: told(upgrade_id, [(0.0, report) for report in every]))
    await olga.page.evaluate(COUNT)
    fast = [
        ShardReport(n % 16, ShardState.SYNCING, "", copied=1000 + n, total=10**6)
        for n in range(RATE * SECONDS)
    ]
    lasted, at = await in_thread(partial(replayed, upgrade_id, fast))
    frames = list(await olga.page.evaluate("window.frames_"))
    renders = list(await olga.page.evaluate("window.renders"))
    busiest = max((sum(one <= other < one + 1000 for other in renders) for one in renders), default=0)
    await olga.page.wait_for_function(
        "last => Object.keys(window.pixels).some(count => Number(count) >= last)", arg=max(at)
    )
    late = seen_after(await olga.page.evaluate("window.pixels"), at)
    found |= {
        "busy_pixel_p50_ms": part(late, 0.5),
        "busy_pixel_p95_ms": part(late, 0.95),
        "events_per_second": round(len(fast) / lasted, 1),
        "renders_per_second": round(len(renders) / lasted, 1),
        "busiest_second": busiest,
        "frames_per_second": round(len(frames) / lasted, 1),
        "longest_frame_ms": round(max(later - one for one, later in pairwise(frames))),
    }
    keep(found)
    assert late
    assert olga.complaints == []

"""What the console's budgets come to on this machine; `python -m benchmarks.frontend` runs it and keeps the figures."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from django.db import close_old_connections, connection
from playwright.async_api import Page, expect

from migrations_app.actions.plan_upgrade import Wish, plan_upgrade
from migrations_app.adapters.repositories.upgrades import DjangoUpgrades
from migrations_app.ports.upgrades import ShardReport, ShardState
from tests.browser.conftest import ADMIN, DEPLOYMENT, World
from tests.browser.person import Person

pytestmark = pytest.mark.django_db(transaction=True)
SEEN = 60
RATE, SECONDS = 200, 10
REPORTERS = 4
"""A fleet reports from several workers; one connection alone told about a hundred a second."""
ROUTES = ("Fleet", "Upgrades", "Overview")

WATCH = """
() => {
  window.pixels = {};
  window.renders = [];
  const grid = document.querySelector('.shards');
  const note = () => {
    const shown = document.querySelector('.inspector .numbers dd');
    if (shown) window.pixels[shown.firstChild.textContent.replaceAll(',', '')] ??= Date.now();
  };
  new MutationObserver(() => { note(); }).observe(document.querySelector('main'), {subtree: true, childList: true, characterData: true});
  new MutationObserver(() => window.renders.push(performance.now())).observe(grid, {subtree: true, childList: true, characterData: true, attributes: true});
}
"""
GO = """
name => new Promise(done => {
  const link = [...document.querySelectorAll('nav.side a')].find(each => each.textContent.startsWith(name));
  const began = performance.now();
  link.click();
  const look = () => {
    const title = document.querySelector('h1');
    if (title && title.textContent === name && !document.querySelector('[aria-busy=true]')) done(performance.now() - began);
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


async def in_thread(work: Callable[[], dict[int, float]]) -> dict[int, float]:
    """Let the browser go on while something is told."""
    with ThreadPoolExecutor(1) as pool:
        return await asyncio.get_running_loop().run_in_executor(pool, work)


def part(values: list[float], share: float) -> float:
    """Give a percentile, rounded."""
    return round(sorted(values)[min(len(values) - 1, int(share * len(values)))], 1)


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
    """An upgrade whose shards nobody but the measurement reports on."""
    return plan_upgrade(ADMIN, Wish(DEPLOYMENT, "v1")).upgrade_id


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

    await olga.page.evaluate("window.renders = []")
    fast = [
        (n / RATE, ShardReport(n % 16, ShardState.SYNCING, "", copied=1000 + n, total=10**6))
        for n in range(RATE * SECONDS)
    ]
    began = time.monotonic()
    await asyncio.gather(
        *(in_thread(partial(told, upgrade_id, fast[n::REPORTERS])) for n in range(REPORTERS))
    )
    lasted = time.monotonic() - began
    renders = list(await olga.page.evaluate("window.renders"))
    busiest = max((sum(one <= other < one + 1000 for other in renders) for one in renders), default=0)
    found |= {
        "events_per_second": round(len(fast) / lasted, 1),
        "renders_per_second": round(len(renders) / lasted, 1),
        "busiest_second": busiest,
    }
    print(json.dumps(found))
    if os.environ.get("BUDGETS_FILE"):
        Path(os.environ["BUDGETS_FILE"]).write_text(json.dumps(found))
    assert late
    assert olga.complaints == []

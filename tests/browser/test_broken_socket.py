"""A socket that breaks again and again: the page ends equal to the database all the same."""

from __future__ import annotations

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import close_old_connections, connection
from playwright.async_api import WebSocketRoute, expect

from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.models.upgrades import UpgradeShard
from migrations_app.ports.upgrades import ShardReport, ShardState
from tests.browser.conftest import ADMIN, DEPLOYMENT, World
from tests.browser.person import Person

pytestmark = pytest.mark.django_db(transaction=True)
EVENTS = 2_000
WORDS = {"pending": "waiting", "ready": "caught up", "failed": "failed", "regressed": "behind again"}


@pytest.fixture
def planned(world: World) -> str:
    """An upgrade whose shards only the test reports on."""
    return plan_upgrade(ADMIN, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id


def report(upgrade_id: str, events: list[tuple[int, ShardState, int]]) -> dict[int, tuple[str, int]]:
    """Report on shards as the workers do; gives what the database says of each at last."""
    close_old_connections()
    upgrades = DjangoUpgrades()
    for shard, state, copied in events:
        upgrades.report_shard(upgrade_id, ShardReport(shard, state, "", copied=copied, total=EVENTS))
    rows = UpgradeShard.objects.filter(upgrade_id=upgrade_id)
    found = {row.shard: (row.state, row.copied) for row in rows}
    connection.close()
    return found


async def test_a_socket_that_breaks_at_random_ends_equal_to_the_database(
    planned: str, people: dict[str, Person]
) -> None:
    olga, chance, sockets = people["olga"], random.Random(7), list[WebSocketRoute]()

    def through(route: WebSocketRoute) -> None:
        route.connect_to_server()
        sockets.append(route)

    await olga.page.route_web_socket("**/ws", through)
    await olga.sign_in()
    await olga.visit(f"/upgrades/{planned}")
    states = [ShardState.PENDING, ShardState.READY, ShardState.FAILED, ShardState.REGRESSED]
    events = [(chance.randrange(16), chance.choice(states), n) for n in range(EVENTS)]
    with ThreadPoolExecutor(1) as pool:
        work = asyncio.get_running_loop().run_in_executor(pool, report, planned, events)
        broken = 0
        while not work.done():
            await asyncio.sleep(chance.uniform(0.2, 1.2))
            if sockets:
                await sockets.pop().close(code=1012, reason="broken on purpose")
                broken += 1
        shards = await work
    cells = olga.page.get_by_role("gridcell")
    await expect(cells).to_have_count(16)
    for shard, (state, _) in shards.items():
        await expect(olga.page.locator(f"[data-shard='{shard}']")).to_contain_text(WORDS[state])
    await expect(olga.page.locator(".numbers").first).to_contain_text(
        f"{sum(copied for _, copied in shards.values()):,}"
    )
    print(f"\n{EVENTS} events, the socket broken {broken} times")
    assert broken >= 2
    assert olga.complaints == []

"""A run sheet that was shared: downloaded from the page, opened from disk without a server, read by everybody."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.async_api import Browser, expect

from migrations_app.control.approvals.commands.request_approval import request_approval
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import actor_with
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.models.upgrades import UpgradeSample
from migrations_app.ports.upgrades import CheckResult, ShardReport, ShardState, TimelineEntry
from tests.browser.conftest import DEPLOYMENT, PASSWORD, REGION, SERVICE, World
from tests.browser.person import PHONE, Person
from tests.factories.reports import keep_new
from tests.integration.upgrades.test_approvals import TECHNICAL
from tests.swy import Swy

pytestmark = pytest.mark.django_db(transaction=True)
OLGA = actor_with("olga", "operator")
UPGRADES = DjangoUpgrades()
MARKS = "() => [...document.querySelectorAll('svg text')].map((text) => text.textContent)"
OUTSIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def upgrade(world: World) -> str:
    """An upgrade that is ready, with a failed check, samples and a request for approval."""
    upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id)
    for state in (ShardState.SYNCING, ShardState.READY):
        for shard in range(16):
            UPGRADES.report_shard(upgrade, ShardReport(shard, state, "follow", lag_seconds=0.1))
    UPGRADES.transition(
        UPGRADES.load(upgrade), UpgradeEvent.CATCH_UP, TimelineEntry("caught-up", "All shards are caught up.")
    )
    UPGRADES.record_checks(upgrade, [CheckResult(name, "pass", f"{name} holds.") for name in TECHNICAL])
    now = timezone.now()
    for second in range(40):
        UpgradeSample.objects.create(
            upgrade_id=upgrade,
            at=now - timedelta(seconds=second / 10),
            ready=16,
            lag_p95=second / 10,
            rate=210.0,
        )
    request_approval(OLGA, upgrade, comment="For the portal.", ticket="CHG-1")
    failed = [CheckResult("parity", "fail", "258 resources differ.")]
    UPGRADES.record_checks(
        upgrade,
        [CheckResult(name, "pass", f"{name} holds.") for name in TECHNICAL if name != "parity"] + failed,
    )
    keep_new()
    return upgrade


async def test_a_shared_run_sheet_is_read_from_disk_without_a_server(
    upgrade: str, world: World, browser: Browser, people: dict[str, Person], tmp_path: Path
) -> None:
    olga = people["olga"]
    await olga.sign_in()
    await olga.visit(f"/upgrades/{upgrade}")
    await olga.page.get_by_role("button", name="Share…").press("Enter")
    await expect(olga.page.get_by_text("Signed copy as of now")).to_be_visible()
    assert await olga.faults() == []
    async with olga.page.expect_download() as downloading:
        await olga.page.get_by_role("link", name="HTML file, also to print").press("Enter")
    file = tmp_path / "sheet.html"
    await (await downloading.value).save_as(file)

    reader = await Person.arrive(browser, "", "reader", PASSWORD)
    requests: list[str] = []
    reader.page.on("request", lambda request: requests.append(request.url))
    await reader.context.set_offline(True)
    await reader.page.goto(file.as_uri())
    await expect(reader.page.get_by_role("heading", level=1)).to_have_text(
        f"{SERVICE} @ {REGION}: v1alpha2 to v1"
    )
    await expect(reader.page.get_by_role("img", name="16 shards in time")).to_be_visible()
    await expect(
        reader.page.get_by_role("region", name="Table: Checks", exact=True).get_by_text(
            "258 resources differ."
        )
    ).to_be_visible()
    assert "approval of switch requested" in await reader.page.evaluate(MARKS)
    await reader.shoot("shared-sheet")
    assert await reader.faults() == []
    await reader.page.emulate_media(color_scheme="dark")
    await reader.shoot("shared-sheet-dark")
    assert await reader.faults() == []
    await reader.page.emulate_media(color_scheme="light", forced_colors="active")
    await reader.shoot("shared-sheet-forced-colours")
    await reader.page.emulate_media(forced_colors="none")
    await reader.page.set_viewport_size(PHONE)
    assert await reader.page.evaluate(OUTSIDE) <= 0
    await reader.shoot("shared-sheet-phone")
    assert await reader.faults() == []
    await reader.page.set_viewport_size({"width": 1360, "height": 900})
    await reader.page.emulate_media(media="print", color_scheme="light")
    assert await reader.page.evaluate(OUTSIDE) <= 0
    await reader.shoot("shared-sheet-print")
    assert requests == [file.as_uri()]
    assert reader.complaints + olga.complaints == []
    await reader.leave()

    assert upgrade in Swy(world.url, "")("report", "verify", str(file))
    file.write_bytes(file.read_bytes().replace(b"258 resources", b"no resources", 1))
    Swy(world.url, "")("report", "verify", str(file), expect=1)

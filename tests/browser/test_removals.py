"""What a new version does not have, by clicks: accepted by two persons on the page of the upgrade, and exported."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from django.utils import timezone
from playwright.async_api import expect

from console.env import ROOT
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from tests.browser.conftest import ADMIN, REGION, World
from tests.browser.person import DESK, PHONE, Person
from tests.browser.test_pages import cut
from tests.factories.access import token_of

pytestmark = pytest.mark.django_db(transaction=True)
DELIVERY, SERVICE = ROOT / "examples" / "delivery", "delivery.example.com"


@pytest.fixture
def planned(world: World, data_database: str) -> str:
    """An upgrade to a version without receipts, of which one is stored."""
    files = {path.relative_to(DELIVERY).as_posix(): path.read_bytes() for path in DELIVERY.rglob("*.yaml")}
    deployment = f"services/{SERVICE}/deployments/{REGION}"
    apply_service(ADMIN, files)
    apply_deployment(ADMIN, deployment, {"currentVersion": "v1"}, database=data_database)
    headers = {"Authorization": f"Bearer {token_of('olga')}"}
    address = f"{world.url}/apis/{REGION}/{SERVICE}/v1/projects/p/receipts"
    stored = httpx.post(address, params={"id": "r1"}, json={"text": "paid"}, headers=headers, timeout=60)
    assert stored.status_code == 201, stored.text
    return plan_upgrade(ADMIN, UpgradeSpec(deployment, "v2")).upgrade_id


async def test_what_is_missing_is_accepted_by_two_persons_and_exported(
    planned: str, people: dict[str, Person]
) -> None:
    olga, ann = people["olga"], people["ann"]
    await olga.sign_in()
    await ann.sign_in()
    page = olga.page
    await olga.visit(f"/upgrades/{planned}")
    table = page.get_by_role("region", name="Missing in v2")
    row = table.get_by_role("row").filter(has=page.get_by_role("rowheader", name="The type Receipt"))
    await expect(row).to_contain_text("Kept; v1 continues to serve it until v1 retires.")
    await expect(row.get_by_role("cell", name="1", exact=True)).to_be_visible()
    await row.get_by_role("button", name="Accept…").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Reason").fill("Receipts are archived.")
    until = (timezone.now() + timedelta(days=30)).strftime("%Y-%m-%dT%H:%M")
    await dialog.get_by_label("Until (UTC)").fill(until)
    await expect(dialog.get_by_text("The switch waits for that.")).to_be_visible()
    assert await olga.faults() == []
    await dialog.get_by_role("button", name="Ask for approval").click()
    await expect(row.get_by_text("waits for approval")).to_be_visible()

    await ann.visit(f"/upgrades/{planned}")
    await ann.page.get_by_role("region", name="Missing in v2").get_by_role("button", name="Approve").click()
    await expect(ann.page.get_by_text("All accepted")).to_be_visible()

    await olga.visit(f"/upgrades/{planned}")
    await expect(row.get_by_text("approved by ann")).to_be_visible()
    for scheme in ("light", "dark"):
        await olga.prefer(scheme)
        assert await olga.faults() == []
        await olga.shoot(f"removals-{scheme}")
    await page.set_viewport_size(PHONE)
    assert await cut(page) == []
    await page.set_viewport_size(DESK)

    await row.get_by_role("link", name="Kept types").click()
    kept = page.get_by_role("region", name="Kept types")
    await expect(kept.get_by_text("Not exported")).to_be_visible()
    async with page.expect_download() as downloading:
        await kept.get_by_role("button", name="Export Receipt").click()
    download = await downloading.value
    lines = Path(await download.path()).read_text().splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["projects/p/receipts/r1"]
    await expect(kept.get_by_text("Exported", exact=True)).to_be_visible()
    assert await olga.faults() == []
    await page.set_viewport_size(PHONE)
    assert await cut(page) == []
    assert olga.complaints + ann.complaints == []

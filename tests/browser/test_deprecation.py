"""A deprecation by clicks: announced, browned out while a client still sends, begun in phases, and removed once unused."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.utils import timezone
from playwright.async_api import expect

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.models.evidence.usage import UsageCount
from tests.browser.conftest import ADMIN, REGION, World
from tests.browser.person import DESK, PHONE, Person
from tests.browser.test_pages import CUT
from tests.factories.access import token_of
from tests.factories.shelves import BOX, SHELVES, V1, folder
from tests.integration.compatibility.test_changes_of_definitions import REMOVED, observed_for

pytestmark = pytest.mark.django_db(transaction=True)
V2 = V1.replace("title:", "label:")


class Client:
    """The client that sends the title, as an account of its own."""

    def __init__(self, url: str) -> None:
        headers = {"Authorization": f"Bearer {token_of('olga')}", "User-Agent": "stock/1.4"}
        self._http = httpx.Client(base_url=f"{url}/apis/{REGION}/{SHELVES}/v1/", headers=headers, timeout=60)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def create(self) -> None:
        """Store the box."""
        assert self._http.post("boxes", params={"id": "b1"}, json={"weight": 1}).status_code == 201

    def send(self, title: str) -> httpx.Response:
        """Change the title of the box."""
        return self._http.patch(BOX, json={"title": title})

    def send_until(self, status: int, title: str) -> httpx.Response:
        """Change the title until it is answered so: servers learn of brown-outs within a second."""
        end = time.monotonic() + 60.0
        while (answer := self.send(title)).status_code != status:
            assert time.monotonic() < end, answer.text
            time.sleep(0.2)
        return answer

    def replace(self) -> None:
        """Clear the title by name: a whole box without it may be one that was read in a brown-out."""
        cleared = self._http.patch(BOX, params={"updateMask": "weight,title"}, json={"weight": 2})
        assert cleared.status_code == 200, cleared.text


@pytest.fixture
def client(world: World, data_database: str) -> Iterator[Client]:
    """A service whose title is deprecated, in the world of the browser."""
    sunset = timezone.now().date().isoformat()
    said = f"{{since: 2026-01-01, sunset: {sunset}, replacedBy: label}}"
    v1 = V1.replace("title: string", f"title: {{type: string, deprecated: {said}}}")
    apply_service(ADMIN, folder(v1=v1, v2=V2))
    deployment = f"services/{SHELVES}/deployments/{REGION}"
    apply_deployment(ADMIN, deployment, {"currentVersion": "v1"}, database=data_database)
    client = Client(world.url)
    client.create()
    yield client
    client.close()


def _forget_use() -> None:
    """Let the window pass, once all uses are written down: the client was seen, and sent no title.

    What cleared the title last is the only use that names it in a mask, beside the weight.
    """
    end = time.monotonic() + 60.0
    while not UsageCount.objects.filter(method="Box.update", path="weight").exclude(state="absent").exists():
        assert time.monotonic() < end
        time.sleep(0.5)
    UsageCount.objects.all().delete()
    observed_for(35, client="olga", count=3000)
    # The thread that this runs in keeps its connection, and the database could not be dropped.
    connections.close_all()


async def test_from_the_announcement_through_a_brown_out_to_the_removal(
    client: Client, people: dict[str, Person], tmp_path: Path
) -> None:
    await sync_to_async(client.send_until)(200, "tools")
    olga = people["olga"]
    page = olga.page
    await olga.sign_in()
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Box.title"))
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        # Uses are written down every few seconds.
        await olga.visit(f"/versions/{SHELVES}/usage")
        if await row.first.get_by_role("cell", name="olga", exact=True).count():
            break
    await row.first.get_by_role("button", name="Announce…").click()
    dialog = page.get_by_role("dialog")
    deadline = (timezone.now() + timedelta(days=30)).date().isoformat()
    await dialog.get_by_label("Deadline").fill(deadline)
    await expect(dialog.get_by_text("Named: olga.")).to_be_visible()
    await dialog.get_by_role("button", name="Announce").click()
    await expect(dialog).to_have_count(0)

    await row.first.get_by_role("button", name="Brown-out…").click()
    await dialog.get_by_label("Percent of requests to refuse").fill("100")
    ends_at = (timezone.now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M")
    await dialog.get_by_label("Until (UTC)").fill(ends_at)
    await expect(dialog.get_by_text("as the replacement")).to_be_visible()
    assert await olga.faults() == []
    await dialog.get_by_role("button", name="Announce").click()
    await expect(page.get_by_text("refusing requests")).to_be_visible()
    refused = await sync_to_async(client.send_until)(400, "shelf")
    assert refused.json()["code"] == "brown-out"
    assert "Use label instead" in refused.json()["detail"]
    table = page.get_by_role("region", name="Brown-outs")
    await expect(table.get_by_text("1", exact=True)).to_be_visible()
    for scheme in ("light", "dark"):
        await olga.wear(scheme)
        await olga.visit(f"/versions/{SHELVES}/usage")
        await expect(page.get_by_text("refusing requests")).to_be_visible()
        assert await olga.faults() == []
        await olga.shoot(f"brown-out-{scheme}")
    await page.set_viewport_size(PHONE)
    assert await page.evaluate(CUT) == []
    await page.set_viewport_size(DESK)
    await table.get_by_role("button", name="Stop").click()
    await expect(page.get_by_text("stopped", exact=True)).to_be_visible()
    await sync_to_async(client.send_until)(200, "after")
    for path, text in folder(v1=REMOVED, v2=V2).items():
        (tmp_path / path).write_bytes(text)
    await _begun_in_phases(olga, tmp_path)
    await sync_to_async(client.replace)()

    await sync_to_async(_forget_use)()
    await olga.visit(f"/versions/{SHELVES}/changes")
    await page.get_by_label("Folder of the service").set_input_files(tmp_path)
    await expect(page.get_by_text("This definition may be applied.")).to_be_visible()
    await page.get_by_role("button", name="Apply", exact=True).click()
    await expect(page.get_by_text("Applied.", exact=True)).to_be_visible()
    assert olga.complaints == []


async def _begun_in_phases(olga: Person, changed: Path) -> None:
    """Start the removal in phases, look at what it waits for, and stop it: servers do not send the title any more."""
    page = olga.page
    await olga.visit(f"/versions/{SHELVES}/changes")
    await page.get_by_label("Folder of the service").set_input_files(changed)
    ways = page.get_by_role("region", name="In place or a new version")
    await expect(ways.get_by_role("rowheader", name="In place")).to_be_visible()
    assert await olga.faults() == []
    await page.get_by_role("button", name="Start in phases").click()
    first = page.get_by_role("listitem").filter(has_text="Box.title: Servers stop sending it.").last
    await expect(first.get_by_text("done", exact=True)).to_be_visible()
    for scheme in ("light", "dark"):
        await olga.wear(scheme)
        await olga.visit(f"/versions/{SHELVES}/changes")
        await expect(first.get_by_text("done", exact=True)).to_be_visible()
        assert await olga.faults() == []
        await olga.shoot(f"definition-rollout-{scheme}")
    await page.set_viewport_size(PHONE)
    assert await page.evaluate(CUT) == []
    await page.set_viewport_size(DESK)
    await page.get_by_role("button", name="Stop", exact=True).click()
    await expect(page.get_by_text("Stopped", exact=True)).to_be_visible()

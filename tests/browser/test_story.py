"""The whole story before real workers: planned, copied, approved by another, switched, gone back."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import DEPLOYMENT, REGION, SERVICE, World
from tests.browser.person import Person
from tests.processes import Children
from tests.waiting import attempts

pytestmark = pytest.mark.django_db(transaction=True)
SLOWLY = 300_000


async def press(page: Page, target: Locator) -> None:
    """Act by keyboard: focus, then Enter."""
    await target.focus()
    await page.keyboard.press("Enter")


async def confirm(page: Page, word: str, *, typed: bool) -> None:
    """Answer the dialog of a deed: read the rehearsal, type the name, press the last button."""
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_text("the server accepts this action")).to_be_visible()
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    if typed:
        await dialog.get_by_label("to confirm").fill(f"{SERVICE}@{REGION}")
    await press(page, dialog.get_by_role("button", name=word))
    await expect(dialog).to_have_count(0)


async def ask(page: Page, key: str) -> None:
    """Press a deed's key until its dialog opens: while a check still runs the key answers why not."""
    dialog = page.get_by_role("dialog").get_by_text("the server accepts this action")
    for _ in attempts(least=1):
        await page.keyboard.press(key)
        try:
            await expect(dialog).to_be_visible(timeout=20_000)
        except AssertionError:
            await page.keyboard.press("Escape")
        else:
            return
    raise AssertionError(f"{key} opens no dialog")


async def plan(olga: Person) -> None:
    """Plan the upgrade and have it started."""
    await olga.visit(f"/d/{SERVICE}/{REGION}")
    await press(olga.page, olga.page.get_by_role("link", name="Plan an upgrade to v1"))
    await expect(olga.page.get_by_text("Ready to start")).to_be_visible()
    await olga.shoot("story-plan")
    await olga.page.get_by_label("Reason").fill("For the new portal.")
    await press(olga.page, olga.page.get_by_role("button", name="Create and start"))
    await expect(olga.page.get_by_role("heading", level=1)).to_have_text(f"{SERVICE} @ {REGION}")


# Past the buttons: the requester's own session, and the door itself.
KNOCK = """
async ([path, body]) => {
  const session = await (await fetch('/api/v1/session')).json();
  const shown = await fetch(path.replace(/\\/[a-z-]+$/, ''));
  const answer = await fetch(path, {
    method: 'POST', body: JSON.stringify(body),
    headers: {'Content-Type': 'application/json', 'X-CSRFToken': session.csrf_token, 'If-Match': shown.headers.get('ETag')},
  });
  return answer.status;
}
"""


async def test_plan_approve_switch_and_go_back_by_keyboard(
    world: World, live_worker: Children, people: dict[str, Person]
) -> None:
    olga, ann = people["olga"], people["ann"]
    await olga.sign_in()
    await ann.sign_in()
    await plan(olga)
    state = olga.page.locator("#state")
    await expect(state).to_contain_text("all 16 shards caught up", timeout=SLOWLY)
    await olga.shoot("story-gate")

    await olga.page.keyboard.press("a")
    await olga.page.get_by_label("Comment", exact=True).fill("The portal needs it.")
    await olga.page.get_by_role("button", name="Cancel").focus()
    await confirm(olga.page, "Request", typed=False)
    await press(olga.page, olga.page.get_by_role("button", name="Approve"))
    await expect(olga.page.get_by_text("Not now")).to_be_visible()
    upgrade = olga.page.url.removeprefix(olga.url)
    facts = await (await olga.page.request.get(f"{olga.url}/api/v1{upgrade}")).json()
    request = facts["readiness"]["approvals"]["request_id"]
    emergency = {"comment": "There is no time to ask anybody.", "ticket": "INC-1"}
    for path, body in (
        (f"/api/v1/approvals/{request}/approve", {}),
        (f"/api/v1{upgrade}/break-glass", emergency),
    ):
        assert await olga.page.evaluate(KNOCK, [path, body]) == 403

    await ann.visit("/approvals")
    await press(ann.page, ann.page.get_by_role("table").get_by_role("link").first)
    await expect(ann.page).to_have_url(f"{ann.url}{upgrade}?request={request}#request")
    await expect(ann.page.get_by_text("The portal needs it.")).to_be_visible()
    await ann.shoot("story-decision")
    assert await ann.faults() == []
    await ann.approve()
    await expect(ann.page.get_by_text("Approved", exact=True)).to_be_visible()

    await olga.page.keyboard.press("Escape")
    await expect(olga.page.locator(".gate").get_by_text("1 of 1", exact=True)).to_be_visible()
    await expect(olga.page.get_by_text("checks passed").first).to_be_visible()
    await expect(state).to_contain_text("may switch now", timeout=SLOWLY)
    await olga.shoot("upgrade", height=1265)
    await ask(olga.page, "s")
    await confirm(olga.page, "Switch now", typed=True)
    await expect(state).to_contain_text("serves v1", timeout=SLOWLY)
    await olga.shoot("story-reversible", height=1230)
    assert await olga.faults() == []

    await ask(olga.page, "b")
    await confirm(olga.page, "Roll back", typed=True)
    await expect(state).to_contain_text("rolled back to v1alpha2", timeout=SLOWLY)
    await olga.shoot("story-reverted")
    assert olga.complaints + ann.complaints == []
    assert DEPLOYMENT in world.source.deployment

"""Every page, before real data: accessible in light and dark, without a complaint of the browser's policy."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Page, Response, ViewportSize, expect

from console.env import ROOT
from tests.browser.conftest import REGION, SERVICE
from tests.browser.person import PHONE, Person

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = {
    "overview": "/",
    "fleet": "/fleet",
    "fleet-table": "/fleet?view=table",
    "fleet-map": "/fleet?view=map",
    "deployment": f"/d/{SERVICE}/{REGION}",
    "deployment-windows": f"/d/{SERVICE}/{REGION}?tab=windows",
    "deployment-raw": f"/d/{SERVICE}/{REGION}?tab=raw",
    "upgrades": "/upgrades",
    "plan": f"/upgrades/new?deployment=services/{SERVICE}/deployments/{REGION}&target=v1",
    "rollouts": "/rollouts",
    "rollout-proposals": f"/rollouts/proposals?services={SERVICE}&target=v1",
    "rollout-plan": f"/rollouts/new?deployments=services/{SERVICE}/deployments/{REGION}&target=v1",
    "approvals": "/approvals",
    "resources": f"/resources?service={SERVICE}&region={REGION}&type=Secret",
    "resource": f"/resources/one?service={SERVICE}&region={REGION}&name=projects/p/secrets/secret-7",
    "resource-changes": f"/logs/changes?service={SERVICE}&region={REGION}",
    "activity-log": f"/logs/activity?service={SERVICE}&region={REGION}",
    "conversion-sessions": f"/logs/conversions?service={SERVICE}&region={REGION}",
    "references": "/refs",
    "versions": "/versions",
    "service": f"/versions/{SERVICE}",
    "usage": f"/versions/{SERVICE}/usage",
    "definition-changes": f"/versions/{SERVICE}/changes",
    "compatibility": f"/compat/{SERVICE}/v1alpha2..v1",
    "windows": f"/windows?deployment=services/{SERVICE}/deployments/{REGION}",
    "activity": "/activity",
    "access": "/settings/access",
    "access-accounts": "/settings/access?tab=accounts",
    "access-roles": "/settings/access?tab=roles",
    "access-approvers": "/settings/access?tab=approvers",
    "access-policies": "/settings/access?tab=policies",
    "access-emergencies": "/settings/access?tab=emergencies",
    "access-sessions": "/settings/access?tab=sessions",
    "webhooks": "/settings/hooks",
    "account": "/account",
    "deletion": f"/refs/deletion?name=//{SERVICE}/{REGION}/projects/p/secrets/secret-7",
    "access-explain": "/settings/access?tab=explain",
    "health": "/health",
    "runbooks": "/runbooks",
    "developer": "/api",
    "not-found": "/nowhere",
}


OUTSIDE = f"""(served) => {{
{(ROOT / "frontend" / "scripts" / "outside.mjs").read_text().replace("export ", "")}
return outsideTexts(document.body, served);
}}"""
"""The texts that are neither in the catalogue nor from the server."""

# A desk of 1280 px at 200 % has room for 640 px of a page.
ZOOMED: ViewportSize = {"width": 640, "height": 450}
# Whatever reaches past the edge has to lie in something that scrolls by itself.
CUT = """
() => {
  const wide = document.documentElement.scrollWidth, found = wide > innerWidth ? [`the page is ${wide} wide`] : [];
  const scrolls = (node) => node && node !== document.body && (/auto|scroll/.test(getComputedStyle(node).overflowX) || scrolls(node.parentElement));
  for (const each of document.querySelectorAll('main a, main button, main input, main textarea, main h1, main h2, main h3, main p, header *')) {
    const { left, right, width } = each.getBoundingClientRect();
    if (width > 2 && (right > innerWidth + 1 || left < -1) && !each.closest('.unseen, .skip') && !scrolls(each.parentElement))
      found.push(`${each.tagName} ${(each.textContent || each.getAttribute('aria-label') || '').trim().slice(0, 40)} ends at ${Math.round(right)}`);
  }
  return found;
}
"""


class Served:
    """What the server sends to a page: its texts are not in the catalogue of the console."""

    def __init__(self, page: Page) -> None:
        self._reads: list[asyncio.Task[str]] = []
        self._frames: list[str] = []
        page.on("response", self._hear)
        page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda frame: self._frames.append(str(frame))),
        )

    def _hear(self, response: Response) -> None:
        if "json" in response.headers.get("content-type", ""):
            self._reads.append(asyncio.create_task(response.text()))

    async def text(self) -> str:
        """Give all of it; an answer that a navigation broke off was not shown."""
        texts = await asyncio.gather(*self._reads, return_exceptions=True)
        return "\n".join([*(each for each in texts if isinstance(each, str)), *self._frames])


async def test_every_page_is_accessible_in_light_and_dark(people: dict[str, Person]) -> None:
    otto = people["otto"]
    await otto.page.goto(otto.url)
    await expect(otto.page.get_by_role("heading", name="Sign in")).to_be_visible()
    faults = [f"sign-in: {fault}" for fault in await otto.faults()]
    await otto.shoot("sign-in-light")
    await otto.sign_in()
    for scheme in ("light", "dark"):
        await otto.wear(scheme)
        for name, path in PAGES.items():
            await otto.visit(path)
            await otto.page.wait_for_timeout(300)
            await expect(otto.page.locator(".card.problem")).to_have_count(0)
            missing = otto.page.get_by_role("heading", name="No such page")
            await expect(missing).to_have_count(1 if name == "not-found" else 0)
            faults += [f"{name} in {scheme}: {fault}" for fault in await otto.faults()]
            await otto.shoot(f"{name}-{scheme}")
    assert not faults, "\n".join(faults)
    assert otto.complaints == []


async def test_every_page_fits_a_desk_at_twice_the_size(people: dict[str, Person]) -> None:
    otto = people["otto"]
    await otto.sign_in()
    await otto.page.set_viewport_size(ZOOMED)
    cut = []
    for name, path in PAGES.items():
        await otto.visit(path)
        cut += [f"{name}: {each}" for each in await otto.page.evaluate(CUT)]
        await otto.shoot(f"{name}-zoom")
    assert not cut, "\n".join(cut)


async def test_every_page_fits_a_phone_in_longer_words_and_all_of_them_are_in_the_catalogue(
    people: dict[str, Person],
) -> None:
    otto = people["otto"]
    await otto.sign_in()
    await otto.page.set_viewport_size(PHONE)
    served = Served(otto.page)
    await otto.page.goto(f"{otto.url}/?language=en-XA")
    await expect(otto.page.get_by_role("heading", level=1)).to_contain_text("⟦")
    faults = []
    for name, path in PAGES.items():
        await otto.visit(path)
        faults += [f"{name}: {each}" for each in await otto.page.evaluate(CUT)]
        faults += [f"{name}: {each}" for each in await otto.page.evaluate(OUTSIDE, await served.text())]
        await otto.shoot(f"{name}-phone")
    assert not faults, "\n".join(faults)


async def test_a_wrong_password_is_answered_in_words(people: dict[str, Person]) -> None:
    olga = people["olga"]
    await olga.page.goto(olga.url)
    await olga.page.locator("input[name=username]").fill("olga")
    await olga.page.locator("input[name=password]").fill("a wrong sentence")
    await olga.page.keyboard.press("Enter")
    await expect(olga.page.get_by_role("alert").first).to_contain_text("The name or the password is wrong.")


async def test_pages_that_one_may_not_read_are_not_offered(people: dict[str, Person]) -> None:
    vera = people["vera"]
    await vera.sign_in()
    menu = vera.page.get_by_role("navigation", name="Main")
    await expect(menu.get_by_role("link", name="Upgrades")).to_be_visible()
    await expect(menu.get_by_role("link", name="Activity")).to_have_count(0)
    await vera.visit("/activity")
    await expect(vera.page.locator(".card.problem")).to_contain_text("This needs auditor or admin")


async def test_the_stream_is_live_and_health_is_real(people: dict[str, Person]) -> None:
    olga = people["olga"]
    await olga.sign_in()
    await expect(olga.page.get_by_role("button", name="Live")).to_be_visible()
    await olga.page.keyboard.press("g")
    await olga.page.keyboard.press("h")
    await expect(olga.page.get_by_role("heading", name="System health")).to_be_visible()
    await expect(olga.page.get_by_role("row").filter(has_text="database").first).to_contain_text("ok")

"""Every page, before real data: accessible in light and dark, without a complaint of the browser's policy."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

import pytest
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Route, ViewportSize, expect

from console.env import ROOT
from tests.browser.conftest import REGION, SERVICE
from tests.browser.person import DESK, PHONE, Person
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = {
    "overview": "/",
    "fleet": "/fleet",
    "fleet-table": "/fleet?view=table",
    "fleet-map": "/fleet?view=map",
    "fleet-heat": "/fleet?view=heat",
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


# Each choice that an address may name, with a value that is none of it.
UNKNOWN_CHOICES = (
    "/fleet?view=cube",
    "/fleet?view=table&order=colour&down=maybe",
    "/fleet?view=heat&colour=sound&group=planet",
    f"/d/{SERVICE}/{REGION}?tab=basement",
    "/approvals?tab=everything",
    "/settings/access?tab=everything",
    f"/refs?name=//{SERVICE}/{REGION}/projects/p/secrets/secret-7&view=cube",
    f"/refs?name=//{SERVICE}/{REGION}/projects/p/secrets/secret-7&view=explore&kinds=liquid",
    f"/compat/{SERVICE}/v1alpha2..v1?class=first&buf=north&direction=up",
    "/upgrades?order=colour&state=liquid",
    "/activity?kind=liquid",
    "/health?region=moon",
)


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
  for (const each of document.querySelectorAll('.crumbs > a:last-of-type'))
    if (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display === 'block')
      found.push(`the breadcrumb ${each.textContent} is cut`);
  return found;
}
"""


async def cut(page: Page) -> list[str]:
    """List what reaches past the edge, once the page has followed its new width."""
    until = time.monotonic() + PATIENCE_SECONDS
    while (found := list[str](await page.evaluate(CUT))) and time.monotonic() < until:
        await asyncio.sleep(0.1)
    return found


class Served:
    """What the server sends to a page: its texts are not in the catalogue of the console."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    @classmethod
    async def to(cls, page: Page) -> Served:
        """Keep what is sent from now on, each answer before the page gets it: none is shown that is not kept."""
        served = cls()
        page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda frame: served._texts.append(str(frame))),
        )
        await page.route("**/*", served._answer)
        return served

    async def _answer(self, route: Route) -> None:
        if route.request.resource_type not in ("fetch", "xhr"):
            await route.continue_()
            return
        # A navigation breaks off what was asked before; that is not shown.
        with suppress(PlaywrightError):
            answer = await route.fetch()
            if "json" in answer.headers.get("content-type", ""):
                self._texts.append(await answer.text())
            await route.fulfill(response=answer)

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self._texts)


async def test_every_page_is_accessible_in_light_and_dark_and_fits_a_desk_at_twice_the_size(
    people: dict[str, Person],
) -> None:
    otto = people["otto"]
    await otto.page.goto(otto.url)
    await expect(otto.page.get_by_role("heading", name="Sign in")).to_be_visible()
    faults = [f"sign-in: {fault}" for fault in await otto.faults()]
    await otto.shoot("sign-in-light")
    await otto.sign_in()
    for name, path in PAGES.items():
        await otto.visit(path)
        await otto.settle()
        await expect(otto.page.locator(".card.problem")).to_have_count(0)
        missing = otto.page.get_by_role("heading", name="No such page")
        await expect(missing).to_have_count(1 if name == "not-found" else 0)
        for scheme in ("light", "dark"):
            await otto.prefer(scheme)
            faults += [f"{name} in {scheme}: {fault}" for fault in await otto.faults()]
            await otto.shoot(f"{name}-{scheme}")
        await otto.page.set_viewport_size(ZOOMED)
        faults += [f"{name} at twice the size: {each}" for each in await cut(otto.page)]
        await otto.shoot(f"{name}-zoom")
        await otto.page.set_viewport_size(DESK)
    assert not faults, "\n".join(faults)
    assert otto.complaints == []


async def test_every_page_fits_a_phone_in_longer_words_and_all_of_them_are_in_the_catalogue(
    people: dict[str, Person],
) -> None:
    otto = people["otto"]
    await otto.sign_in()
    await otto.page.set_viewport_size(PHONE)
    served = await Served.to(otto.page)
    await otto.page.goto(f"{otto.url}/?language=en-XA")
    await expect(otto.page.get_by_role("heading", level=1)).to_contain_text("⟦")
    faults = []
    for name, path in PAGES.items():
        await otto.visit(path)
        faults += [f"{name}: {each}" for each in await cut(otto.page)]
        faults += [f"{name}: {each}" for each in await otto.page.evaluate(OUTSIDE, served.text)]
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


async def test_the_stream_is_live_health_is_real_and_the_palette_opens_at_the_first_press(
    people: dict[str, Person],
) -> None:
    olga = people["olga"]
    pressed = asyncio.Event()

    async def after_the_press(route: Route) -> None:
        await pressed.wait()
        await route.continue_()

    await olga.page.route("**/assets/Palette-*.js", after_the_press)
    await olga.sign_in()
    await olga.page.keyboard.press("Control+k")
    pressed.set()
    await expect(olga.page.get_by_role("dialog").get_by_label("Search")).to_be_focused()
    await olga.page.keyboard.type("Windows")
    await expect(olga.page.get_by_role("dialog").locator("[data-selected]")).to_have_text("Windows")
    await olga.page.keyboard.press("Enter")
    await expect(olga.page.get_by_role("heading", name="Windows and freezes")).to_be_visible()
    await expect(olga.page.get_by_role("dialog")).to_have_count(0)
    await expect(olga.page.get_by_role("button", name="Live")).to_be_visible()
    await olga.page.keyboard.press("g")
    await olga.page.keyboard.press("h")
    await expect(olga.page.get_by_role("heading", name="System health")).to_be_visible()
    await olga.page.locator(".health-group > summary", has_text="Databases").click()
    await expect(olga.page.get_by_role("row").filter(has_text="database").first).to_contain_text("ok")


async def test_an_unknown_choice_in_an_address_breaks_no_page(people: dict[str, Person]) -> None:
    otto = people["otto"]
    await otto.sign_in()
    for path in UNKNOWN_CHOICES:
        await otto.visit(path)
        await expect(otto.page.get_by_role("main").get_by_role("heading").first).to_be_visible()
        await otto.settle()
        await expect(
            otto.page.get_by_role("main").locator(".card, [role=table], [role=grid]").first
        ).to_be_visible()
        await expect(otto.page.get_by_role("heading", name="failed", exact=False)).to_have_count(0)
    assert otto.complaints == []

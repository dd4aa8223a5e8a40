"""Every page, before real data: accessible in light and dark, without a complaint of the browser's policy."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import REGION, SERVICE
from tests.browser.person import DESK, PHONE, Person

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = {
    "overview": "/",
    "fleet": "/fleet",
    "fleet-table": "/fleet?view=table",
    "deployment": f"/d/{SERVICE}/{REGION}",
    "deployment-windows": f"/d/{SERVICE}/{REGION}?tab=windows",
    "deployment-raw": f"/d/{SERVICE}/{REGION}?tab=raw",
    "upgrades": "/upgrades",
    "plan": f"/upgrades/new?deployment=services/{SERVICE}/deployments/{REGION}&target=v1",
    "rollouts": "/rollouts",
    "rollout-plan": f"/rollouts/new?deployments=services/{SERVICE}/deployments/{REGION}&target=v1",
    "approvals": "/approvals",
    "resources": f"/resources?service={SERVICE}&region={REGION}&type=Secret",
    "resource": f"/resources/one?service={SERVICE}&region={REGION}&name=projects/p/secrets/secret-7",
    "references": "/refs",
    "versions": "/versions",
    "service": f"/versions/{SERVICE}",
    "compatibility": f"/compat/{SERVICE}/v1alpha2..v1",
    "windows": f"/windows?deployment=services/{SERVICE}/deployments/{REGION}",
    "activity": "/activity",
    "access": "/settings/access",
    "access-accounts": "/settings/access?tab=accounts",
    "access-roles": "/settings/access?tab=roles",
    "access-policies": "/settings/access?tab=policies",
    "access-emergencies": "/settings/access?tab=emergencies",
    "webhooks": "/settings/hooks",
    "access-explain": "/settings/access?tab=explain",
    "health": "/health",
    "developer": "/developer",
    "not-found": "/nowhere",
}


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
            faults += [f"{name} in {scheme}: {fault}" for fault in await otto.faults()]
            await otto.shoot(f"{name}-{scheme}")
    assert not faults, "\n".join(faults)
    assert otto.complaints == []


async def test_every_page_fits_a_phone(people: dict[str, Person]) -> None:
    otto = people["otto"]
    await otto.sign_in()
    await otto.page.set_viewport_size(PHONE)
    wide = []
    for name, path in PAGES.items():
        await otto.visit(path)
        width = await otto.page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            wide.append(f"{name} is {width} wide")
        await otto.shoot(f"{name}-phone")
    await otto.page.set_viewport_size(DESK)
    assert wide == []


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

"""A person whose role is bound to one region: every page they are offered works, and names no other region."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.access.commands.create_account import NewAccount, create_account
from tests.browser.conftest import ADMIN, PASSWORD, REGION, SERVICE, World
from tests.browser.person import Person

pytestmark = pytest.mark.django_db(transaction=True)
OWN = "us-east1"
INSIDE = (
    f"/d/{SERVICE}/{OWN}",
    f"/resources?service={SERVICE}&region={OWN}&type=Secret",
    f"/versions/{SERVICE}",
    "/fleet?view=table",
    "/fleet?view=map",
)
# Health is bound to no place: it tells of every region's peers.
BOUND_TO_NO_PLACE = {"/health"}


@pytest.fixture
def bound(world: World) -> World:
    """The world with a person in it who reads what is in one region."""
    create_account(ADMIN, NewAccount("eva", email="eva@example.com", password=PASSWORD))
    bind_role(ADMIN, NewBinding("account", "eva", "viewer", region="us-*"))
    return world


@pytest_asyncio.fixture(loop_scope="session")
async def eva(browser: Browser, bound: World) -> AsyncIterator[Person]:
    """Her browser."""
    person = await Person.arrive(browser, bound.url, "eva", PASSWORD)
    yield person
    await person.leave()


async def test_every_page_that_a_viewer_of_one_region_is_offered_names_no_other(eva: Person) -> None:
    await eva.sign_in()
    menu = eva.page.get_by_role("navigation", name="Main").get_by_role("link")
    offered = {str(await menu.nth(at).get_attribute("href")) for at in range(await menu.count())}
    assert {"/", "/fleet", "/upgrades", "/refs"} <= offered
    told, faults = [], []
    for path in sorted(offered) + list(INSIDE):
        await eva.visit(path)
        await expect(eva.page.get_by_role("link", name="Shown: * @ us-*")).to_be_visible()
        await expect(eva.page.locator(".card.problem")).to_have_count(0)
        if REGION in await eva.page.locator("main").inner_text() and path not in BOUND_TO_NO_PLACE:
            told.append(path)
        faults += [f"{path}: {fault}" for fault in await eva.faults()]
        await eva.shoot(f"bound{path.partition('?')[0].replace('/', '-')}")
    assert told == []
    assert faults == []
    await eva.visit(f"/d/{SERVICE}/{REGION}")
    await expect(eva.page.locator(".card.problem")).to_contain_text(
        f"does not reach {SERVICE} @ {REGION}: you are viewer of * @ us-*"
    )
    assert eva.complaints == []

"""What refers to what, drawn and in words, on resources that were written through the API."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.async_api import expect

from tests.browser.conftest import REGION, SERVICE, World
from tests.browser.person import DESK, PHONE, Person
from tests.browser.test_pages import CUT
from tests.factories.access import token_of

pytestmark = pytest.mark.django_db(transaction=True)
DOOR = "projects/p/secrets/door"
GRANTS = 24


@pytest.fixture
def pen(world: World) -> dict[str, str]:
    """The header with which olga writes beside her browser."""
    return {"Authorization": f"Bearer {token_of('olga')}"}


@pytest.fixture
def granted(world: World, pen: dict[str, str]) -> World:
    """A secret that many grants refer to, so that it cannot be deleted."""
    base = f"{world.url}/apis/{REGION}/{SERVICE}/v1alpha2/projects/p"
    with httpx.Client(headers=pen, timeout=60) as client:
        client.post(f"{base}/secrets?id=door", json={"title": "Door"}).raise_for_status()
        for n in range(GRANTS):
            grant = {"secret": DOOR, "member": f"member-{n}"}
            client.post(f"{base}/secretGrants?id=grant-{n}", json=grant).raise_for_status()
    return world


async def _in_light_and_dark(olga: Person, name: str) -> list[str]:
    """List what is not accessible on a page in light and in dark, which it follows without being loaded again."""
    faults: list[str] = []
    for scheme in ("light", "dark"):
        await olga.prefer(scheme)
        faults += await olga.faults()
        await olga.shoot(f"{name}-{scheme}")
    return faults


async def test_references_are_shown_as_map_tree_and_table(
    granted: World, people: dict[str, Person], pen: dict[str, str]
) -> None:
    olga, faults = people["olga"], list[str]()
    await olga.sign_in()
    for view in ("", "explore", "tree", "table"):
        await olga.visit(f"/refs?name={DOOR}&view={view}")
        await expect(olga.page.get_by_text(f"Blocked by {GRANTS} references").first).to_be_visible()
        if view == "table":
            # Rows that exist only while they are in sight: these are.
            rows = olga.page.get_by_role("region", name="References").get_by_role("row")
            await expect(rows.nth(10)).to_be_visible()
        await olga.settle()
        faults += await _in_light_and_dark(olga, f"references-{view or 'groups'}")
    await olga.visit(f"/refs/deletion?name={DOOR}")
    await expect(olga.page.get_by_role("row")).to_have_count(GRANTS + 1)
    faults += await _in_light_and_dark(olga, "deletion")
    faults += await _a_group_opens_to_its_references(olga)
    await _the_map_takes_the_colours_of_the_theme(olga)
    await olga.prefer("dark")
    await _the_graph_is_walked_by_keyboard(olga)
    await _a_deletion_is_rehearsed_and_waited_for(olga)
    faults += await olga.faults()
    await olga.shoot("deletion-rehearsed-dark")
    await _a_write_changes_the_open_graph(granted, olga, pen)
    faults += await olga.faults()
    assert faults == []
    assert olga.complaints == []


async def _a_group_opens_to_its_references(olga: Person) -> list[str]:
    await olga.visit(f"/refs?name={DOOR}")
    await expect(olga.page.get_by_text(f"{GRANTS} incoming references from 1 deployment")).to_be_visible()
    incoming = olga.page.get_by_role("region", name="Incoming references")
    await incoming.get_by_role("button").press("Enter")
    listed = olga.page.get_by_role("region", name="References of the group").get_by_role("table")
    await expect(listed).to_have_attribute("aria-rowcount", str(GRANTS + 1))
    await listed.get_by_role("button", name="Path of projects/p/secretGrants/grant-0").press("Enter")
    path = olga.page.get_by_role("list", name="Path")
    await expect(path.get_by_role("link")).to_have_text(["projects/p/secretGrants/grant-0", DOOR])
    faults = await olga.faults()
    await olga.shoot("references-group-dark")
    await olga.page.set_viewport_size(PHONE)
    faults += [*await olga.faults(), *await olga.page.evaluate(CUT)]
    await olga.shoot("references-group-phone-dark")
    await olga.page.set_viewport_size(DESK)
    return faults


# How many points of the drawn map have the colour that boxes have in the present theme.
BOX_POINTS = """() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.background = "var(--surface)";
  const [red, green, blue] = getComputedStyle(probe).backgroundColor.match(/\\d+/g).map(Number);
  probe.remove();
  const points = [...document.querySelectorAll(".reference-map canvas")].flatMap((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return Array.from({ length: data.length / 4 }, (_, at) => data.subarray(4 * at, 4 * at + 4));
  });
  return points.filter((point) => point[0] === red && point[1] === green && point[2] === blue && point[3] === 255).length;
}"""


async def _the_map_takes_the_colours_of_the_theme(olga: Person) -> None:
    await olga.visit(f"/refs?name={DOOR}&view=explore")
    await expect(olga.page.locator("[data-drawn]")).to_have_attribute("data-drawn", "22")
    for scheme in ("light", "dark", "light"):
        await olga.prefer(scheme)
        await olga.page.wait_for_function(f"({BOX_POINTS})() > 5000")


async def _the_graph_is_walked_by_keyboard(olga: Person) -> None:
    await olga.visit(f"/refs?name={DOOR}&view=explore")
    walk = olga.page.get_by_role("listbox", name="Resources in the graph")
    await expect(olga.page.locator("[data-drawn]")).to_have_attribute("data-drawn", "22")
    await _the_picture_names_its_tree(olga)
    await walk.focus()
    for key in ("Home", "ArrowLeft", "ArrowDown"):
        await olga.page.keyboard.press(key)
    chosen = walk.get_by_role("option", selected=True)
    await expect(chosen).to_contain_text("SecretGrant grant-")
    await olga.page.keyboard.press("P")
    await expect(olga.page.get_by_role("heading", name="Path")).to_be_visible()
    await olga.shoot("references-walked-dark")
    await olga.page.set_viewport_size(PHONE)
    await expect(olga.page.locator("[data-framed]")).to_have_attribute(
        "data-framed", re.compile("^3[0-9][0-9]$")
    )
    await olga.shoot("references-phone-dark")
    await olga.page.set_viewport_size(DESK)
    await olga.page.keyboard.press(".")
    await expect(olga.page).to_have_url(re.compile("secretGrants%2Fgrant-"))


async def _the_picture_names_its_tree(olga: Person) -> None:
    told = await olga.page.locator("[data-drawn]").get_attribute("aria-details")
    twin = olga.page.locator(f"#{told}")
    await twin.get_by_text("The graph as a tree").click()
    items = twin.get_by_role("tree", name="Incoming references").get_by_role("treeitem")
    await expect(items).to_have_count(20)
    assert await olga.faults() == []
    await olga.shoot("references-twin-dark")
    await twin.get_by_text("The graph as a tree").click()


async def _a_deletion_is_rehearsed_and_waited_for(olga: Person) -> None:
    await olga.visit(f"/refs/deletion?name={DOOR}")
    await olga.page.get_by_role("button", name="Dry-run delete").click()
    await expect(olga.page.get_by_text("It was refused: ")).to_be_visible()
    await olga.page.get_by_role("button", name="Watch until it can be deleted").click()
    await expect(olga.page.get_by_text("You are notified when it can be deleted.")).to_be_visible()


async def _a_write_changes_the_open_graph(world: World, olga: Person, pen: dict[str, str]) -> None:
    await olga.visit(f"/refs?name={DOOR}&view=matrix")
    cell = olga.page.get_by_role("region", name="References between services").get_by_role("cell")
    await expect(cell).to_have_text([str(GRANTS)])
    async with httpx.AsyncClient(headers=pen, timeout=60) as client:
        grant = {"secret": DOOR, "member": "late"}
        base = f"{world.url}/apis/{REGION}/{SERVICE}/v1alpha2/projects/p"
        (await client.post(f"{base}/secretGrants?id=late", json=grant)).raise_for_status()
    await expect(olga.page.get_by_text(f"Blocked by {GRANTS + 1} references")).to_be_visible()
    await expect(cell).to_have_text([str(GRANTS)])
    await olga.page.get_by_role("button", name="1 reference changed: apply").click()
    await expect(cell).to_have_text([str(GRANTS + 1)])
    await olga.visit(f"/refs?name={DOOR}")
    await expect(olga.page.get_by_text(f"{GRANTS + 1} incoming references")).to_be_visible()
    async with httpx.AsyncClient(headers=pen, timeout=60) as client:
        (await client.post(f"{base}/secretGrants?id=later", json=grant)).raise_for_status()
    await expect(olga.page.get_by_text(f"{GRANTS + 2} incoming references")).to_be_visible()
    for view in ("matrix", "map"):
        await olga.visit(f"/refs?name={DOOR}&view={view}")
        await olga.shoot(f"references-{view}-dark")


async def test_a_grant_that_nothing_refers_to_is_safe_to_delete(
    granted: World, people: dict[str, Person]
) -> None:
    olga = people["olga"]
    await olga.sign_in()
    await olga.visit(f"/refs/deletion?name=//{SERVICE}/{REGION}/projects/p/secretGrants/grant-3")
    await expect(olga.page.get_by_text("Safe now.")).to_be_visible()

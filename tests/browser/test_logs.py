"""The logs of the data plane in the console: reached from a resource, by keyboard, and accessible."""

from __future__ import annotations

import httpx
import pytest
from playwright.async_api import expect

from tests.browser.conftest import REGION, SERVICE, World
from tests.browser.person import Person
from tests.factories.access import token_of

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "projects/p/secrets/secret-7"


def write(world: World, token: str, title: str) -> None:
    """Write a secret over HTTP."""
    answer = httpx.patch(
        f"{world.url}/apis/{REGION}/{SERVICE}/v1alpha2/{SECRET}",
        json={"title": title, "encData": "c2VzYW1l"},
        headers={"Authorization": f"Bearer {token}", "X-Request-ID": f"write-{title}"},
        timeout=60,
    )
    assert answer.status_code == 200, answer.text


@pytest.fixture
def written(world: World) -> None:
    """A secret that was changed twice."""
    token = token_of("olga")
    for title in ("first", "second"):
        write(world, token, title)


async def test_changes_calls_and_conversions_are_reached_from_a_resource(
    written: None, people: dict[str, Person]
) -> None:
    olga = people["olga"]
    await olga.sign_in()
    for scheme in ("light", "dark"):
        await olga.wear(scheme)
        await olga.visit(f"/resources/one?service={SERVICE}&region={REGION}&name={SECRET}")
        await olga.page.get_by_role("link", name="Changes", exact=True).focus()
        await olga.page.keyboard.press("Enter")
        await expect(olga.page.get_by_role("heading", level=1)).to_contain_text("Resource changes of")
        details = olga.page.get_by_role("button", name=f"Details of revision 3 of {SECRET}")
        await details.focus()
        await olga.page.keyboard.press("Enter")
        await expect(olga.page.get_by_role("cell", name="second", exact=True)).to_be_visible()
        await expect(olga.page.locator("main")).not_to_contain_text("c2VzYW1l")
        assert await olga.faults() == []
        await olga.shoot(f"resource-changes-{scheme}")

        await olga.page.get_by_role("link", name="The request", exact=True).focus()
        await olga.page.keyboard.press("Enter")
        await expect(olga.page.get_by_role("heading", level=1)).to_contain_text("Activity log of")
        await expect(olga.page.get_by_role("cell", name="write-second")).to_be_visible()
        assert await olga.faults() == []
        await olga.shoot(f"activity-log-{scheme}")

    await olga.page.get_by_role("link", name="Recorded conversions").click()
    await olga.page.get_by_role("button", name="Record conversions…").focus()
    await olga.page.keyboard.press("Enter")
    await expect(olga.page.get_by_label("Client")).to_be_focused()
    await olga.page.keyboard.type("olga")
    await olga.page.get_by_label("Reason").fill("A title is lost.")
    assert await olga.faults() == []
    await olga.page.get_by_role("button", name="Record conversions", exact=True).focus()
    await olga.page.keyboard.press("Enter")
    await olga.page.get_by_role("link", name="0 of 100 conversions").click()
    await expect(olga.page.get_by_text("Nothing was converted yet.")).to_be_visible()
    assert await olga.faults() == []
    assert olga.complaints == []

"""Proposed waves in the console: reached by clicks, accessible, on a phone too, and taken into the form."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import SERVICE
from tests.browser.person import PHONE, Person
from tests.browser.test_pages import cut

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_proposal_fills_the_form_of_a_rollout(people: dict[str, Person]) -> None:
    olga = people["olga"]
    page = olga.page
    await olga.sign_in()
    await olga.visit("/rollouts")
    await page.get_by_role("link", name="Proposals").click()
    await expect(page.get_by_role("heading", level=1, name="Rollout proposals")).to_be_visible()
    await olga.visit(f"/rollouts/proposals?services={SERVICE}&target=v1")
    await expect(page.get_by_text("canary: a failure has the smallest impact here")).to_be_visible()
    for scheme in ("light", "dark"):
        await olga.prefer(scheme)
        assert await olga.faults() == []
        await olga.shoot(f"rollout-proposals-{scheme}")
    await page.get_by_role("tab", name="Fastest: 1 wave").click()
    await page.set_viewport_size(PHONE)
    assert await cut(page) == []
    await page.get_by_role("link", name="Create this rollout…").click()
    await expect(page.get_by_role("heading", level=1, name="Plan a rollout")).to_be_visible()
    await expect(page.get_by_role("listitem", name="Wave 1")).to_be_visible()
    assert olga.complaints == []

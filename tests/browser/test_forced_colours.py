"""Forced colours: what a page tells by a background alone is told otherwise there."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, expect

from tests.browser.conftest import REGION, SERVICE
from tests.browser.person import Person

pytestmark = pytest.mark.django_db(transaction=True)
MISPLACED = """
(nodes) => nodes.flatMap((node) => {
  const label = node.querySelector(".mantine-Button-label");
  const middle = (of) => (of.getBoundingClientRect().top + of.getBoundingClientRect().bottom) / 2;
  const isCut = label.scrollHeight > label.clientHeight;
  return isCut || Math.abs(middle(label) - middle(node)) > 2 ? [label.textContent] : [];
})
"""
"""The labels of buttons that are cut, or not in the middle."""


async def background(of: Locator) -> str:
    """Tell the colour behind a part of a page."""
    return str(await of.evaluate("(node) => getComputedStyle(node).backgroundColor"))


async def test_what_is_chosen_and_what_is_marked_shows_without_the_colours_of_the_page(
    people: dict[str, Person],
) -> None:
    olga = people["olga"]
    await olga.sign_in()
    await olga.page.emulate_media(forced_colors="active")
    await olga.visit("/fleet")
    chosen = olga.page.locator(".mantine-SegmentedControl-label", has_text="Matrix")
    other = olga.page.locator(".mantine-SegmentedControl-label", has_text="Table")
    await expect(chosen).to_be_visible()
    assert await background(chosen) != await background(other)
    await olga.visit(f"/upgrades/new?deployment=services/{SERVICE}/deployments/{REGION}")
    marked = olga.page.get_by_role("checkbox", name="Start the backfill immediately")
    await expect(marked).to_be_checked()
    unmarked = olga.page.get_by_role("checkbox", name="Switch automatically")
    assert await background(marked) != await background(unmarked)
    await olga.shoot("forced-colours")


async def test_the_buttons_of_a_problem_show_their_whole_labels_in_the_middle(
    people: dict[str, Person],
) -> None:
    olga = people["olga"]
    await olga.sign_in()
    await olga.visit("/upgrades/unknown")
    buttons = olga.page.locator(".problem .mantine-Button-root")
    await expect(buttons.first).to_be_visible()
    assert await buttons.evaluate_all(MISPLACED) == []

"""Printed pages: dark on white in every colour scheme, and as before afterwards."""

from __future__ import annotations

import pytest

from tests.browser.person import Person

pytestmark = pytest.mark.django_db(transaction=True)

LIGHT = """() => document.documentElement.dataset.mantineColorScheme === "light" """
COLOURS = """() => ["body", "main", ".card", "h1"].map((part) => {
  const style = getComputedStyle(document.querySelector(part));
  return [style.color, style.backgroundColor];
})"""


async def test_a_page_in_dark_colours_is_printed_in_light_ones(people: dict[str, Person]) -> None:
    olga = people["olga"]
    await olga.sign_in()
    await olga.page.emulate_media(color_scheme="light", media="screen")
    await olga.visit("/health")
    await olga.page.locator(".card").first.wait_for()
    light = await olga.page.evaluate(COLOURS)
    await olga.page.emulate_media(color_scheme="dark", media="screen")
    await olga.visit("/health")
    await olga.page.locator(".card").first.wait_for()
    dark = await olga.page.evaluate(COLOURS)
    assert [after[0] != before[0] for after, before in zip(dark, light, strict=True)] == [True] * 4
    await olga.page.emulate_media(color_scheme="dark", media="print")
    assert await olga.page.evaluate(COLOURS) == light
    # Charts and Mantine's own parts follow the scheme, which changes with the next frame.
    await olga.page.wait_for_function(LIGHT)
    await olga.page.emulate_media(color_scheme="dark", media="screen")
    await olga.page.wait_for_function("() => !(" + LIGHT + ")()")
    assert await olga.page.evaluate(COLOURS) == dark

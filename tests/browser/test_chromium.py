"""The Chromium of the registry, which a machine without one gets, starts and draws letters."""

from __future__ import annotations

import pytest
from playwright.async_api import Playwright, async_playwright

from tests import chromium

pytestmark = pytest.mark.skipif(not chromium.can_unpack(), reason="the package is built for another platform")


async def drawn(playwright: Playwright, page_text: str) -> tuple[str, bytes]:
    browser = await playwright.chromium.launch(executable_path=chromium.unpacked(), args=["--no-sandbox"])
    try:
        page = await browser.new_page(viewport={"width": 200, "height": 100})
        await page.set_content(f"<p>{page_text}</p>")
        return browser.version, await page.screenshot()
    finally:
        await browser.close()


async def test_the_chromium_of_the_registry_starts_and_draws_letters() -> None:
    async with async_playwright() as playwright:
        version, letters = await drawn(playwright, "Ready to switch")
        _, blank = await drawn(playwright, "")
    locked = (chromium.FOLDER / "package.json").read_text()
    assert f'"@sparticuz/chromium": "{version.partition(".")[0]}.' in locked
    assert len(letters) > len(blank) + 200, "no font was found: the page is drawn without letters"

"""The documentation site as a reader meets it under /docs/: pages, search and drawings, all from this installation."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest
from playwright.async_api import Browser, Page, expect

from console.env import ROOT
from tests.processes import Children

LATEST = str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


@pytest.fixture(scope="session")
def site() -> None:
    """The site, built from the pages of this clone, and once more under another version; a link that leads nowhere fails."""
    built = subprocess.run(
        [sys.executable, "-m", "docs_site", "0.0.1=HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr


class Reader:
    """A window that records where its requests go and what it complains of."""

    def __init__(self, page: Page) -> None:
        self.page, self.complaints, self.hosts = page, list[str](), set[str]()
        page.on(
            "console",
            lambda message: self.complaints.append(message.text) if message.type == "error" else None,
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.hosts.add(request.url.partition("//")[2].partition("/")[0]))


async def test_pages_search_and_drawings_come_from_this_installation(
    site: None, browser: Browser, children: Children
) -> None:
    url = children.start_web()
    context = await browser.new_context(reduced_motion="reduce")
    reader = Reader(await context.new_page())
    page = reader.page
    await page.goto(f"{url}/docs/")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Documentation")
    # Key by key, as a reader does: the theme looks for what is typed when a key goes up.
    await page.get_by_label("Search").first.press_sequentially("fencing token")
    await expect(page.locator(".md-search-result__item").first).to_be_visible()
    await page.goto(f"{url}/docs/explanation/the-switch/")
    # The theme keeps a drawing in a closed shadow root; its size shows that there is one.
    drawing = page.locator("div.mermaid").first
    await expect(drawing).to_be_visible()
    box = await drawing.bounding_box()
    assert box is not None
    assert box["height"] > 100, box
    await page.goto(f"{url}/docs/0.0.1/how-to/upgrade/")
    outdated = page.get_by_text("These are the pages of another version")
    await expect(outdated).to_be_visible()
    versions = page.locator(".md-version__link")
    await expect(versions).to_have_text([LATEST, "0.0.1"])
    await outdated.get_by_role("link", name="Go to the latest").click()
    await expect(page).to_have_url(f"{url}/docs/{LATEST}/")
    await expect(page.locator(".md-version__current")).to_have_text(LATEST)
    await expect(outdated).to_be_hidden()
    await page.goto(f"{url}/docs/explanation/no-such-page/")
    await expect(page.locator("body")).to_contain_text("404")
    assert reader.hosts == {url.partition("//")[2]}
    assert [line for line in reader.complaints if "404" not in line] == []
    await context.close()

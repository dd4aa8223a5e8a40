"""One person before the console: signs in, looks, acts, and reports what a page gets wrong."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    FloatRect,
    Page,
    TimeoutError,
    ViewportSize,
    expect,
)

from console.env import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
SHOWN = 600
SCREENSHOTS = ROOT / "tests" / "browser" / "screenshots"
KEEPS_PICTURES = os.environ.get("SWITCHYARD_SCREENSHOTS") == "true"
"""Pictures are looked at by people alone, and drawing whole pages is a large part of what these tests take."""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What axe itself tells of an element ends with its tag when it is long.
ASK = """
async ([runOnly, most]) => {
  // What does not hold is all that is asked for: axe finds a selector for no other element then.
  const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
  for (const { nodes } of violations) {
    for (const node of nodes) node.shown = (document.querySelector(node.target[0])?.outerHTML ?? node.html).slice(0, most);
  }
  return { violations };
}
"""
DESK: ViewportSize = {"width": 1360, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}


SETTLED = """
() => new Promise((done) => {
  const settled = () => { watch.disconnect(); done(); };
  let quiet = setTimeout(settled, 200);
  const watch = new MutationObserver(() => { clearTimeout(quiet); quiet = setTimeout(settled, 200); });
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  // Where something always moves.
  setTimeout(settled, 10_000);
})
"""


@dataclass
class Person:
    """A browser window of one person."""

    name: str
    password: str
    url: str
    context: BrowserContext
    page: Page
    complaints: list[str] = field(default_factory=list)

    @classmethod
    async def arrive(cls, browser: Browser, url: str, name: str, password: str) -> Person:
        """Open a window of one's own."""
        context = await browser.new_context(viewport=DESK, color_scheme="light", reduced_motion="reduce")
        page = await context.new_page()
        page.set_default_timeout(120_000)
        person = cls(name, password, url, context, page)
        page.on("console", person._hear)
        page.on("pageerror", lambda error: person.complaints.append(str(error)))
        return person

    def _hear(self, message: ConsoleMessage) -> None:
        # A browser reports every refused request too; those the pages show by themselves.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.complaints.append(message.text)

    async def sign_in(self) -> None:
        """Sign in by keyboard."""
        await self.page.goto(self.url)
        await self.page.locator("input[name=username]").fill(self.name)
        await self.page.locator("input[name=password]").fill(self.password)
        await self.page.keyboard.press("Enter")
        await expect(self.page.get_by_role("navigation", name="Main")).to_be_visible()

    async def approve(self, *, by_tap: bool = False) -> None:
        """Approve the request on the page, by keyboard unless by a tap; in advance where a check does not hold yet."""
        approve = self.page.get_by_role("button", name="Approve", exact=True)
        await (approve.click() if by_tap else approve.press("Enter"))
        in_advance = self.page.get_by_role("button", name=re.compile("^Approve (in advance|now)$"))
        identity = self.page.get_by_role("dialog", name="Confirm your identity")
        voted = self.page.get_by_text("Approved", exact=True)
        await expect(in_advance.or_(identity).or_(voted).first).to_be_visible()
        if await in_advance.count():
            await in_advance.press("Enter")

    async def visit(self, path: str) -> None:
        """Go to an address and wait until it is drawn."""
        await self.page.goto(self.url + path)
        await expect(self.page.get_by_role("heading", level=1)).to_be_visible()
        await expect(self.page.locator("[aria-busy=true]")).to_have_count(0)

    async def settle(self) -> None:
        """Wait until nothing of the page has changed for a moment: what is drawn late is drawn by then."""
        await self.page.evaluate(SETTLED)

    async def wear(self, scheme: str) -> None:
        """Look in the light or in the dark, from the next page that is loaded."""
        await self.page.evaluate(
            "scheme => localStorage.setItem('mantine-color-scheme-value', scheme)", scheme
        )

    async def prefer(self, scheme: Literal["light", "dark"]) -> None:
        """Let the system prefer the light or the dark, which the console follows without being loaded anew."""
        await self.page.emulate_media(color_scheme=scheme)
        await expect(self.page.locator(f"html[data-mantine-color-scheme={scheme}]")).to_have_count(1)

    async def shoot(self, name: str, *, height: int = 0) -> None:
        """Keep a picture of the whole page, or of so many pixels from its top, if pictures are wanted."""
        if not KEEPS_PICTURES:
            return
        clip: FloatRect | None = None
        if height:
            clip = {"x": 0, "y": 0, "width": DESK["width"], "height": height}
        SCREENSHOTS.mkdir(exist_ok=True)
        await self.page.evaluate("scrollTo(0, 0)")
        await self.settle()
        path = SCREENSHOTS / f"{name}.png"
        try:
            await self.page.screenshot(path=path, full_page=True, clip=clip, timeout=15_000)
        except TimeoutError:
            # A browser without a display now and then waits for a frame that nothing draws; moving wakes it.
            await self.page.mouse.wheel(0, 1)
            await self.page.screenshot(path=path, full_page=True, clip=clip)

    async def faults(self) -> list[str]:
        """Ask axe what is not accessible on this page, with the pointer out of the way.

        What moved under it would show its tip, which stands outside all landmarks while it is shown.
        """
        await self.page.mouse.move(0, 0)
        await expect(self.page.get_by_role("tooltip")).to_have_count(0)
        if not await self.page.evaluate("() => 'axe' in window"):
            # Injected through the protocol: the page's own policy lets no foreign script in.
            await self.page.evaluate(AXE.read_text())
        found: dict[str, Any] = await self.page.evaluate(ASK, [RULES, SHOWN])
        return [
            f"{each['id']} at {node['target']}: {node.get('failureSummary', '')} in {node['shown']}"
            for each in found["violations"]
            for node in each["nodes"]
        ]

    async def leave(self) -> None:
        """Close the window."""
        await self.context.close()

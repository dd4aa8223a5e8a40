"""A person before the page of an upgrade, and the fact base beside it: the page must say what the facts say."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
from playwright.async_api import TimeoutError as BrowserTimeout
from playwright.async_api import expect

from tests.browser.conftest import REGION, SERVICE
from tests.browser.person import DESK, PHONE, Person
from tests.browser.test_pages import cut

PATIENCE_SECONDS = 600
SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
WORDS = {"fail": "failed", "unknown": "unknown", "pending": "waiting", "warn": "warning"}
GROWING = re.compile(r"\d+(?:\.\d+)? s\b")
"""A figure that grows with the clock: the page shows it as of its last look, the facts as of now."""
DAY = re.compile(r"\b\d{4}-\d\d-\d\d (?=\d\d:\d\d)")
"""The day of a moment: the page leaves today's out, the facts name it always."""
Page = dict[str, Any]

# What the page says; ages and remedies are left out of a text, for they stand beside it.
SHOWN = """
() => {
  const text = (node) => (node?.textContent ?? '').replace(/\\s+/g, ' ').trim();
  const all = (selector) => [...document.querySelectorAll(selector)];
  const said = (node) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll('.small, .muted').forEach((each) => each.remove());
    return text(copy);
  };
  return {
    sentence: text(document.querySelector('#state')),
    blockages: all('[aria-label="Blocked by"] li').map(said).sort(),
    remedies: all('[aria-label="Blocked by"] li > .small').map(text).filter(Boolean).sort(),
    open: all('.gate > .checks > li > div').map(said).sort(),
    passed: all('.gate .passed-checks .checks > li').length,
    votes: text(document.querySelector('.gate-approvals .pill')),
    quarantined: all('[aria-label="Quarantined resources"] tbody a').map(text),
  };
}
"""


# Notices come and go by the clock; what is inspected here is the page below them.
WITHOUT_NOTICES = """
() => document.querySelectorAll('.mantine-Notifications-root').forEach((each) => { each.style.display = 'none'; })
"""


def expected(page: Page, quarantined: Sequence[str]) -> Page:
    """Say what the page has to show of these facts."""
    checks, approvals = page["readiness"]["checks"], page["readiness"]["approvals"]
    open_checks = [each for each in checks if each["verdict"] in WORDS]
    # Votes and windows are shown by steps of their own; here they are listed while they are in the way only.
    passed = [
        each for each in checks if each not in open_checks and each["check"] not in ("approval", "window")
    ]
    return {
        "sentence": " ".join(page["sentence"].split()),
        "blockages": sorted(each["sentence"] for each in page["blockages"]),
        "remedies": sorted(each["remedy"] for each in page["blockages"] if each["remedy"]),
        "open": sorted(
            GROWING.sub("# s", f"{WORDS[each['verdict']]}: {each['sentence']}") for each in open_checks
        ),
        "passed": len(passed),
        "votes": f"{approvals['votes_given']} of {approvals['needed']}",
        "quarantined": list(quarantined),
    }


def without_days(said: Page) -> Page:
    """Remove the days of moments from every text, and sort the lists of texts again."""
    plain = dict(said)
    for name in ("open", "blockages", "remedies"):
        plain[name] = sorted(DAY.sub("", each) for each in said[name])
    return {**plain, "sentence": DAY.sub("", said["sentence"])}


def kinds(page: Page) -> list[str]:
    """Name the causes that hold the upgrade up."""
    return [each["kind"] for each in page["blockages"]]


def verdict(page: Page, check: str) -> str:
    """Tell how a check was judged."""
    return next(str(each["verdict"]) for each in page["readiness"]["checks"] if each["check"] == check)


@dataclass
class Observer:
    """A person before the page of an upgrade, and the API beside it."""

    person: Person
    upgrade: str
    client: httpx.AsyncClient
    faults: list[str] = field(default_factory=list)

    async def ask(self, path: str) -> Page:
        """Ask the API."""
        answer = await self.client.get(f"/api/v1{path}")
        answer.raise_for_status()
        found: Page = answer.json()
        return found

    async def _facts(self) -> tuple[Page, Page]:
        page = await self.ask(f"/upgrades/{self.upgrade}")
        listed = await self.ask(f"/upgrades/{self.upgrade}/quarantine")
        return page, without_days(expected(page, [each["name"] for each in listed["items"]]))

    async def shown(self) -> Page:
        shown: Page = await self.person.page.evaluate(SHOWN)
        return without_days({**shown, "open": sorted(GROWING.sub("# s", each) for each in shown["open"])})

    async def agree(self, holds: Callable[[Page], bool]) -> Page:
        """Wait until the facts are as they should be, and the page says the same while they do not change."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            _, before = await self._facts()
            shown = await self.shown()
            page, after = await self._facts()
            if holds(page) and before == shown == after:
                return page
            assert time.monotonic() < until, f"facts {after}\npage {shown}\nstate {page['state']}"
            await asyncio.sleep(0.5)

    async def come_to(self, state: str) -> Page:
        """Wait until the upgrade is in a state, and the page has its sentence of state."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            page = await self.ask(f"/upgrades/{self.upgrade}")
            sentence = DAY.sub("", page["sentence"])
            if page["state"] == state and (await self.shown())["sentence"] == sentence:
                return page
            assert time.monotonic() < until, f"{page['state']}: {page['sentence']}"
            await asyncio.sleep(0.5)

    async def act(self, button: str, answer: str, *, menu: bool = False) -> None:
        """Press the button of an action, read its dry run, type the name and press the button that carries it out.

        While a check does not hold for a moment, the button answers why not: it is pressed again. With `menu` it is an
        item of the menu of other actions.
        """
        page = self.person.page
        dialog = page.get_by_role("dialog")
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                if menu:
                    await page.get_by_role("button", name="Other actions").click(timeout=20_000)
                role: Literal["menuitem", "button"] = "menuitem" if menu else "button"
                await page.get_by_role(role, name=button, exact=True).first.click(timeout=20_000)
                await expect(dialog.get_by_text("the server accepts this action")).to_be_visible(
                    timeout=20_000
                )
                break
            except (AssertionError, BrowserTimeout):
                assert time.monotonic() < until, f"{button} opens no dialog: {await self._facts()}"
                await page.keyboard.press("Escape")
        if await dialog.get_by_label("to confirm").count():
            await dialog.get_by_label("to confirm").fill(f"{SERVICE}@{REGION}")
        await dialog.get_by_role("button", name=answer, exact=True).click()
        await expect(dialog).to_have_count(0)

    async def examine(self, state: str, person: Person | None = None) -> None:
        """Examine the page of a state in light and dark, as one person sees it."""
        person = person or self.person
        for scheme in SCHEMES:
            await person.prefer(scheme)
            self.faults += [f"{state} in {scheme}: {each}" for each in await person.faults()]
            await person.shoot(f"state-{state}-{scheme}")

    async def inspect(self, state: str) -> None:
        """Examine the page of a state in light and dark, and look whether it fits a phone."""
        await self.examine(state)
        page = self.person.page
        await page.set_viewport_size(PHONE)
        self.faults += [f"{state} on a phone: {each}" for each in await cut(page)]
        await self.person.shoot(f"state-{state}-phone")
        await page.set_viewport_size(DESK)

"""An upgrade from the home page to its completion, by clicks and an approval on a phone, in trouble of every kind: what its
page says at each moment is what the fact base says."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import httpx
import pytest
from django.db import close_old_connections, connections, transaction
from playwright.async_api import Browser, Locator, expect

from migrations_app import wiring
from migrations_app.control.access.commands.keep_sessions import end_every_session
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.approvals.commands.write_window import create_window, delete_window
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.windows import Effect, WindowSpan
from migrations_app.models.access import Account
from migrations_app.ports.stored import Draft
from tests.browser.conftest import ADMIN, PASSWORD, REGION, SERVICE, World
from tests.browser.observer import WITHOUT_NOTICES, Observer, Page, kinds, verdict
from tests.browser.person import PHONE, Person
from tests.factories.access import token_of
from tests.processes import Children
from tests.swy import Swy

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "projects/p/vaults/broken"
FREEZE = "Audit week"
Answer = TypeVar("Answer")


async def carry_out(command: Callable[[], Answer]) -> Answer:
    """Carry out a command of the product in a thread of its own, whose connections are closed afterwards."""

    def _alone() -> Answer:
        close_old_connections()
        try:
            return command()
        finally:
            connections.close_all()

    return await asyncio.to_thread(_alone)


@pytest.fixture
def strict(world: World) -> World:
    """A console whose votes are void once a check that passed fails."""
    apply_policy(ADMIN, Policy("one-approver", Purpose.SWITCH, needed=1, void_when_worse=True))
    return world


@pytest.fixture
def pen(world: World) -> dict[str, str]:
    """The header with which the API is asked beside the browser."""
    return {"Authorization": f"Bearer {token_of('otto')}"}


async def test_the_page_is_right_from_home_to_completion_and_in_every_trouble(
    strict: World,
    live_worker: Children,
    people: dict[str, Person],
    pen: dict[str, str],
    browser: Browser,
    tmp_path: Path,
) -> None:
    world, olga, ann = strict, people["olga"], people["ann"]
    await olga.sign_in()
    await ann.sign_in()
    await ann.page.set_viewport_size(PHONE)
    upgrade = await _plan_from_home(olga)
    await olga.page.evaluate(WITHOUT_NOTICES)
    # Each request has a connection of its own: one that was kept may be closed by the server at the very moment.
    alone = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=world.url, headers=pen, timeout=120, limits=alone) as client:
        desk = Observer(olga, upgrade, client)
        await desk.agree(_is_ready)
        request = await _request_approval(desk)
        await ann.visit(f"/approvals/{request}")
        await ann.approve(by_tap=True)
        await desk.agree(lambda page: _is_ready(page) and page["readiness"]["approvals"]["votes_given"] == 1)

        await _evidence_gets_worse_after_the_vote(world, desk, ann, people["otto"], request)
        await _a_freeze_closes_the_window(desk)
        await _the_worker_is_starved_and_the_web_process_killed(world, desk, live_worker)
        await _the_session_ends(desk)
        await _the_vote_is_given_again_where_it_is_void(desk, ann, request)
        await _it_is_switched_and_completed(desk)
        await _the_shared_file_says_the_same_without_the_server(desk, browser, tmp_path)
    assert desk.faults == []
    # That a socket finds no server is what a browser says of a web process that was killed.
    complaints = [*olga.complaints, *ann.complaints]
    assert [each for each in complaints if "WebSocket connection" not in each] == []


async def _plan_from_home(olga: Person) -> str:
    """Plan the upgrade that the home page offers, and start it; gives its id."""
    await olga.page.get_by_role("link", name=f"Plan {SERVICE.split('.')[0]} @ {REGION} to v1").click()
    await expect(olga.page.get_by_text("Ready to start")).to_be_visible()
    await olga.page.get_by_label("Reason").fill("For the portal.")
    await olga.page.get_by_role("button", name="Create and start").click()
    await expect(olga.page.get_by_role("heading", level=1)).to_have_text(f"{SERVICE} @ {REGION}")
    return olga.page.url.rpartition("/")[2]


async def _request_approval(desk: Observer) -> str:
    """Request the approval of the switch; gives the id of the request."""
    await desk.act("Request approval", "Request")
    request = desk.person.page.get_by_role("region", name="Approval request")
    await expect(request).to_be_visible(timeout=180_000)
    facts = await desk.ask(f"/upgrades/{desk.upgrade}")
    return str(facts["readiness"]["approvals"]["request_id"])


def _is_ready(page: Page) -> bool:
    waits = [
        each["check"]
        for each in page["readiness"]["checks"]
        if each["verdict"] in ("fail", "unknown", "pending") and each["check"] != "approval"
    ]
    return page["state"] == "READY" and waits == [] and kinds(page) == []


def _put(world: World) -> None:
    """Store a secret past the API, under a name that the new version has no place for."""
    with wiring.store().transaction(world.source) as writing:
        writing.put(Draft("Secret", SECRET, uuid4(), {"name": SECRET, "title": "Broken"}))


def _remove(world: World) -> None:
    """Remove it, which mends what cannot be carried over."""
    with wiring.store().transaction(world.source) as writing:
        writing.delete("Secret", SECRET)


async def _evidence_gets_worse_after_the_vote(
    world: World, desk: Observer, ann: Person, otto: Person, request: str
) -> None:
    """A resource that cannot be converted is quarantined: a check that passed fails, and the vote is void."""
    await carry_out(lambda: _put(world))
    page = await desk.agree(
        lambda page: (
            "resource-quarantined" in kinds(page) and page["readiness"]["approvals"]["votes_given"] == 0
        )
    )
    assert verdict(page, "quarantined") == "fail"
    await expect(_switch(desk)).to_have_attribute("aria-disabled", "true")
    (vote,) = (await desk.ask(f"/approvals/{request}"))["votes"]
    assert "quarantined passed when ann voted" in vote["void_reason"]
    await expect(ann.page.get_by_text(f"Void: {vote['void_reason']}")).to_be_visible()
    await expect(ann.page.get_by_text("0 of 1").first).to_be_visible()
    await desk.inspect("quarantined")
    await _the_catalogue_words_the_server(otto, desk.upgrade)
    await ann.page.evaluate(WITHOUT_NOTICES)
    await desk.examine("void-vote", ann)

    await carry_out(lambda: _remove(world))
    await desk.agree(_is_ready)
    await ann.visit(f"/approvals/{request}")
    await ann.approve(by_tap=True)
    await desk.agree(lambda page: _is_ready(page) and page["readiness"]["approvals"]["votes_given"] == 1)
    await expect(_switch(desk)).not_to_have_attribute("aria-disabled", "true")


async def _the_catalogue_words_the_server(otto: Person, upgrade: str) -> None:
    """In the pseudo-locale the sentences of the server are texts of the catalogue, with the server's values."""
    await otto.sign_in()
    await otto.page.goto(f"{otto.url}/upgrades/{upgrade}?language=en-XA")
    for place in ("#state", ".stall li", ".gate > .checks > li"):
        await expect(otto.page.locator(place).first).to_contain_text("⟦")
    await expect(otto.page.locator(".stall li").first).to_contain_text("⟦1 ")


async def _a_freeze_closes_the_window(desk: Observer) -> None:
    rule = WindowSpan(FREEZE, Effect.DENY, "UTC", cron="0 0 * * *", minutes=1500, reason="audit week")
    await carry_out(lambda: create_window(ADMIN, rule))
    page = await desk.agree(lambda page: verdict(page, "window") == "fail")
    assert page["readiness"]["approvals"]["votes_given"] == 1, "the time is no evidence"
    await expect(_switch(desk)).to_have_attribute("aria-disabled", "true")
    await desk.inspect("frozen")
    await carry_out(lambda: delete_window(ADMIN, FREEZE))
    await desk.agree(_is_ready)


async def _the_worker_is_starved_and_the_web_process_killed(
    world: World, desk: Observer, children: Children
) -> None:
    """While no worker gets a turn, the web process goes and comes: the page keeps what it knew, then says what is."""
    page, worker = desk.person.page, children.running["worker"].pid
    known = await page.locator("#state").inner_text()
    os.killpg(worker, signal.SIGSTOP)
    try:
        world.children.kill("web")
        pill = page.get_by_role("button", name=re.compile("^(Reconnecting|Offline)"))
        await expect(pill).to_be_visible(timeout=90_000)
        await expect(page.locator("#state")).to_have_text(known)
        await desk.examine("web-killed")
        world.children.start_web_at("web", int(world.url.rpartition(":")[2]))
        await expect(page.get_by_role("button", name="Live")).to_be_visible(timeout=90_000)
        await desk.agree(lambda page: "no-worker" in kinds(page) and page["stall"] is not None)
        await desk.inspect("starved")
    finally:
        os.killpg(worker, signal.SIGCONT)
    await desk.agree(_is_ready)


async def _the_session_ends(desk: Observer) -> None:
    page = desk.person.page
    draft = page.get_by_label("Comment for all followers")
    await draft.fill("The replica is back.")

    def _end() -> None:
        with transaction.atomic():
            end_every_session(Account.objects.get(username="olga"))

    await carry_out(_end)
    dialog = page.get_by_role("dialog", name="Your session ended")
    await expect(dialog).to_be_visible(timeout=90_000)
    session = await (await page.request.get(f"{desk.person.url}/api/v1/session")).json()
    assert session["account"] is None
    await expect(dialog).to_contain_text("Your input on this page is kept.")
    limits = session["session_limits"]
    await expect(dialog).to_contain_text(
        f"ends after {limits['idle_minutes']} min without input, and {limits['hours']} h after signing in"
    )
    await desk.examine("session-ended")
    await dialog.locator("input[name=username]").fill("olga")
    await dialog.locator("input[name=password]").fill(PASSWORD)
    await dialog.locator("input[name=password]").press("Enter")
    await expect(dialog).to_have_count(0)
    await expect(draft).to_have_value("The replica is back.")
    await expect(page.get_by_role("button", name="Live")).to_be_visible(timeout=90_000)
    await desk.agree(_is_ready)


async def _the_vote_is_given_again_where_it_is_void(desk: Observer, ann: Person, request: str) -> None:
    """A worker that was stopped for long makes a check fail that passed: then the vote is rightly void."""
    page = await desk.agree(_is_ready)
    if page["readiness"]["approvals"]["votes_given"] == 0:
        await ann.visit(f"/approvals/{request}")
        await ann.approve(by_tap=True)
        await desk.agree(lambda page: _is_ready(page) and page["readiness"]["approvals"]["votes_given"] == 1)


async def _it_is_switched_and_completed(desk: Observer) -> None:
    await desk.act("Switch now", "Switch now")
    page = await desk.come_to("REVERSIBLE")
    assert f"writes were paused for {page['freeze_ms']:.0f} ms" in page["sentence"]
    await desk.inspect("switched")
    await desk.act("Complete now…", "Complete", menu=True)
    await desk.come_to("COMPLETED")
    await desk.inspect("completed")
    deployment = await desk.ask(f"/deployments/{SERVICE}/{REGION}")
    assert deployment["current_version"] == "v1"


async def _the_shared_file_says_the_same_without_the_server(
    desk: Observer, browser: Browser, folder: Path
) -> None:
    """The sheet of the upgrade that was carried out, saved, read offline and verified by its signature."""
    page, file = desk.person.page, folder / "sheet.html"
    facts = await desk.ask(f"/upgrades/{desk.upgrade}")
    await page.get_by_role("button", name="Share…").click()
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="HTML file, also to print").click()
    await (await downloading.value).save_as(file)
    reader = await Person.arrive(browser, "", "reader", PASSWORD)
    await reader.context.set_offline(True)
    await reader.page.goto(file.as_uri())
    await expect(reader.page.get_by_text(facts["sentence"]).first).to_be_visible()
    await expect(reader.page.get_by_text("ann").first).to_be_visible()
    assert f"{facts['freeze_ms']:.0f} ms" in await reader.page.inner_text("body")
    for scheme in ("dark", "light"):
        await reader.page.emulate_media(color_scheme=scheme)
        desk.faults += [f"shared file in {scheme}: {each}" for each in await reader.faults()]
        await reader.shoot(f"state-shared-{scheme}")
    assert reader.complaints == []
    await reader.leave()
    verified = Swy(desk.person.url, "")("report", "verify", str(file))
    assert desk.upgrade in verified


def _switch(desk: Observer) -> Locator:
    return desk.person.page.locator(".gate").get_by_role("button", name="Switch now")

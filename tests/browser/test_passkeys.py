"""Passkeys in a real browser, whose device is Chromium's virtual one: added, signed in with, shown for a decision."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import pytest
import pytest_asyncio
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connections
from playwright.async_api import Browser, expect

from migrations_app.control.access.sign_in.proof import KEPT
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.approvals.commands.request_approval import request_approval
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import actor_with
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.models.ledger import LedgerEntry
from tests.browser.conftest import ADMIN, DEPLOYMENT, PASSWORD, World
from tests.browser.person import PHONE, Person

pytestmark = pytest.mark.django_db(transaction=True)
Found = TypeVar("Found")
OLGA = actor_with("olga", "operator")


@pytest.fixture
def critical_request(world: World) -> str:
    """The address of a request whose approval asks who is there."""
    assert world.url
    apply_policy(
        ADMIN, Policy("one-approver", Purpose.SWITCH, needed=1, critical=True, last_approver_may_run=False)
    )
    upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id)
    return f"/approvals/{request_approval(OLGA, upgrade, comment='For the portal.')}"


@pytest_asyncio.fixture(loop_scope="session")
async def ann(browser: Browser, world: World) -> AsyncIterator[Person]:
    """Ann, at the address that passkeys are made for, with a device that answers by itself."""
    person = await Person.arrive(browser, world.url.replace("127.0.0.1", "localhost"), "ann", PASSWORD)
    devices = await person.context.new_cdp_session(person.page)
    await devices.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    await devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    yield person
    await person.leave()


async def _in_database(act: Callable[[], Found]) -> Found:
    def run() -> Found:
        try:
            return act()
        finally:
            connections.close_all()

    return await asyncio.to_thread(run)


def _forget_presence() -> None:
    for row in Session.objects.all():
        kept = SessionStore(row.session_key)
        kept[KEPT] = 0.0
        kept.save()


async def _add_passkey(ann: Person) -> None:
    await ann.visit("/account")
    await ann.page.get_by_role("button", name="Add a passkey…").click()
    dialog = ann.page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("Laptop")
    await dialog.get_by_role("button", name="Create").click()
    await expect(dialog.get_by_role("list", name="Recovery codes").get_by_role("listitem")).to_have_count(10)
    assert await ann.faults() == []
    await dialog.get_by_role("button", name="I have stored them").click()
    await expect(ann.page.get_by_role("row", name="Laptop")).to_contain_text("never")


async def test_a_passkey_signs_in_and_approves_what_is_critical(critical_request: str, ann: Person) -> None:
    await ann.sign_in()
    await _add_passkey(ann)
    await ann.page.get_by_role("button", name="Rename Laptop").click()
    await ann.page.get_by_role("dialog").get_by_label("Name").fill("Ann's laptop")
    await ann.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    await expect(ann.page.get_by_role("row", name="Ann's laptop")).to_be_visible()
    await ann.shoot("account-passkeys")
    assert await ann.faults() == []

    await ann.context.clear_cookies()
    await ann.page.goto(ann.url)
    await expect(ann.page.get_by_role("button", name="Sign in with a passkey")).to_be_visible()
    await ann.shoot("sign-in-passkey")
    assert await ann.faults() == []
    await ann.page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(ann.page.get_by_role("navigation", name="Main")).to_be_visible()

    await _in_database(_forget_presence)
    await ann.page.set_viewport_size(PHONE)
    await ann.visit(critical_request)
    await ann.approve()
    dialog = ann.page.get_by_role("dialog", name="Confirm your identity")
    await expect(dialog.get_by_role("button", name="Use a passkey")).to_be_visible()
    await ann.shoot("prove-passkey-phone")
    assert await ann.faults() == []
    await dialog.get_by_role("button", name="Use a passkey").click()
    await expect(ann.page.get_by_text("Approved", exact=True)).to_be_visible()
    assert ann.complaints == []
    assert await _in_database(_noted) == [
        ("session.sign_in", "done", ""),
        ("session.passkey_added", "done", ""),
        ("session.passkey_named", "done", ""),
        ("session.sign_in", "done", "by passkey"),
        ("session.prove", "done", "by passkey Ann's laptop"),
    ]


def _noted() -> list[tuple[str, str, str]]:
    rows = LedgerEntry.objects.filter(actor="ann", action__startswith="session.").order_by("id")
    return [(row.action, row.outcome, row.reason) for row in rows]


async def test_without_a_passkey_or_with_one_removed_the_device_opens_nothing(ann: Person) -> None:
    await ann.page.goto(ann.url)
    await ann.page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(ann.page.get_by_role("alert")).to_contain_text("No passkey was used")
    await ann.sign_in()
    await _add_passkey(ann)
    await ann.page.get_by_role("button", name="Remove Laptop").click()
    dialog = ann.page.get_by_role("dialog")
    assert await ann.faults() == []
    await dialog.get_by_role("button", name="Confirm with a passkey and remove it").click()
    await expect(ann.page.get_by_role("row", name="Laptop")).to_have_count(0)
    await ann.context.clear_cookies()
    await ann.page.goto(ann.url)
    await ann.page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(ann.page.get_by_role("alert")).to_contain_text("The answer of the passkey is not valid.")

"""Before the decision: changes asked for and answered, a word lent, comments, drafts, the fleet as a map."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from migrations_app.control.approvals.commands.request_approval import request_approval
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import actor_with
from tests.browser.conftest import DEPLOYMENT, REGION, SERVICE, World
from tests.browser.person import PHONE, Person

pytestmark = pytest.mark.django_db(transaction=True)
OLGA = actor_with("olga", "operator")


@pytest.fixture
def request_path(world: World) -> str:
    """The address of a request that olga made and that waits for one vote."""
    assert world.url
    upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id)
    return f"/approvals/{request_approval(OLGA, upgrade, comment='For the portal.', ticket='CHG-1')}"


async def test_changes_are_asked_for_on_a_phone_answered_and_the_word_is_lent(
    request_path: str, people: dict[str, Person]
) -> None:
    olga, ann = people["olga"], people["ann"]
    await ann.sign_in()
    await ann.page.set_viewport_size(PHONE)
    await ann.visit(request_path)
    await ann.page.get_by_label("Comment", exact=True).fill("Name the ticket.")
    await ann.page.get_by_role("button", name="Request changes").click()
    await expect(ann.page.get_by_text("Changes requested", exact=True).first).to_be_visible()
    assert await ann.faults() == []
    await ann.shoot("approval-changes-phone")

    await olga.sign_in()
    await olga.visit("/approvals?tab=mine")
    await olga.page.get_by_role("table").get_by_role("link").first.click()
    await expect(olga.page.get_by_role("heading", name="Changes requested")).to_be_visible()
    await olga.page.get_by_label("Answer").fill("It is CHG-1.")
    await olga.page.get_by_role("button", name="Answer and request again").click()
    thread = olga.page.get_by_role("list", name="Comments")
    await expect(thread).to_contain_text("olga answered: It is CHG-1.")
    await olga.page.get_by_label("Comment for all followers").fill("The replica is back.")
    await olga.page.get_by_role("button", name="Comment", exact=True).click()
    await expect(thread).to_contain_text("The replica is back.")
    await olga.shoot("approval-thread")
    assert await olga.faults() == []

    await expect(ann.page.get_by_role("list", name="Comments")).to_contain_text("The replica is back.")
    await ann.page.get_by_role("button", name="Delegate").click()
    dialog = ann.page.get_by_role("dialog")
    await dialog.get_by_label("Delegate").fill("otto")
    await dialog.get_by_role("button", name="Delegate").click()
    await expect(dialog).to_have_count(0)
    await expect(ann.page.get_by_text("otto votes for ann")).to_be_visible()
    await expect(ann.page.get_by_role("button", name="Approve")).to_have_attribute("aria-disabled", "true")

    otto = people["otto"]
    await otto.sign_in()
    await otto.visit(request_path)
    await otto.approve()
    await expect(otto.page.get_by_text("Approved", exact=True)).to_be_visible()
    await expect(otto.page.get_by_role("list", name="Comments")).to_contain_text("for ann")
    assert olga.complaints + ann.complaints + otto.complaints == []


async def test_a_plan_is_kept_as_a_draft_and_found_again(world: World, people: dict[str, Person]) -> None:
    olga = people["olga"]
    await olga.sign_in()
    await olga.visit(f"/upgrades/new?deployment={DEPLOYMENT}&target=v1")
    await olga.page.get_by_label("Reason").fill("For the portal.")
    await olga.page.get_by_role("button", name="Save draft").click()
    await expect(olga.page.get_by_role("heading", name="Drafts")).to_be_visible()
    await olga.visit("/upgrades/new")
    await olga.page.get_by_role("link", name=f"{SERVICE} @ {REGION} to v1").click()
    await expect(olga.page.get_by_label("Reason")).to_have_value("For the portal.")
    await olga.shoot("plan-drafts")
    assert await olga.faults() == []
    await olga.page.get_by_role("button", name="Discard the draft").click()
    await expect(olga.page.get_by_role("heading", name="Drafts")).to_have_count(0)


async def test_the_fleet_is_filtered_by_how_old_it_is_and_shown_as_a_map(
    world: World, people: dict[str, Person]
) -> None:
    vera = people["vera"]
    await vera.sign_in()
    await vera.visit("/fleet?view=map&behind=1")
    cells = vera.page.get_by_role("list", name="Deployments").get_by_role("link")
    await expect(cells).to_have_count(2)
    await vera.visit("/fleet?view=map&behind=2")
    await expect(vera.page.get_by_text("No deployment matches.")).to_be_visible()


async def test_a_report_shows_both_schemas_and_what_is_hidden_is_accepted_by_two(
    world: World, people: dict[str, Person]
) -> None:
    olga, ann = people["olga"], people["ann"]
    await olga.sign_in()
    await olga.visit(f"/compat/{SERVICE}/v1alpha2..v1")
    changes = olga.page.get_by_role("list", name="Changes", exact=True)
    renamed = changes.get_by_role("listitem").filter(has_text="title renamed to display_name")
    await expect(renamed).to_contain_text("converted automatically")
    await expect(renamed.get_by_text("title: string", exact=True)).to_be_visible()
    await expect(renamed.get_by_text("display_name: string", exact=True)).to_be_visible()
    await expect(renamed.get_by_text("v1alpha2.yaml:")).to_be_visible()
    await renamed.get_by_text("findings by direction").press("Enter")
    await expect(renamed.get_by_role("table")).to_be_visible()
    await olga.shoot("compatibility")
    assert await olga.faults() == []
    decisions = olga.page.get_by_role("region", name="Hidden values that a person accepts")
    await expect(decisions.get_by_role("button", name="Accept…")).to_be_visible()
    await expect(olga.page.get_by_text("1 finding waits to be accepted")).to_be_visible()
    await olga.page.get_by_role("button", name="Accept…").click()
    dialog = olga.page.get_by_role("dialog")
    await dialog.get_by_label("Reason").fill("Nobody of the old version has folders.")
    await dialog.get_by_label("Until").fill("2027-01-31T00:00")
    await dialog.get_by_role("button", name="Ask for approval").click()
    await expect(olga.page.get_by_text("waits for approval")).to_be_visible()
    await ann.sign_in()
    await ann.visit(f"/compat/{SERVICE}/v1alpha2..v1")
    await ann.page.get_by_role("button", name="Approve").click()
    await expect(ann.page.get_by_text("approved by ann")).to_be_visible()
    await expect(ann.page.get_by_text("1 finding waits to be accepted")).to_have_count(0)
    await ann.shoot("compatibility-accepted")
    assert await ann.faults() == []
    assert olga.complaints + ann.complaints == []

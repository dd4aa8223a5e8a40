"""A deployment whose data another system moves: its switch is released by a person, with the approvals it needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.approvals.commands.cast_vote import cast_vote
from migrations_app.control.registry.commands.apply_fleet import apply_fleet
from migrations_app.control.registry.commands.report_shards import report_shards
from migrations_app.control.registry.repository import registry
from migrations_app.control.upgrades.commands.open_upgrade import open_upgrade
from migrations_app.domain.access import SYSTEM, actor_with
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.votes import Ballot, VoteVerdict
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import Deployment
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import Deployment as Row
from migrations_app.models.upgrades import Upgrade
from tests.factories.access import client_of, with_account
from tests.factories.remembered import remembered

pytestmark = pytest.mark.django_db
FLEET = Path(__file__).resolve().parents[3] / "examples" / "fleet"
NAME = "services/secrets.example.com/deployments/eu-west1"
PATH = "/api/v1/deployments/secrets.example.com/eu-west1"
ANN, BOB = actor_with("ann", "approver"), actor_with("bob", "approver")


@pytest.fixture(autouse=True)
def fleet() -> None:
    """The example fleet, with one deployment whose data are kept elsewhere, being upgraded there."""
    remembered("example fleet", [], lambda: apply_fleet(SYSTEM, FLEET))
    Row.objects.filter(pk=NAME).update(database="")
    open_upgrade(SYSTEM, NAME, "v1")


def stage() -> str:
    value = registry.get(RegistryKind.DEPLOYMENT, NAME)
    assert isinstance(value, Deployment)
    return value.upgrade_state.stage.value if value.upgrade_state else f"runs {value.current_version}"


def offered(client: Any) -> tuple[bool, str]:
    (found,) = [each for each in client.get(PATH).json()["actions"] if each["action"] == "switch"]
    return found["allowed"], found["reason"]


def report(first: int, last: int) -> None:
    report_shards(SYSTEM, NAME, first, last, ready=True, total=16)


def test_it_is_offered_when_all_shards_are_ready_and_says_why_not_before() -> None:
    apply_policy(SYSTEM, Policy("free", Purpose.SWITCH, needed=0))
    olga, vera = client_of("olga", "operator"), client_of("vera", "viewer")
    report(0, 14)
    assert offered(olga) == (False, f"15 of 16 shards of {NAME} are ready.")
    early = olga.post(f"{PATH}/switch")
    assert (early.status_code, early.json()["code"], stage()) == (409, "switch-not-ready", "INITIAL_SYNCING")

    report(15, 15)
    assert (offered(olga), stage()) == ((True, ""), "READY")
    assert offered(vera)[0] is False
    assert (vera.post(f"{PATH}/switch").status_code, stage()) == (403, "READY")
    assert (olga.post(f"{PATH}/switch?dry_run=true").status_code, stage()) == (200, "READY")

    assert (olga.post(f"{PATH}/switch").status_code, stage()) == (200, "SWITCHING")
    assert offered(olga) == (False, f"{NAME} is switching already: 0 of 16 shards have switched.")
    again = olga.post(f"{PATH}/switch")
    assert (again.status_code, again.json()["code"]) == (409, "switch-released")
    noted = LedgerEntry.objects.filter(action="upgrade.release", outcome="done")
    assert [entry.actor for entry in noted] == ["olga"]
    report(0, 15)
    assert stage() == "runs v1"


def test_two_others_agree_first_when_the_policy_asks_for_it() -> None:
    apply_policy(SYSTEM, Policy("two", Purpose.SWITCH, needed=2))
    olga = client_of("olga", "operator", "approver")
    report(0, 15)
    refused = olga.post(f"{PATH}/switch")
    assert (refused.status_code, refused.json()["code"], stage()) == (409, "approval-needed", "READY")
    request = ApprovalRequest.objects.get()
    assert f"{request.id} asks for them" in refused.json()["detail"]
    mine = olga.post(
        f"/api/v1/approvals/{request.id}/approve",
        {"comment": "mine"},
        format="json",
        headers={"If-Match": f'"{request.digest}"'},
    )
    assert mine.status_code == 403
    for voter in (ANN, BOB):
        assert olga.post(f"{PATH}/switch").json()["code"] == "approval-needed"
        cast_vote(with_account(voter), request.id, Ballot(VoteVerdict.APPROVE, request.digest))
    assert (olga.post(f"{PATH}/switch").status_code, stage()) == (200, "SWITCHING")
    request.refresh_from_db()
    assert (request.closed_as, Upgrade.objects.get().state) == ("USED", "HANDED_OVER")


def test_what_is_moved_here_is_switched_by_its_upgrade() -> None:
    apply_policy(SYSTEM, Policy("free", Purpose.SWITCH, needed=0))
    report(0, 15)
    Row.objects.filter(pk=NAME).update(database="default")
    olga = client_of("olga", "operator")
    assert offered(olga) == (False, "Its data are moved by Switchyard itself: ask its upgrade to switch.")
    refused = olga.post(f"{PATH}/switch")
    assert (refused.status_code, refused.json()["code"], stage()) == (409, "upgrade-hosted", "READY")

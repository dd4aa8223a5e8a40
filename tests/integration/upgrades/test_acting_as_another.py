"""Every way to act as another through the REST API, in every order of the steps: no vote of one's own counts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from rest_framework.test import APIClient

from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.models.approvals import ApprovalRequest, ApprovalVote
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.upgrades import UpgradeTimelineEntry
from migrations_app.ports.upgrades import CheckResult, TimelineEntry
from tests.factories.access import client_of, make_account
from tests.factories.reports import keep_new, report_caught_up
from tests.integration.upgrades.test_api import TECHNICAL, UPGRADES, act, plan, post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
NEW_PASSWORD = "a quiet river under seven bridges"


class Stage:
    """Mallory, who manages access, operates and approves, and the accounts that she may act as."""

    def __init__(self) -> None:
        make_account("mallory", "admin", "operator", "approver", password=NEW_PASSWORD)
        self.mallory = self.signed_in("mallory")
        make_account("operator", "operator", "approver")
        make_account("approver2", "approver")
        make_account("robot", "automation", kind="service")
        self.author = self.voter = self.mallory
        self.upgrade_id = self.request_id = ""

    def patch(self, name: str, **change: object) -> Any:
        """Change an account as mallory."""
        return self.mallory.patch(f"/api/v1/access/accounts/{name}", change, format="json")

    def bearer(self, client: APIClient, account: str) -> APIClient:
        """Make a token of an account, and give a client that acts with it."""
        made = client.post("/api/v1/tokens", {"name": "x", "account": account}, format="json")
        assert made.status_code == 201, made.content
        found = APIClient()
        found.credentials(HTTP_AUTHORIZATION=f"Bearer {made.json()['secret']}")
        return found

    def signed_in(self, name: str) -> APIClient:
        """Sign in with the password that mallory set."""
        client = APIClient()
        entered = client.post("/api/v1/session", {"username": name, "password": NEW_PASSWORD}, format="json")
        assert entered.status_code in (200, 201), entered.content
        return client

    def plan(self) -> None:
        """Plan and start an upgrade, up to its readiness."""
        self.upgrade_id = plan(self.author)["id"]
        assert act(self.author, self.upgrade_id, "start").status_code == 200
        report_caught_up(self.upgrade_id)
        UPGRADES.transition(
            UPGRADES.load(self.upgrade_id), UpgradeEvent.CATCH_UP, TimelineEntry("caught-up", "level")
        )
        UPGRADES.record_checks(
            self.upgrade_id, [CheckResult(name, "pass", f"{name} holds.") for name in (*TECHNICAL, "freeze")]
        )
        keep_new()

    def ask(self) -> None:
        """Ask for approval."""
        answer = act(self.author, self.upgrade_id, "request-approval")
        assert answer.status_code == 200, answer.content
        self.request_id = ApprovalRequest.objects.get().id

    def vote(self, client: APIClient) -> Any:
        """Approve what is to be seen now."""
        digest = ApprovalRequest.objects.get().digest
        return post(client, f"/approvals/{self.request_id}/approve", None, **{"If-Match": f'"{digest}"'})


def token_of_operator(stage: Stage) -> None:
    stage.author = stage.bearer(stage.mallory, "operator")


def token_of_robot(stage: Stage) -> None:
    stage.author = stage.bearer(stage.mallory, "robot")


def password_of_operator(stage: Stage) -> None:
    assert stage.patch("operator", password=NEW_PASSWORD).status_code == 200
    stage.author = stage.signed_in("operator")


def token_of_approver(stage: Stage) -> None:
    stage.voter = stage.bearer(stage.mallory, "approver2")


def password_of_approver(stage: Stage) -> None:
    assert stage.patch("approver2", password=NEW_PASSWORD).status_code == 200
    stage.voter = stage.signed_in("approver2")


def token_made_with_that_password(stage: Stage) -> None:
    password_of_approver(stage)
    own = stage.voter.get("/api/v1/session").json()["csrf_token"]
    stage.voter.credentials(HTTP_X_CSRFTOKEN=own)
    stage.voter = stage.bearer(stage.voter, "approver2")


def new_account(stage: Stage) -> None:
    wish = {"name": "puppet", "email": "puppet@example.com", "password": NEW_PASSWORD}
    assert stage.mallory.post("/api/v1/access/accounts", wish, format="json").status_code == 201
    bind(stage, "puppet")
    stage.voter = stage.signed_in("puppet")


def bind(stage: Stage, name: str) -> None:
    wish = {"subject_kind": "account", "subject": name, "role": "approver"}
    assert stage.mallory.post("/api/v1/access/bindings", wish, format="json").status_code == 201


Way = Callable[[Stage], None]
AUTHORS: tuple[Way, ...] = (token_of_operator, token_of_robot, password_of_operator)
VOTERS: tuple[Way, ...] = (
    token_of_approver,
    password_of_approver,
    token_made_with_that_password,
    new_account,
)


def orders(way: Way) -> list[list[str]]:
    """List the orders of the steps; a request needs a plan, and who plans as another becomes them first."""
    found = [
        list(order)
        for order in permutations(("plan", "ask", "act"))
        if order.index("plan") < order.index("ask")
    ]
    return [order for order in found if way not in AUTHORS or order.index("act") < order.index("ask")]


CASES = [(way, order) for way in (*AUTHORS, *VOTERS) for order in orders(way)]


@pytest.mark.parametrize(
    ("way", "order"), CASES, ids=[f"{way.__name__}-{'-'.join(order)}" for way, order in CASES]
)
def test_no_order_of_any_way_gives_a_vote(way: Way, order: list[str]) -> None:
    stage = Stage()
    for step in order:
        {"plan": stage.plan, "ask": stage.ask, "act": lambda: way(stage)}[step]()
    before = written()
    refused = stage.vote(stage.voter)
    assert refused.status_code == 403, refused.content
    assert refused.headers["Content-Type"] == "application/problem+json"
    problem = refused.json()
    assert problem["code"] in ("vote-denied", "denied")
    assert (
        "mallory" in problem["detail"]
        or "The account" in problem["detail"]
        or "An account" in problem["detail"]
        or "You " in problem["detail"]
    )
    assert problem["who_can"]
    assert written() == before
    assert not ApprovalVote.objects.exists()
    honest = client_of("bert", "approver")
    assert stage.vote(honest).status_code == 200


def written() -> tuple[int, int, int, int]:
    """Count what a vote would write; refusals alone are added to the ledger."""
    return (
        ApprovalVote.objects.count(),
        UpgradeTimelineEntry.objects.count(),
        LedgerEntry.objects.exclude(outcome="denied").exclude(action__startswith="session").count(),
        ApprovalRequest.objects.get().rev,
    )

"""No account approves what it wants itself: one test for every interface that could be tried."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.access.commands.issue_token import issue_token
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.approvals.commands.cast_vote import cast_vote
from migrations_app.control.approvals.commands.request_approval import request_approval
from migrations_app.control.upgrades.commands.edit_upgrade import edit_upgrade
from migrations_app.domain.access import Actor, actor_with
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.votes import Ballot, VoteVerdict
from migrations_app.kernel.errors import Denied, SwitchyardError
from migrations_app.models.access import Account, Token
from migrations_app.models.approvals import ApprovalPolicy, ApprovalRequest, ApprovalVote
from migrations_app.models.upgrades import Upgrade
from tests.factories.access import PASSWORD, client_of, make_account, proved, token_of, with_account
from tests.integration.upgrades.conftest import ANN, OLGA, ROOT
from tests.integration.upgrades.test_api import post
from tests.integration.upgrades.test_approvals import at_the_gate, read
from tests.swy import Swy

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
EVERYTHING = ("operator", "approver", "admin")


def asked() -> ApprovalRequest:
    """What olga planned and asks for."""
    return read(request_approval(OLGA, at_the_gate()))


def vote(client: APIClient, request: ApprovalRequest, **headers: str) -> Any:
    tag = {"If-Match": f'"{request.digest}"'}
    return post(client, f"/approvals/{request.id}/approve", None, **tag, **headers)


def nothing_counts() -> None:
    assert not ApprovalVote.objects.exists()


def test_not_over_the_api_with_every_role_or_another_token() -> None:
    request, olga = asked(), client_of("olga", *EVERYTHING)
    other = APIClient()
    other.credentials(HTTP_AUTHORIZATION=f"Bearer {token_of('olga', 'approval.*')}")
    for client in (olga, other):
        refused = vote(client, request)
        assert (refused.status_code, refused.json()["code"]) == (403, "denied")
        assert refused.json()["who_can"] == ["approver", "admin"]
    nothing_counts()


def test_not_through_an_account_that_differs_in_capitals_only() -> None:
    request = asked()
    assert vote(client_of("Olga", *EVERYTHING), request).status_code == 403
    nothing_counts()


def test_not_by_letting_another_person_ask() -> None:
    other = actor_with("oscar", "operator")
    request = read(request_approval(other, at_the_gate()))
    refused = vote(client_of("olga", *EVERYTHING), request)
    assert (refused.status_code, refused.json()["code"]) == (403, "vote-denied")
    assert refused.json()["detail"].startswith("The account that planned the upgrade cannot vote on it.")
    assert refused.json()["who_can"] == ["people with the role or group approver, except oscar and olga"]
    nothing_counts()


def test_not_by_letting_a_service_ask_whose_token_one_made() -> None:
    robot = make_account("robot", "operator", kind="service")
    issue_token(proved(actor_with("ann", "admin")), "robot", "pipeline")
    request = read(request_approval(robot, at_the_gate()))
    refused = vote(client_of("ann", "approver"), request)
    assert (refused.status_code, refused.json()["code"]) == (403, "vote-denied")
    assert refused.json()["detail"].startswith(
        "You made a token of robot or olga: what is asked with it is asked by"
    )
    assert refused.json()["who_can"] == [
        "people with the role or group approver, except robot and olga and ann"
    ]
    nothing_counts()
    assert vote(client_of("bert", "approver"), request).status_code == 200


def test_not_with_a_token_made_for_an_account_that_may() -> None:
    """Olga, who manages access too, makes a token of ann's account: what it says would be olga's word."""
    request = asked()
    make_account("ann", "approver")
    ann = APIClient()
    secret = issue_token(proved(actor_with("olga", *EVERYTHING)), "ann", "just for me").secret
    ann.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    refused = vote(ann, request)
    assert (refused.status_code, refused.json()["code"]) == (403, "denied")
    assert refused.json()["detail"] == "olga made this token; it does not vote in the name of ann."
    nothing_counts()
    own = APIClient()
    own.credentials(HTTP_AUTHORIZATION=f"Bearer {token_of('ann')}")
    assert vote(own, request).status_code == 200


def test_not_by_changing_the_plan_that_another_person_asks_for() -> None:
    request = asked()
    edit_upgrade(actor_with("Oscar", *EVERYTHING), request.upgrade_id, {"rollback_hours": 1})
    changed = read(request.id)
    assert changed.round == 2
    refused = vote(client_of("oscar", *EVERYTHING), changed)
    assert (refused.status_code, refused.json()["code"]) == (403, "vote-denied")
    assert refused.json()["detail"].startswith(
        "An account that changed the upgrade's plan cannot vote on it."
    )
    nothing_counts()
    assert vote(client_of("bert", "approver"), changed).status_code == 200


def test_a_token_that_ended_before_the_plan_stands_behind_nothing() -> None:
    robot = make_account("robot", "operator", kind="service")
    issue_token(proved(actor_with("ann", "admin")), "robot", "pipeline")
    Token.objects.filter(name="pipeline").update(revoked_at=timezone.now())
    request = read(request_approval(robot, at_the_gate()))
    assert vote(client_of("ann", "approver"), request).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_not_from_the_command_line(live_web: str) -> None:
    request = asked()
    make_account("olga", *EVERYTHING)
    refused = Swy(live_web, token_of("olga")).run("approve", request.id)
    assert refused.returncode == 3
    assert "another person must decide" in refused.stderr
    assert "Who can: approver, admin" in refused.stderr
    nothing_counts()


def test_not_in_the_admin_pages() -> None:
    request = asked()
    make_account("olga", *EVERYTHING, password=PASSWORD)
    Account.objects.filter(username="olga").update(is_staff=True)
    client = Client()
    client.force_login(Account.objects.get(username="olga"))
    assert client.get("/admin/switchyard/approvalvote/").status_code == 200
    made = {"request": request.id, "round": 1, "who": "ann", "verdict": "approve", "digest": request.digest}
    assert client.post("/admin/switchyard/approvalvote/add/", made).status_code == 403
    page = f"/admin/switchyard/approvalrequest/{request.id}/change/"
    assert client.post(page, {"asked_by": "nobody"}).status_code == 403
    page = f"/admin/switchyard/upgrade/{request.upgrade_id}/change/"
    assert client.post(page, {"created_by": "nobody"}).status_code == 403
    nothing_counts()


def test_not_by_repeating_the_request_of_an_account_that_may() -> None:
    request, key = asked(), str(uuid.uuid4())
    assert vote(client_of("ann", "approver"), request, **{"Idempotency-Key": key}).status_code == 200
    refused = vote(client_of("olga", *EVERYTHING), request, **{"Idempotency-Key": key})
    assert (refused.status_code, "Idempotency-Replayed" in refused) == (403, False)
    assert list(ApprovalVote.objects.values_list("who", flat=True)) == ["ann"]


def test_not_by_repeating_an_own_request_that_was_refused() -> None:
    request, key, olga = asked(), str(uuid.uuid4()), client_of("olga", *EVERYTHING)
    for _ in range(2):
        assert vote(olga, request, **{"Idempotency-Key": key}).status_code == 403
    nothing_counts()


def test_not_by_carrying_a_vote_over_from_another_request() -> None:
    """A vote that ann gave olga's first request is worth nothing on her second."""
    first = asked()
    cast_vote(ANN, first.id, Ballot(VoteVerdict.APPROVE, first.digest))
    cast_vote(actor_with("bob", "approver"), first.id, Ballot(VoteVerdict.REJECT, first.digest, "not today"))
    second = read(request_approval(OLGA, first.upgrade_id))
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        ApprovalVote.objects.filter(who="ann").update(request=second)
    assert second.votes.count() == 0


def test_not_by_changing_the_policy_that_decides_about_it() -> None:
    request = asked()
    easy = Policy("easy", Purpose.SWITCH, needed=0)
    root = actor_with("olga", *EVERYTHING)
    with pytest.raises(Denied) as caught:
        apply_policy(root, easy)
    assert (caught.value.code, caught.value.who_can) == ("policy-own", ("role admin, except olga",))
    assert not ApprovalPolicy.objects.exists()
    assert read(request.id).round == 1
    apply_policy(ROOT, easy)
    assert read(request.id).round == 2


def test_not_by_writing_rows() -> None:
    request = asked()
    row = {
        "request": request,
        "round": 1,
        "verdict": "approve",
        "digest": request.digest,
        "at": timezone.now(),
    }
    with pytest.raises(IntegrityError, match="whoever asks"), transaction.atomic():
        ApprovalVote.objects.create(who="OLGA", **row)
    with pytest.raises(IntegrityError, match="keeps who planned"), transaction.atomic():
        Upgrade.objects.update(created_by="nobody")
    with pytest.raises(IntegrityError, match="keeps who asked"), transaction.atomic():
        ApprovalRequest.objects.update(asked_by="nobody")
    other = read(request_approval(actor_with("oscar", "operator"), _again(request)))
    with pytest.raises(IntegrityError, match="whoever planned"), transaction.atomic():
        ApprovalVote.objects.create(who="olga", **row | {"request": other, "digest": other.digest})


def _again(request: ApprovalRequest) -> str:
    cast_vote(ANN, request.id, Ballot(VoteVerdict.REJECT, request.digest, "not today"))
    return request.upgrade_id


@pytest.mark.django_db(transaction=True)
def test_not_in_a_race_of_asking_and_voting() -> None:
    """Olga asks and votes at once from many places, while ann votes: ann's word alone is counted."""
    upgrade, olga = at_the_gate(), actor_with("olga", *EVERYTHING)
    # A vote without an account would be void at the next look, and ann would give another.
    with_account(ANN)

    def ask(_: int) -> str:
        return _tried(lambda: request_approval(olga, upgrade))

    def say(who: Actor) -> str:
        def tried() -> str:
            found = ApprovalRequest.objects.filter(upgrade_id=upgrade).first()
            return cast_vote(who, found.id, Ballot(VoteVerdict.APPROVE, found.digest)) if found else "none"

        return _tried(tried)

    with ThreadPoolExecutor(6) as pool:
        doing = [pool.submit(ask, number) for number in range(4)]
        doing += [pool.submit(say, who) for _ in range(8) for who in (olga, ANN)]
        said = [each.result() for each in doing]
    _tried(lambda: say(ANN))
    assert "broken" not in said
    assert ApprovalRequest.objects.filter(closed_at__isnull=True).count() == 1
    assert set(ApprovalVote.objects.values_list("who", flat=True)) == {"ann"}
    assert ApprovalVote.objects.count() == 1


def _tried(act: Any) -> str:
    try:
        return str(act())
    except SwitchyardError as error:
        return error.code
    finally:
        connection.close()

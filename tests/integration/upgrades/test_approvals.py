"""Approvals through the actions and against the database itself: four eyes, rounds, glass, races."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import state_now
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.approvals.commands.break_glass import break_glass, review_emergency
from migrations_app.control.approvals.commands.cast_vote import cast_vote
from migrations_app.control.approvals.commands.request_approval import request_approval
from migrations_app.control.approvals.queries.approvals import approval, emergencies
from migrations_app.control.approvals.repository.rounds import freshen
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import request_switch
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.control.upgrades.queries import upgrades
from migrations_app.domain.access import Actor, actor_with
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.votes import Ballot, RequestState, VoteVerdict
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.kernel.errors import Conflict, Denied, Invalid, Stale, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.one_reading import one_reading
from migrations_app.models.approvals import ApprovalRequest, ApprovalVote
from migrations_app.models.ledger import LedgerEntry
from migrations_app.ports.upgrades import CheckResult, TimelineEntry
from tests.factories.access import make_account, with_account
from tests.factories.reports import keep_new, report_caught_up
from tests.integration.upgrades.conftest import ANN, BOB, EU, OLGA, ROOT, VERA, define, present

UPGRADES = DjangoUpgrades()
TECHNICAL = ("parity", "quarantined", "old-transactions", "reverse-replication", "freeze")


def impact_summary(shown: JsonObject) -> tuple[object, object]:
    """How the votes of an upgrade stand, and whose they are."""
    gate = shown["readiness"]
    assert isinstance(gate, dict)
    votes = gate["approvals"]
    assert isinstance(votes, dict)
    return votes["state"], votes["groups"]


def at_the_gate() -> str:
    """An upgrade whose shards are caught up and whose preflight is clean."""
    upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(EU, "v1")).upgrade_id)
    report_caught_up(upgrade)
    UPGRADES.transition(UPGRADES.load(upgrade), UpgradeEvent.CATCH_UP, TimelineEntry("caught-up", "level"))
    UPGRADES.record_checks(upgrade, [CheckResult(name, "pass", f"{name} holds.") for name in TECHNICAL])
    keep_new()
    return upgrade


def asked() -> ApprovalRequest:
    return read(request_approval(OLGA, at_the_gate(), comment="tonight", ticket="CHG-1"))


def read(request_id: str) -> ApprovalRequest:
    return ApprovalRequest.objects.select_related("upgrade").get(pk=request_id)


def say(actor: Actor, request: ApprovalRequest, verdict: VoteVerdict = VoteVerdict.APPROVE) -> None:
    cast_vote(with_account(actor), request.id, Ballot(verdict, request.digest, "seen"))


@pytest.fixture
def _fleet(fleet: None) -> None: ...


pytestmark = pytest.mark.usefixtures("_fleet")


def test_two_votes_open_the_gate() -> None:
    request = asked()
    with pytest.raises(Conflict) as caught:
        request_switch(OLGA, request.upgrade_id)
    assert (caught.value.code, caught.value.message) == (
        "guard-approval",
        "0 of 2 approvals were given.",
    )
    say(ANN, request)
    say(BOB, request)
    assert state_now(read(request.id), timezone.now()) is RequestState.APPROVED
    request_switch(OLGA, request.upgrade_id)
    assert UPGRADES.load(request.upgrade_id).requested_by == "olga"
    with pytest.raises(Conflict) as caught:
        request_switch(OLGA, request.upgrade_id)
    assert caught.value.code == "already-asked"


def test_the_requester_cannot_vote_through_any_role() -> None:
    request = asked()
    everything = actor_with("olga", "operator", "approver", "admin")
    with pytest.raises(Denied) as caught:
        say(everything, request)
    assert caught.value.message == "You asked for this; another person must decide."
    assert caught.value.who_can


def test_the_requester_cannot_vote_in_the_database_either() -> None:
    request = asked()
    for who in ("olga", "OLGA"):
        with pytest.raises(IntegrityError, match="whoever asks"), transaction.atomic():
            ApprovalVote.objects.create(
                request=request, round=1, who=who, verdict="approve", digest=request.digest, at=timezone.now()
            )
    with pytest.raises(IntegrityError, match="keeps who asked"), transaction.atomic():
        ApprovalRequest.objects.filter(pk=request.pk).update(asked_by="nobody")


def test_a_vote_is_never_rewritten() -> None:
    request = asked()
    say(ANN, request)
    for change in ({"who": "eve"}, {"verdict": "reject"}, {"digest": "x"}):
        with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
            ApprovalVote.objects.update(**change)


def test_viewers_and_operators_are_told_who_can() -> None:
    request = asked()
    with pytest.raises(Denied) as caught:
        say(VERA, request)
    assert "approver" in caught.value.who_can
    with pytest.raises(Denied):
        say(actor_with("oscar", "operator"), request)


def test_an_admin_who_is_no_approver_does_not_count() -> None:
    request = asked()
    with pytest.raises(Denied) as caught:
        say(ROOT, request)
    assert caught.value.message == "Only people with the role or group approver may vote on this."


def test_an_edited_conversion_voids_the_votes_and_the_old_page_is_stale() -> None:
    request = asked()
    say(ANN, request)
    define("f2")
    with pytest.raises(Stale):
        say(BOB, request)
    fresh = read(request.id)
    assert (fresh.round, fresh.digest != request.digest) == (2, True)
    assert ApprovalVote.objects.get().void_reason.startswith("The evidence changed")
    assert LedgerEntry.objects.filter(action="approval.void", actor="switchyard").count() == 1
    say(BOB, fresh)
    assert state_now(read(request.id), timezone.now()) is RequestState.OPEN
    with pytest.raises(Conflict) as caught:
        request_switch(OLGA, request.upgrade_id)
    assert caught.value.code == "guard-plan"


def test_a_changed_policy_asks_anew() -> None:
    request = asked()
    say(ANN, request)
    apply_policy(ROOT, Policy("one", Purpose.SWITCH, needed=1))
    fresh = read(request.id)
    assert fresh.round == 2
    say(ANN, fresh)
    assert state_now(read(request.id), timezone.now()) is RequestState.APPROVED


def test_a_rejection_closes_it_and_another_may_be_asked() -> None:
    request = asked()
    with pytest.raises(Invalid):
        cast_vote(ANN, request.id, Ballot(VoteVerdict.REJECT, request.digest))
    say(ANN, request, VoteVerdict.REJECT)
    closed = read(request.id)
    assert (closed.closed_as, closed.closed_reason) == ("REJECTED", "ann rejected it.")
    assert closed.closed_phrases == [{"key": "{who} rejected it.", "values": {"who": "ann"}}]
    with pytest.raises(Conflict):
        say(BOB, request)
    assert request_approval(OLGA, request.upgrade_id) != request.id


def test_only_one_request_is_open() -> None:
    request = asked()
    with pytest.raises(Conflict) as caught:
        request_approval(OLGA, request.upgrade_id)
    assert caught.value.code == "approval-open"


def test_the_last_approver_does_not_run_a_critical_switch() -> None:
    apply_policy(ROOT, Policy("crit", Purpose.SWITCH, needed=2, critical=True, last_approver_may_run=False))
    request = asked()
    ann = present(replace(ANN, grants=(*ANN.grants, *OLGA.grants)))
    bob = present(replace(BOB, grants=(*BOB.grants, *OLGA.grants)))
    say(ann, request)
    say(bob, request)
    with pytest.raises(Conflict) as caught:
        request_switch(bob, request.upgrade_id)
    assert caught.value.message == "The last approver may not be the one to run it."
    request_switch(ann, request.upgrade_id)


def test_breaking_the_glass_replaces_the_votes_once_and_owes_a_review() -> None:
    upgrade = at_the_gate()
    with pytest.raises(Denied):
        break_glass(present(OLGA), upgrade, "the old version loses orders", "INC-1")
    with pytest.raises(Denied) as caught:
        break_glass(ROOT, upgrade, "the old version loses orders", "INC-1")
    assert caught.value.code == "step-up"
    emergency = break_glass(present(ROOT), upgrade, "the old version loses orders", "INC-1")
    with pytest.raises(Denied) as caught:
        break_glass(present(ROOT), upgrade, "the old version loses orders", "INC-2")
    assert caught.value.code == "break-glass-review"
    shown = upgrades.upgrade(ROOT, upgrade)
    assert shown["sentence"] == (
        "secrets @ eu-1 has all 16 shards caught up for v1 and may switch now without votes: approval was overridden (break-glass)."
    )
    assert impact_summary(shown) == ("EMERGENCY", "approver")
    (owed,) = emergencies(ANN)
    assert isinstance(owed, dict)
    assert (owed["service"], owed["region"]) == ("secrets.example.com", "eu-1")
    request_switch(ROOT, upgrade)
    with pytest.raises(Denied):
        review_emergency(ROOT, emergency, "fine")
    review_emergency(ANN, emergency, "It was right.")
    record = UPGRADES.transition(UPGRADES.load(upgrade), UpgradeEvent.FREEZE, TimelineEntry("freeze", ""))
    UPGRADES.transition(record, UpgradeEvent.FLIP, TimelineEntry("flip", ""), clear_request=True)


def test_a_flip_uses_the_approval_up() -> None:
    request = asked()
    say(ANN, request)
    say(BOB, request)
    record = UPGRADES.transition(
        UPGRADES.load(request.upgrade_id), UpgradeEvent.FREEZE, TimelineEntry("freeze", "")
    )
    UPGRADES.transition(record, UpgradeEvent.FLIP, TimelineEntry("flip", ""))
    closed = read(request.id)
    assert (closed.closed_as, closed.closed_reason) == ("USED", "The switch to v1 was done.")
    shown = approval(ANN, request.id)
    assert shown["closed_reason_phrases"] == closed.closed_phrases
    ApprovalRequest.objects.filter(pk=request.id).update(closed_phrases=[], closed_reason="v1 and back")
    older = approval(ANN, request.id)
    assert older["closed_reason_phrases"] == [{"key": "{text}", "values": {"text": "v1 and back"}}]


def test_each_step_of_a_vote_reads_once_what_it_stands_on() -> None:
    request = asked()
    say(ANN, request)
    bob = with_account(BOB)
    with CaptureQueriesContext(connection) as asked_of_it:
        cast_vote(bob, request.id, Ballot(VoteVerdict.APPROVE, request.digest, "seen"))
    said = [query["sql"] for query in asked_of_it.captured_queries]
    # What changed since the round began, the vote itself, and what the request is worth with it.
    assert sum('FROM "switchyard_approvalpolicy"' in sql for sql in said) == 3
    # And which votes do not count any more when the vote is given.
    assert sum('SELECT "switchyard_token"."created_by"' in sql for sql in said) == 4


def test_a_vote_goes_by_nothing_that_was_read_before_its_lock() -> None:
    request = asked()
    with one_reading():
        assert state_now(read(request.id), timezone.now()) is RequestState.OPEN
        define("f9")
        with pytest.raises(Stale) as caught:
            say(ANN, request)
    assert caught.value.code == "evidence-changed"
    assert not ApprovalVote.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_fifty_votes_at_once_of_ten_people_count_ten_times() -> None:
    apply_policy(ROOT, Policy("many", Purpose.SWITCH, needed=10))
    request = asked()
    for number in range(10):
        make_account(f"ann{number}", "approver")

    def vote(number: int) -> str:
        try:
            say(actor_with(f"ann{number % 10}", "approver"), request)
        except SwitchyardError as error:
            return error.code
        finally:
            connection.close()
        return "counted"

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(vote, range(50)))
    assert results.count("counted") == 10
    assert set(results) <= {"counted", "voted-already", "request-settled"}
    assert ApprovalVote.objects.count() == 10
    assert state_now(read(request.id), timezone.now()) is RequestState.APPROVED


@pytest.mark.django_db(transaction=True)
def test_votes_that_race_with_a_change_of_the_evidence_never_count_together() -> None:
    """Whatever the order, what counts in the end was all given for the evidence there is then."""
    request = asked()

    def act(number: int) -> str:
        try:
            if number % 5 == 4:
                define(f"f{number}")
                return "changed"
            say(actor_with(f"ann{number}", "approver"), read(request.id))
        except (SwitchyardError, IntegrityError) as error:
            return getattr(error, "code", "refused by the trigger")
        finally:
            connection.close()
        return "voted"

    with ThreadPoolExecutor(6) as pool:
        said = list(pool.map(act, range(20)))
    assert set(said) <= {"changed", "voted", "evidence-changed", "request-settled"}, said
    freshen(request.id)
    left = read(request.id)
    votes = list(ApprovalVote.objects.filter(request=request))
    assert {vote.digest for vote in votes if not vote.void_reason} <= {left.digest}
    assert all(vote.void_reason for vote in votes if vote.round < left.round)


@pytest.mark.django_db(transaction=True)
def test_of_ten_begun_at_once_one_begins() -> None:
    from migrations_app.control.upgrades.commands.begin_upgrade import begin_upgrade

    def begin(_: int) -> str:
        try:
            return begin_upgrade(OLGA, EU)
        except SwitchyardError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        results = list(pool.map(begin, range(10)))
    (winner,) = {result for result in results if result.startswith("u") and result != "upgrade-running"}
    assert results.count("upgrade-running") + results.count("guard-one-upgrade") == 9
    live = UPGRADES.live(EU)
    assert live is not None
    assert live.id == winner

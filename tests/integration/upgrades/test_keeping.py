"""Idle requests for approval: renewed and ended by themselves, with notifications; and what an override costs."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from migrations_app import wiring
from migrations_app.control.approvals.commands.break_glass import break_glass, review_emergency
from migrations_app.control.approvals.controller import LOOK_SECONDS
from migrations_app.control.events import outbox
from migrations_app.control.notifications.messages import body_of, is_within, name_of, place_of
from migrations_app.control.overview.queries.upgrades import reviews_owed
from migrations_app.control.upgrade_state.repository.upgrade_rows import locked
from migrations_app.control.upgrades.commands.request_switch import request_switch
from migrations_app.domain.access import Actor, actor_with
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.engine.controller import Again, Budget, Done, Outcome
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import JsonObject
from migrations_app.models.approvals import ApprovalRequest, ApprovalVote, Emergency
from migrations_app.models.evidence.waivers import Waiver
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.upgrades import Upgrade, UpgradeTimelineEntry
from migrations_app.models.work import Work
from migrations_app.ports.upgrades import TimelineEntry
from tests.integration.upgrades.conftest import ANN, BOB, OLGA, ROOT, SERVICE, VERA, define, present
from tests.integration.upgrades.test_approvals import UPGRADES, asked, at_the_gate, read, say

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
REASON = "the old version loses orders"


def look(request: ApprovalRequest) -> Outcome:
    """Let the controller look once, under a lease it took."""
    Work.objects.get_or_create(controller="approvals", key=request.id)
    lease = wiring.leases().take("approvals", request.id, holder="test", lease_seconds=30)
    assert lease is not None
    outcome = wiring.controllers()["approvals"].reconcile(request.id, Budget(1.0, wiring.clock()), lease)
    assert wiring.leases().settle(lease, Again(0.0))
    return outcome


def messages(since: int, name: str) -> list[JsonObject]:
    """Write what channels are told since a number."""
    events = outbox.read(since, outbox.number().seq, 500)
    return [body_of(event, name) for event in events if name_of(event) == name]


def overdue(request: ApprovalRequest) -> None:
    """Let the time of a request be over for an hour."""
    past = timezone.now() - timedelta(hours=25)
    ApprovalRequest.objects.filter(pk=request.pk).update(created_at=past, deadline=past + timedelta(hours=24))


def test_votes_for_another_conversion_are_void_and_announced_without_another_vote() -> None:
    request = asked()
    say(ANN, request)
    assert list(wiring.controllers()["approvals"].due()) == [request.id]
    assert look(request) == Again(LOOK_SECONDS)
    assert read(request.id).round == 1

    define("f2")
    since = outbox.number().seq
    assert look(request) == Again(LOOK_SECONDS)
    why = "The evidence changed. The conversion was redefined."
    assert read(request.id).round == 2
    assert ApprovalVote.objects.get().void_reason == why
    assert UpgradeTimelineEntry.objects.get(kind="votes-void").text == f"1 vote is void. {why}"
    (told,) = messages(since, "approval.changed")
    assert told["text"] == f"1 vote is void. {why} olga asks for 2 approvals."
    assert look(request) == Again(LOOK_SECONDS)
    assert read(request.id).round == 2


def test_a_request_whose_time_is_over_ends_is_told_and_can_be_made_again() -> None:
    request = asked()
    say(ANN, request)
    overdue(request)
    since = outbox.number().seq
    assert look(request) == Done()
    ended = read(request.id)
    assert (ended.closed_as, ended.closed_reason) == (
        "EXPIRED",
        "Its time ran out: 1 of 2 approvals were given.",
    )
    assert LedgerEntry.objects.filter(action="approval.expire", actor="switchyard").count() == 1
    line = UpgradeTimelineEntry.objects.get(kind="approval-expired")
    assert line.text == f"The request of olga to switch expired. {ended.closed_reason}"
    (told,) = messages(since, "approval.changed")
    assert (told["text"], told["link"]) == (ended.closed_reason, f"/approvals/{request.id}")
    assert list(wiring.controllers()["approvals"].due()) == []
    assert asked_again(request) != request.id


def asked_again(request: ApprovalRequest) -> str:
    from migrations_app.control.approvals.commands.request_approval import request_approval

    return request_approval(OLGA, request.upgrade_id)


def test_an_approval_that_a_switch_is_using_does_not_end_under_it() -> None:
    request = asked()
    say(ANN, request)
    say(BOB, request)
    request_switch(OLGA, request.upgrade_id)
    overdue(request)
    define("f2")
    look(request)
    assert (read(request.id).closed_as, read(request.id).round) == ("", 1)

    Upgrade.objects.filter(pk=request.upgrade_id).update(request="", request_by="")
    define("f1")
    look(request)
    assert read(request.id).closed_reason == "It was approved, but not used in time."


@pytest.mark.django_db(transaction=True)
def test_a_look_that_waited_for_a_switch_leaves_its_approval_alone() -> None:
    request = asked()
    say(ANN, request)
    say(BOB, request)

    def looked() -> Outcome:
        try:
            return look(request)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            locked(request.upgrade_id)
            looking = pool.submit(looked)
            until(a_process_waits)
            define("f2")
            UPGRADES.transition(
                UPGRADES.load(request.upgrade_id), UpgradeEvent.FREEZE, TimelineEntry("freeze", "")
            )
        assert looking.result(timeout=60) == Again(LOOK_SECONDS)
    assert (read(request.id).round, ApprovalVote.objects.exclude(void_reason="").count()) == (1, 0)


def a_process_waits() -> bool:
    """Tell whether another connection waits for a lock of this one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


def until(holds: Callable[[], bool]) -> None:
    """Wait up to a minute for something to hold."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_votes_are_void_once_a_finding_is_accepted_no_longer() -> None:
    request = asked()
    upgrade = request.upgrade
    waiver = Waiver.objects.create(
        id="v1", service=SERVICE, before=upgrade.from_version, after=upgrade.to_version, rule="loss-hidden",
        path="Secret.x", where="down", change="x", reason="No client reads it.", asked_by="olga",
        until=timezone.now() + timedelta(days=1), asked_at=timezone.now(),
    )  # fmt: skip
    say(ANN, request)
    Waiver.objects.update(approved_by="bob", approved_at=timezone.now())
    look(request)
    assert read(request.id).round == 1  # what is accepted since only helps

    Waiver.objects.update(until=timezone.now())
    look(request)
    fresh = read(request.id)
    why = "The evidence changed. 1 finding of the compatibility report is accepted no longer."
    assert (fresh.round, ApprovalVote.objects.get().void_reason) == (2, why)
    say(ANN, fresh)
    waiver.refresh_from_db()
    Waiver.objects.update(ended_at=timezone.now(), ended_by="its time")
    look(request)
    assert read(request.id).round == 2


def test_the_deadline_that_counts_is_the_one_that_is_shown() -> None:
    from migrations_app.control.approvals.commands.apply_policy import apply_policy
    from migrations_app.domain.approvals.policy import Policy, Purpose

    request = asked()
    apply_policy(ROOT, Policy("short", Purpose.SWITCH, needed=2, expires_seconds=600))
    fresh = read(request.id)
    assert fresh.deadline - fresh.created_at == timedelta(seconds=600)


def broken(ticket: str = "INC-1") -> Emergency:
    return Emergency.objects.get(pk=break_glass(present(ROOT), at_the_gate(), REASON, ticket))


def test_channels_hear_where_the_glass_was_broken_by_whom_and_why() -> None:
    since = outbox.number().seq
    kept = broken()
    (told,) = messages(since, "emergency.opened")
    assert told["title"] == "Approval was overridden (break-glass): secrets @ eu-1"
    assert told["text"] == f"root goes on without the votes to switch (INC-1): {REASON}. A review is owed."
    assert told["link"] == f"/upgrades/{kept.upgrade_id}"
    (event,) = [each for each in outbox.read(since, outbox.number().seq, 500) if each.kind == "emergency"]
    assert is_within(place_of(event), SERVICE, "eu-*")
    assert not is_within(place_of(event), SERVICE, "us-*")


def test_a_broken_glass_lasts_as_long_as_votes_would() -> None:
    kept = broken()
    Emergency.objects.update(at=timezone.now() - timedelta(hours=25))
    with pytest.raises(Conflict) as caught:
        request_switch(ROOT, kept.upgrade_id)
    assert caught.value.code == "guard-approval"


def test_a_review_is_asked_of_those_who_may_give_it_until_one_does() -> None:
    kept = broken()

    def owed(actor: Actor) -> list[str]:
        return [str(each["sentence"]) for each in reviews_owed(actor)]

    assert owed(ANN) == [
        "root overrode approval (break-glass) at secrets @ eu-1 (INC-1): another person has to review it."
    ]
    assert owed(ROOT) == [
        "You overrode approval (break-glass) at secrets @ eu-1 (INC-1): until another person reviews it, you cannot again."
    ]
    assert (owed(VERA), owed(actor_with("olga", "operator"))) == ([], [])
    review_emergency(ANN, kept.id, "It was right.")
    assert owed(ANN) == []

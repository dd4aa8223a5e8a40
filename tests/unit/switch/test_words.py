"""The sentence of state, the plan, the stepper and the offered actions."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from migrations_app.domain.approvals.policy import ApprovalStage, Policy, Purpose
from migrations_app.domain.switch.guards import CheckVerdict, ReadinessCheck
from migrations_app.domain.switch.offers import ActionPermission, Offer, offers
from migrations_app.domain.switch.plan import UpgradeKind, UpgradePlan, checked, evidence_digest, would
from migrations_app.domain.switch.state_messages import Situation, state_message
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.stepper import StepperStep, StepState, UpgradeTransition, steps
from migrations_app.domain.switch.words import deployment_title, span
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import WordedMessage, message

AT = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
BASE = Situation("secrets.example.com", "eu-1", "v1alpha2", "v1", State.SYNCING, ready=12)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"eta": (240.0, 540.0), "approvals_needed": 2},
            (
                "secrets @ eu-1 is copying data for v1: 12 of 16 shards ready, about 4–9 min of copying left."
                " Switch will need 2 approvals."
            ),
        ),
        (
            {"eta_reason": message("Nothing is copied now."), "automatic": True},
            (
                "secrets @ eu-1 is copying data for v1: 12 of 16 shards ready."
                " Nothing is copied now. Switch will follow by itself."
            ),
        ),
        ({"paused": True}, "secrets @ eu-1 is paused copying data for v1: 12 of 16 shards ready."),
        (
            {"state": State.READY, "approval_state": "OPEN", "approvals_needed": 2, "approvals_given": 1},
            "secrets @ eu-1 has all 16 shards caught up for v1 and waits for votes: 1 of 2 approvals given.",
        ),
        (
            {"state": State.READY, "approval_state": "CHANGES", "approvals_needed": 2},
            "secrets @ eu-1 has all 16 shards caught up for v1; an approver requested changes.",
        ),
        (
            {"state": State.READY, "approval_state": "REJECTED", "approvals_needed": 2},
            "secrets @ eu-1 has all 16 shards caught up for v1; its switch was rejected.",
        ),
        (
            {"state": State.READY, "approval_state": "EMERGENCY", "approvals_needed": 2},
            (
                "secrets @ eu-1 has all 16 shards caught up for v1 and may switch now"
                " without votes: approval was overridden (break-glass)."
            ),
        ),
        (
            {"state": State.READY, "approvals_needed": 2, "quarantined": 1},
            (
                "secrets @ eu-1 has all 16 shards caught up for v1 but 1 resource could not be carried over:"
                " fix it, or exclude it."
            ),
        ),
        (
            {"state": State.READY, "quarantined": 2},
            (
                "secrets @ eu-1 has all 16 shards caught up for v1 but 2 resources could not be carried over:"
                " fix them, or exclude them."
            ),
        ),
        (
            {"state": State.READY, "blocked_by": message("The freeze xmas forbids it.")},
            "secrets @ eu-1 has all 16 shards caught up for v1 but cannot switch now: The freeze xmas forbids it.",
        ),
        ({"state": State.READY}, "secrets @ eu-1 has all 16 shards caught up for v1 and may switch now."),
        (
            {"state": State.REVERSIBLE, "freeze_ms": 87.4, "reversible_until": AT + timedelta(days=7)},
            (
                "secrets @ eu-1 now serves v1; writes were paused for 87 ms. Rollback to v1alpha2 is possible"
                " until 2026-11-09 12:00 UTC."
            ),
        ),
        (
            {"state": State.REVERTED},
            "secrets @ eu-1 rolled back to v1alpha2. What was written under v1 was kept.",
        ),
        (
            {"state": State.REVERTED, "freeze_ms": 87.4, "rollback_freeze_ms": 120.6},
            (
                "secrets @ eu-1 rolled back to v1alpha2; writes were paused for 121 ms. What was written under v1"
                " was kept."
            ),
        ),
        (
            {"state": State.HALTED, "halt_reason": "the fence does not answer."},
            "secrets @ eu-1 is halted: the fence does not answer. A person must check it before it continues.",
        ),
    ],
)
def test_the_sentence_says_where_it_is_and_what_it_waits_for(change: dict[str, object], words: str) -> None:
    assert str(state_message(replace(BASE, **change))) == words  # type: ignore[arg-type]


def test_a_disabled_old_database_is_told_with_its_price() -> None:
    blind = replace(BASE, state=State.REVERSIBLE, downgrade_sync=False)
    assert str(state_message(blind)) == (
        "secrets @ eu-1 now serves v1. Rollback to v1alpha2 is possible, to its data as of the switch."
    )
    assert str(state_message(replace(blind, state=State.REVERTED))) == (
        "secrets @ eu-1 rolled back to v1alpha2 as it was at the switch. What was written under v1 is not there."
    )


def test_every_state_has_its_sentence() -> None:
    for state in State:
        assert str(state_message(replace(BASE, state=state))).startswith("secrets @ eu-1 ")


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.1, 0.4, "1 s"),
        (12, 40, "12–40 s"),
        (61, 119, "1–2 min"),
        (3600, 9000, "1–2 h"),
        (300, 305, "5 min"),
    ],
)
def test_a_span_reads_as_people_say_it(low: float, high: float, words: str) -> None:
    assert span(low, high) == words


PLAN = UpgradePlan("secrets.example.com", "eu-1", "v1alpha2", "v1", UpgradeKind.VERSION, 16, "c0ffee")


def test_equal_plans_have_equal_digests_and_any_change_another() -> None:
    assert PLAN.digest == replace(PLAN).digest
    others = [
        replace(PLAN, ring=32),
        replace(PLAN, conversion_digest="beef"),
        replace(PLAN, automatic=True),
        replace(PLAN, region="us-1"),
    ]
    assert len({PLAN.digest, *(each.digest for each in others)}) == 5
    assert evidence_digest(PLAN.digest, {"a": 1}) != evidence_digest(PLAN.digest, {"a": 2})


def test_a_plan_must_move_something() -> None:
    with pytest.raises(Invalid, match="already at v1"):
        checked(replace(PLAN, from_version="v1"))
    assert checked(replace(PLAN, kind=UpgradeKind.LOCATION, from_version="v1", target_location="db2"))
    with pytest.raises(Invalid, match="0 shards are not possible"):
        checked(replace(PLAN, ring=0))
    alone = replace(PLAN, kind=UpgradeKind.SHARDS, to_version="v1alpha2", target_shard_count=4)
    assert checked(alone) == alone
    copying = "Copy every resource while writes go on: the shard count changes from 16 to 4."
    assert str(would(alone, 0)[1]) == copying
    with pytest.raises(Invalid, match="have 16 shards already"):
        checked(replace(alone, target_shard_count=0))
    with pytest.raises(Invalid, match="5000 shards are not possible"):
        checked(replace(alone, target_shard_count=5000))


def test_what_a_plan_would_do_is_told_in_sentences() -> None:
    told = [str(words) for words in would(PLAN, 2)]
    assert told[0] == "Prepare a namespace for v1 of secrets @ eu-1."
    assert told[1] == "Copy and convert every resource in 16 shards, while writes go on."
    assert told[3] == "2 approvals are needed."
    assert told[6].endswith("is kept read-only, then removed. That is after 7 days at the latest.")
    stages = Policy("p", Purpose.SWITCH, needed=2, then=(ApprovalStage("security", 1),)).must_approve
    assert str(would(PLAN, 3, stages)[3]) == (
        "3 approvals are needed. 2 people with the role or group approver must approve."
        " Then: 1 person with the role or group security must approve."
    )
    assert str(would(PLAN, 1)[3]) == "1 approval is needed."
    assert "stays as it was at the switch" in str(would(replace(PLAN, downgrade_sync=False), 0)[5])
    assert str(would(replace(PLAN, rollback_hours=36), 0)[6]).endswith(
        "That is after 36 hours at the latest."
    )


def test_the_stepper_adds_up_visits_and_draws_branches() -> None:
    def mark(state: State, second: int) -> UpgradeTransition:
        return UpgradeTransition(state, AT + timedelta(seconds=second), "olga")

    moves = [
        mark(State.PLANNED, 0),
        mark(State.SYNCING, 10),
        mark(State.READY, 30),
        mark(State.SYNCING, 40),
        mark(State.READY, 45),
    ]
    shown = steps(AT + timedelta(seconds=50), moves)
    assert shown[2] == StepperStep("Initial sync", StepState.DONE, AT + timedelta(seconds=10), 25.0, "olga")
    assert [step.state.value for step in shown] == [
        *("done", "done", "done"),
        *("current", "todo", "todo", "todo"),
    ]
    aborted = steps(AT + timedelta(seconds=50), [*moves, mark(State.ABORTED, 50)])
    assert [(s.step, s.state.value) for s in aborted[3:]] == [
        ("Readiness", "done"),
        ("Switching", "skipped"),
        ("Rollback window", "skipped"),
        ("Done", "skipped"),
        ("Aborted", "failed"),
    ]


def test_the_preflight_is_what_the_start_goes_by() -> None:
    holds, stops = (
        ReadinessCheck("enabled", CheckVerdict.PASS, "It is enabled."),
        ReadinessCheck("ring", CheckVerdict.FAIL, "17 shards."),
    )
    planned = UpgradeTransition(State.PLANNED, AT, "olga")
    started = UpgradeTransition(State.SYNCING, AT + timedelta(seconds=10), "otto")
    given_up = UpgradeTransition(State.ABORTED, AT + timedelta(seconds=10), "otto")

    def preflight(*moves: UpgradeTransition, checks: tuple[ReadinessCheck, ...]) -> StepperStep:
        shown = steps(AT + timedelta(seconds=50), moves, checks)
        assert [each.step for each in shown[:3]] == ["Planned", "Preflight", "Initial sync"]
        return shown[1]

    assert preflight(planned, checks=(holds, holds)) == StepperStep(
        "Preflight", StepState.TODO, text="2 of 2 checks hold now"
    )
    assert preflight(planned, checks=(holds, stops)) == StepperStep(
        "Preflight", StepState.FAILED, text="1 of 2 checks would stop the start now"
    )
    assert preflight(planned, started, checks=(holds, holds)) == StepperStep(
        "Preflight", StepState.DONE, started.at, None, "otto", "2 of 2 checks held"
    )
    shown = preflight(planned, started, checks=(holds, holds))
    assert str(WordedMessage(shown.phrases)) == shown.text
    assert preflight(planned, started, checks=()).text == ""
    assert preflight(planned, given_up, checks=()) == StepperStep("Preflight", StepState.SKIPPED)


def test_offers_say_first_the_right_then_the_state_then_the_guard() -> None:
    def leave(permission: str) -> ActionPermission:
        allowed = permission != "upgrade.switch"
        if allowed:
            return ActionPermission(allowed)
        return ActionPermission(allowed, message("It takes upgrade.switch."), ("role operator",))

    def guards(step: str) -> tuple[ReadinessCheck, ...]:
        return (
            ReadinessCheck("lag", CheckVerdict.FAIL, "The slowest shard is 99.0 s behind."),
            ReadinessCheck("quarantined", CheckVerdict.FAIL, "1 resource could not be carried over."),
            ReadinessCheck("plan", CheckVerdict.FAIL, "The plan changed.", who_can=("role operator",)),
        )

    offered = {offer.action: offer for offer in offers(State.READY, False, leave, guards)}
    assert offered["switch"] == Offer(
        "switch", False, message("It takes upgrade.switch."), ("role operator",)
    )
    assert offered["pause"] == Offer("pause", True)
    assert offered["resume"].reason == "It is not paused."
    assert (
        offered["start"].reason
        == "The upgrade is ready to switch. Starting is possible only while it is planned."
    )
    started = {o.action: o for o in offers(State.READY, False, lambda _: ActionPermission(True), guards)}
    reason = "1 resource could not be carried over. The plan changed."
    assert (started["switch"].reason, started["switch"].who_can) == (reason, ("role operator",))


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("services/secrets.example.com/deployments/us-east2", "secrets @ us-east2"),
        ("secrets.example.com", "secrets.example.com"),
        ("services/secrets.example.com", "services/secrets.example.com"),
    ],
)
def test_a_deployment_is_named_as_the_console_does(name: str, title: str) -> None:
    assert deployment_title(name) == title

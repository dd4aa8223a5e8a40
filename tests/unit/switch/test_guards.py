"""Guards: every sentence, unknown is never safe, and the refusal says the very sentence."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import pytest

from console.generated_pages.server_texts import server_texts
from migrations_app.domain.switch.guards import (
    GUARDED,
    PASSING,
    CheckVerdict,
    Facts,
    ReadinessCheck,
    blockers,
    demand,
    judge,
    with_recorded,
)
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.messages import WordedMessage, message

NOW = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
GOOD = Facts(
    now=NOW,
    from_version="v1alpha2",
    to_version="v1",
    current_version="v1alpha2",
    reachable=True,
    missing_regions=(),
    data_ring=16,
    shards_ready=16,
    lag_seconds=0.2,
    parity_clean_at=NOW - timedelta(seconds=30),
    parity_differences=0,
    quarantined=0,
    reverse_proved=True,
    not_representable=0,
    oldest_transaction_seconds=0.0,
    predicted_freeze_ms=120.0,
    window_open=True,
    plan_valid=True,
    approval_state="APPROVED",
)
BAD: list[tuple[str, dict[str, object], str]] = [
    (
        "removals",
        {"removals": ("the type A", "the method B"), "removals_open": ("the method B",)},
        "v1 does not have the method B of v1alpha2, which is not accepted.",
    ),
    ("current-version", {"current_version": "v1"}, "The deployment serves v1, not v1alpha2."),
    ("enabled", {"disabled": True}, "The deployment is disabled."),
    ("regions", {"missing_regions": ("us-2", "ap-1")}, "us-2, ap-1 do not support v1 yet."),
    (
        "plan",
        {"plan_valid": False},
        "The plan changed: versions, conversion or shards are not what they were.",
    ),
    ("shards-caught-up", {"shards_ready": 12}, "12 of 16 shards are caught up."),
    ("lag", {"lag_seconds": 17.25}, "The slowest shard is 17.2 s behind; at most 10 s are allowed."),
    ("parity", {"parity_differences": 3}, "The last verification found 3 differing resources."),
    (
        "parity",
        {"parity_clean_at": NOW - timedelta(hours=1)},
        "The last full comparison was clean, 1 h ago.",
    ),
    (
        "parity",
        {"parity_clean_at": NOW - timedelta(hours=2, minutes=59)},
        "The last full comparison was clean, 2 h ago.",
    ),
    ("quarantined", {"quarantined": 2}, "2 resources could not be carried over."),
    (
        "read-copies",
        {"copies_coming": ("us-2", "ap-1")},
        "The read copies of us-2, ap-1 are not caught up in v1 yet.",
    ),
    (
        "old-transactions",
        {"oldest_transaction_seconds": 61.0, "oldest_transaction_holder": "4711 (reports)"},
        "The transaction of process 4711 (reports) has been open for 61 s and delays replication.",
    ),
    ("reverse-replication", {"reverse_proved": False}, "The rollback was not verified."),
    (
        "reverse-replication",
        {"reverse_proved": False, "reverse_error": "List lists/a: broken", "price_looked": 7},
        "The rollback was not verified: List lists/a: broken.",
    ),
    (
        "freeze",
        {"predicted_freeze_ms": 3000.0},
        "Writes would pause for about 3000 ms, over half the bound of 5000 ms.",
    ),
    (
        "window",
        {"window_open": False, "window_reason": message("The freeze xmas forbids it.")},
        "The freeze xmas forbids it.",
    ),
    (
        "approval",
        {"approval_state": "OPEN", "approval_sentence": message("1 of 2 approvals were given.")},
        "1 of 2 approvals were given.",
    ),
]


@pytest.mark.parametrize(
    ("facts", "verdict", "sentence"),
    [
        ({}, CheckVerdict.SKIPPED, "Shadow reads: none sampled."),
        (
            {"shadow_reads": 40},
            CheckVerdict.PASS,
            "40 live reads of v1alpha2 would be answered the same after the switch.",
        ),
        (
            {
                "shadow_reads": 40,
                "shadow_differing": 2,
                "shadow_places": ("title: 2",),
            },
            CheckVerdict.WARN,
            "2 of 40 live reads of v1alpha2 would be answered otherwise after the switch: title: 2.",
        ),
    ],
)
def test_reads_that_would_be_answered_otherwise_are_shown_before_anybody_approves(
    facts: dict[str, object], verdict: CheckVerdict, sentence: str
) -> None:
    checks = {check.check: check for check in judge("switch", replace(GOOD, **facts))}  # type: ignore[arg-type]
    found = checks["shadow-reads"]
    assert (found.verdict, found.sentence) == (verdict, sentence)
    assert bool(found.remedy) is (verdict is CheckVerdict.WARN)


@pytest.mark.parametrize(
    ("step", "facts", "sentence"),
    [
        ("switch", {"copies_lost": ("us-2",)}, "The read copies of us-2, which does not serve, stay behind."),
        ("rollback", {"copies_coming": ("us-2",)}, "The read copies of us-2 are not caught up in v1 yet."),
    ],
)
def test_copies_that_cannot_come_or_an_older_rollback_are_said_and_hinder_nothing(
    step: str, facts: dict[str, object], sentence: str
) -> None:
    checks = {check.check: check for check in judge(step, replace(GOOD, **facts))}  # type: ignore[arg-type]
    assert (checks["read-copies"].verdict, checks["read-copies"].sentence) == (CheckVerdict.WARN, sentence)


@pytest.mark.parametrize(
    ("facts", "verdict", "sentence"),
    [
        ({}, CheckVerdict.PASS, "v1 has all that v1alpha2 has."),
        (
            {"removals": ("the type A",)},
            CheckVerdict.PASS,
            "Accepted: v1 does not have the type A of v1alpha2.",
        ),
        (
            {"removals": tuple(f"the type {each}" for each in "ABCDEFG")},
            CheckVerdict.PASS,
            "Accepted: v1 does not have the type A, the type B, the type C, the type D, the type E and 2 more of v1alpha2.",
        ),
        (
            {"removals": None},
            CheckVerdict.UNKNOWN,
            "Unknown: what v1 does not have of v1alpha2, because the definition cannot be read.",
        ),
    ],
)
def test_what_goes_is_named_when_it_was_accepted(
    facts: dict[str, object], verdict: CheckVerdict, sentence: str
) -> None:
    checks = {check.check: check for check in judge("switch", replace(GOOD, **facts))}  # type: ignore[arg-type]
    assert (checks["removals"].verdict, checks["removals"].sentence) == (verdict, sentence)


def test_good_facts_let_every_step_pass() -> None:
    for step in GUARDED:
        assert blockers(judge(step, GOOD)) == ()
        demand(step, judge(step, GOOD))


@pytest.mark.parametrize(("name", "change", "sentence"), BAD, ids=[f"{b[0]}-{i}" for i, b in enumerate(BAD)])
def test_each_bad_fact_stops_the_switch_with_its_sentence(
    name: str, change: dict[str, object], sentence: str
) -> None:
    checks = judge("switch", replace(GOOD, **change))  # type: ignore[arg-type]
    assert [(check.check, check.sentence) for check in blockers(checks)] == [(name, sentence)]
    if name in PASSING:
        demand("switch", checks)
        return
    with pytest.raises(Conflict) as caught:
        demand("switch", checks)
    assert (caught.value.code, caught.value.message) == (f"guard-{name}", sentence)
    assert caught.value.remedy


def test_an_unknown_fact_stops_the_switch() -> None:
    unknowable = [each.name for each in fields(Facts) if each.default is None and each.name not in _NOT_ASKED]
    for name in unknowable:
        checks = judge("switch", replace(GOOD, **{name: None}))  # type: ignore[arg-type]
        expected = CheckVerdict.PENDING if name.startswith("parity") else CheckVerdict.UNKNOWN
        assert [check.verdict for check in blockers(checks)] == [expected], name


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        ("current_version", "Not checked yet: The deployment serves v1alpha2."),
        ("missing_regions", "Not checked yet: Every region supports v1."),
        ("shards_ready", "Not checked yet: All 16 shards are caught up."),
        ("lag_seconds", "Not checked yet: The slowest shard is at most 10 s behind."),
        ("quarantined", "Not checked yet: No resource is quarantined."),
        ("predicted_freeze_ms", "Not checked yet: Writes would pause for less than 2500 ms."),
    ],
)
def test_an_unknown_fact_is_said_without_a_figure_that_was_not_read(fact: str, sentence: str) -> None:
    checks = judge("switch", replace(GOOD, **{fact: None}))  # type: ignore[arg-type]
    assert [check.sentence for check in blockers(checks)] == [sentence]


_NOT_ASKED = {"other_upgrade", "reachable", "data_ring", "not_representable", "price_looked"}


def test_a_disabled_old_database_is_a_warning_in_words() -> None:
    (check,) = [
        c for c in judge("switch", replace(GOOD, downgrade_sync=False)) if c.check == "reverse-replication"
    ]
    assert check.verdict is CheckVerdict.WARN
    assert check.sentence == (
        "The old database is disabled: rolling back would bring v1alpha2's data as of the switch."
    )


def test_values_the_old_version_cannot_show_are_a_price_not_a_stop() -> None:
    (check,) = [
        c for c in judge("switch", replace(GOOD, not_representable=9)) if c.check == "reverse-replication"
    ]
    assert (check.verdict, check.sentence) == (
        CheckVerdict.WARN,
        "The rollback works; 9 resources with values that v1alpha2 cannot show.",
    )


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (0, "nothing"),
        (1, "values of at least 1 resource"),
        (9, "values of at least 9 resources"),
    ],
)
def test_while_the_downgrade_loss_is_counted_the_count_so_far_is_shown_and_no_switch_begins(
    found: int, words: str
) -> None:
    facts = replace(GOOD, reverse_proved=False, not_representable=found, price_looked=5000)
    (check,) = [c for c in judge("switch", facts) if c.check == "reverse-replication"]
    assert (check.verdict, check.sentence) == (
        CheckVerdict.PENDING,
        f"Checking what a rollback would lose: {words} of the first 5000.",
    )


def test_before_a_resource_was_looked_at_for_the_downgrade_loss_none_is_counted() -> None:
    facts = replace(GOOD, reverse_proved=False, not_representable=0, price_looked=0)
    (check,) = [c for c in judge("switch", facts) if c.check == "reverse-replication"]
    assert check.sentence == "Checking what a rollback would lose: no resource was looked at yet."


@pytest.mark.parametrize(
    ("facts", "verdict", "words"),
    [
        ({}, CheckVerdict.PASS, "."),
        ({"not_representable": 9}, CheckVerdict.WARN, "; 9 resources with values that v1 cannot show."),
        (
            {"not_representable": 9, "price_looked": 100},
            CheckVerdict.WARN,
            "; at least 9 resources with values that v1 cannot show.",
        ),
    ],
)
def test_after_the_switch_the_price_is_told_and_never_stops_the_way_back(
    facts: dict[str, object], verdict: CheckVerdict, words: str
) -> None:
    checks = judge("rollback", replace(GOOD, **facts))  # type: ignore[arg-type]
    (check,) = [c for c in checks if c.check == "downgrade-loss"]
    assert (check.verdict, check.sentence) == (
        verdict,
        f"What was written since the switch is kept in v1 too{words}",
    )
    assert blockers(checks) == ()


def test_the_refusal_names_every_blocker() -> None:
    checks = judge("switch", replace(GOOD, shards_ready=1, quarantined=4))
    with pytest.raises(Conflict) as caught:
        demand("switch", checks)
    assert caught.value.nouns["blocked_by"] == [
        "shards-caught-up: 1 of 16 shards are caught up.",
        "quarantined: 4 resources could not be carried over.",
    ]


def test_a_plan_is_refused_while_another_upgrade_runs() -> None:
    checks = judge("plan", replace(GOOD, other_upgrade="u7"))
    assert blockers(checks) == (
        ReadinessCheck(
            "one-upgrade",
            CheckVerdict.FAIL,
            "Upgrade u7 holds this deployment.",
            "Finish or abort upgrade u7 first.",
            NOW,
        ),
    )


def test_the_price_of_going_back_is_told_before_it_is_paid() -> None:
    back = replace(GOOD, from_version="v1", to_version="v1alpha2")
    assert judge("rollback", back)[0].sentence == "What was written since the switch is kept in v1alpha2 too."
    (warned,) = [
        each
        for each in judge("rollback", replace(back, downgrade_sync=False))
        if each.check == "downgrade-loss"
    ]
    assert (warned.verdict, warned.sentence) == (
        CheckVerdict.WARN,
        "Rolling back brings v1alpha2's data as of the switch: what was written since is lost.",
    )


@pytest.mark.parametrize(
    ("facts", "verdict", "sentence"),
    [
        ({"shards_ready": 12}, CheckVerdict.PENDING, "12 of 16 shards are caught up."),
        (
            {"shards_ready": 12, "shards_unknown": 3},
            CheckVerdict.UNKNOWN,
            "12 of 16 shards are caught up; 3 shards do not report.",
        ),
        (
            {"shards_ready": 12, "shards_unknown": 3, "shards_failed": 1},
            CheckVerdict.FAIL,
            "12 of 16 shards are caught up; 1 shard failed.",
        ),
    ],
)
def test_shards_that_work_on_are_waited_for_and_only_failed_ones_are_a_fault(
    facts: dict[str, object], verdict: CheckVerdict, sentence: str
) -> None:
    (check,) = [c for c in judge("switch", replace(GOOD, **facts)) if c.check == "shards-caught-up"]  # type: ignore[arg-type]

    assert (check.verdict, check.sentence) == (verdict, sentence)
    assert not check.holds


@pytest.mark.parametrize(
    ("state", "verdict"),
    [
        ("none", CheckVerdict.PENDING),
        ("OPEN", CheckVerdict.PENDING),
        ("REJECTED", CheckVerdict.FAIL),
        ("EXPIRED", CheckVerdict.FAIL),
        ("VOID", CheckVerdict.FAIL),
        ("APPROVED", CheckVerdict.PASS),
    ],
)
def test_votes_that_are_still_to_come_are_no_fault(state: str, verdict: CheckVerdict) -> None:
    facts = replace(GOOD, approval_state=state, approval_sentence=message("0 of 2 approvals."))
    (check,) = [c for c in judge("switch", facts) if c.check == "approval"]

    assert check.verdict is verdict


def test_what_is_not_known_names_no_remedy_of_a_fault() -> None:
    for name in ("current_version", "quarantined", "predicted_freeze_ms", "reverse_proved"):
        (check,) = blockers(judge("switch", replace(GOOD, **{name: None})))  # type: ignore[arg-type]
        assert (check.verdict, check.remedy) == (CheckVerdict.UNKNOWN, "It is looked at again by itself.")


def test_the_lag_of_the_reports_is_the_one_that_is_shown() -> None:
    judged = judge("switch", replace(GOOD, lag_seconds=9.5))
    recorded = [ReadinessCheck("lag", CheckVerdict.PASS, "The slowest shard is 0.1 s behind.")]

    shown = {check.check: check.sentence for check in with_recorded(judged, recorded)}
    assert shown["lag"] == "The slowest shard is 9.5 s behind."
    unmeasured = judge("switch", replace(GOOD, lag_seconds=None))
    assert with_recorded(unmeasured, recorded)[5] == recorded[0]


def test_every_sentence_and_remedy_has_the_phrases_that_other_languages_word() -> None:
    known = [GOOD, *(replace(GOOD, **change) for _, change, _ in BAD)]  # type: ignore[arg-type]
    unknown = [
        replace(GOOD, **{each.name: None})  # type: ignore[arg-type]
        for each in fields(Facts)
        if each.default is None
    ]
    checks = [check for step in GUARDED for facts in (*known, *unknown) for check in judge(step, facts)]
    assert [str(WordedMessage(check.phrases)) for check in checks] == [check.sentence for check in checks]
    assert [str(WordedMessage(check.remedy_phrases)) for check in checks] == [
        check.remedy for check in checks
    ]
    keys = {phrase.key for check in checks for phrase in (*check.phrases, *check.remedy_phrases)}
    of_the_test = {"The freeze xmas forbids it.", "1 of 2 approvals were given."}
    assert keys - {*server_texts()} == of_the_test

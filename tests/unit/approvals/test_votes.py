"""Approvals: four eyes, one vote each, bound to the evidence, expiring, used once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.approvals.breakglass import BreakGlassReason, admit
from migrations_app.domain.approvals.policy import ApprovalStage, Policy, Purpose, Scope, checked, effective
from migrations_app.domain.approvals.votes import (
    Ballot,
    Delegation,
    RequestState,
    Vote,
    Voter,
    VoteVerdict,
    VotingRequest,
    cast,
    may_answer,
    may_delegate,
    may_run,
    refusal,
    state_of,
    time_ran_out,
)
from migrations_app.kernel.errors import Conflict, Denied, Invalid, Stale, SwitchyardError
from migrations_app.kernel.json import digest
from migrations_app.kernel.messages import NOTHING, message

AT = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
TWO = Policy("two", Purpose.SWITCH, needed=2)
ASKED = VotingRequest("r1", "olga", "d1", 1, TWO, AT)
APPROVERS = frozenset({"approver"})


def voted(
    request: VotingRequest, who: str, verdict: VoteVerdict = VoteVerdict.APPROVE, seen: str = ""
) -> VotingRequest:
    ballot = Ballot(verdict, seen or request.digest, "because")
    vote = cast(request, Voter(who, APPROVERS), ballot, AT + timedelta(seconds=len(request.votes)))
    return replace(request, votes=(*request.votes, vote))


def test_two_different_approvers_approve() -> None:
    one = voted(ASKED, "ann")
    assert state_of(one, AT) is RequestState.OPEN
    two = voted(one, "bob")
    assert state_of(two, AT) is RequestState.APPROVED
    assert str(may_run(two, "olga", AT)) == ""


def test_the_requester_cannot_vote_whatever_their_groups() -> None:
    with pytest.raises(Denied) as caught:
        voted(ASKED, "olga")
    assert caught.value.message == "The account that asks for approval cannot vote on it."
    assert caught.value.who_can == ("people with the role or group approver, except olga",)


def test_the_planner_cannot_vote_when_another_person_asks() -> None:
    asked = replace(ASKED, planned_by="Paul")
    with pytest.raises(Denied) as caught:
        voted(asked, "paul")
    assert caught.value.message == "The account that planned the upgrade cannot vote on it."
    assert caught.value.who_can == ("people with the role or group approver, except olga and Paul",)


def test_an_outsider_is_told_who_can() -> None:
    with pytest.raises(Denied) as caught:
        cast(ASKED, Voter("mallory", frozenset({"viewer"})), Ballot(VoteVerdict.APPROVE, "d1"), AT)
    assert caught.value.message == "Only people with the role or group approver may vote on this."


def test_no_account_votes_twice() -> None:
    with pytest.raises(Conflict) as caught:
        voted(voted(ASKED, "ann"), "ann")
    assert caught.value.code == "voted-already"


def test_a_vote_on_other_evidence_is_stale() -> None:
    with pytest.raises(Stale) as caught:
        voted(ASKED, "ann", seen="d0")
    assert caught.value.code == "evidence-changed"


def test_votes_of_an_earlier_round_do_not_count() -> None:
    fresh = replace(voted(ASKED, "ann"), round=2, digest="d2")
    assert (fresh.votes_given, refusal(fresh, Voter("ann", APPROVERS), AT)) == (0, NOTHING)
    assert state_of(voted(voted(fresh, "ann"), "bob"), AT) is RequestState.APPROVED


def test_a_rejection_is_final_and_needs_a_comment() -> None:
    with pytest.raises(Invalid):
        cast(ASKED, Voter("ann", APPROVERS), Ballot(VoteVerdict.REJECT, "d1", "  "), AT)
    gone = voted(ASKED, "ann", VoteVerdict.REJECT)
    assert state_of(gone, AT) is RequestState.REJECTED
    with pytest.raises(Conflict):
        voted(gone, "bob")


def test_it_expires_even_when_approved() -> None:
    done = voted(voted(ASKED, "ann"), "bob")
    late = AT + timedelta(days=1)
    assert state_of(done, late) is RequestState.EXPIRED
    assert str(may_run(done, "olga", late)) == "The request has expired."


def test_it_is_used_once() -> None:
    used = replace(voted(voted(ASKED, "ann"), "bob"), used=True)
    assert str(may_run(used, "olga", AT)) == "The request was used."


def test_the_last_approver_may_be_kept_from_running() -> None:
    strict = replace(ASKED, policy=replace(TWO, last_approver_may_run=False))
    done = voted(voted(strict, "ann"), "bob")
    assert str(may_run(done, "bob", AT)) == "The last approver may not be the one to run it."
    assert str(may_run(done, "ann", AT)) == ""


PEOPLE = ("olga", "ann", "bob", "eve")


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(PEOPLE),
            st.sampled_from(VoteVerdict),
            st.sampled_from(("d1", "d2")),
            st.booleans(),
        ),
        max_size=12,
    ),
    st.integers(0, 3),
)
def test_whatever_happens_approved_means_enough_different_others_said_yes_to_this_evidence(
    script: list[tuple[str, VoteVerdict, str, bool]], needed: int
) -> None:
    request = replace(ASKED, policy=replace(TWO, needed=needed))
    for who, verdict, seen, change in script:
        if change:
            request = replace(
                request, round=request.round + 1, digest="d2" if request.digest == "d1" else "d1"
            )
        try:
            request = voted(request, who, verdict, seen)
        except SwitchyardError:
            continue
    if state_of(request, AT) is RequestState.APPROVED:
        yes = {v.who for v in request.votes if v.round == request.round and v.digest == request.digest}
        assert len(yes - {"olga"}) >= needed
    assert all(vote.who != "olga" for vote in request.votes)


def test_a_void_vote_does_not_count() -> None:
    vote = Vote("ann", VoteVerdict.APPROVE, AT, 1, "d1", void_reason=message("The plan changed."))
    assert replace(ASKED, votes=(vote,)).votes_given == 0


def policy(name: str, needed: int, **scope: str) -> Policy:
    return Policy(name, Purpose.SWITCH, Scope(**scope), needed=needed)


def test_the_most_specific_policy_wins_then_the_strictest() -> None:
    rules = [
        policy("all", 1),
        policy("prod", 2, environment="prod"),
        policy("secrets", 3, service="secrets.*"),
        policy("secrets-lax", 1, service="secrets.*"),
        policy("exact", 1, service="iam.example.com"),
    ]

    def pick(service: str, environment: str) -> str:
        return effective(rules, Purpose.SWITCH, service, "eu-1", environment).name

    assert pick("secrets.example.com", "prod") == "secrets"
    assert pick("iam.example.com", "prod") == "exact"
    assert pick("other.example.com", "prod") == "prod"
    assert pick("other.example.com", "test") == "all"
    assert effective([], Purpose.REVERT, "a", "b", "c").name == "default-revert"


def test_a_policy_that_cannot_be_is_refused_with_every_reason() -> None:
    with pytest.raises(Invalid) as caught:
        checked(Policy("", Purpose.SWITCH, needed=11, critical=True))
    assert [each.path for each in caught.value.violations] == ["name", "needed", "last_approver_may_run"]


def test_breaking_the_glass_has_its_price() -> None:
    good = BreakGlassReason("root", frozenset({"admin"}), "the old version loses money", "INC-7")
    admit(TWO, good)
    with pytest.raises(Denied, match="Only people with the role or group admin"):
        admit(TWO, replace(good, groups=APPROVERS))
    with pytest.raises(Denied, match="was not reviewed"):
        admit(TWO, replace(good, unreviewed=("INC-6",)))
    with pytest.raises(Invalid) as caught:
        admit(TWO, replace(good, reason="quick", ticket=" "))
    assert [each.path for each in caught.value.violations] == ["reason", "ticket"]


def test_one_approval_is_told_in_the_singular() -> None:
    assert str(time_ran_out(0, 1)) == "Its time ran out: 0 of 1 approval was given."
    assert str(time_ran_out(1, 2)) == "Its time ran out: 1 of 2 approvals were given."


def test_asking_for_changes_stops_the_votes_until_it_is_answered() -> None:
    asked = voted(voted(ASKED, "ann"), "bob", VoteVerdict.CHANGES)
    assert (state_of(asked, AT), str(may_run(asked, "olga", AT))) == (
        RequestState.CHANGES,
        "Changes were requested.",
    )
    with pytest.raises(Conflict) as caught:
        voted(asked, "carl")
    assert (caught.value.code, caught.value.message) == (
        "changes-asked",
        "bob asked for changes; the account that asked for the approval answers first.",
    )
    assert may_answer(asked, "olga", AT) == NOTHING
    assert str(may_answer(asked, "ann", AT)) == "olga answers."
    assert str(may_answer(ASKED, "olga", AT)) == "No changes are asked for."
    assert state_of(replace(asked, round=2), AT) is RequestState.OPEN
    assert state_of(asked, asked.deadline) is RequestState.EXPIRED


def test_asking_for_changes_says_which() -> None:
    with pytest.raises(Invalid) as caught:
        cast(ASKED, Voter("ann", APPROVERS), Ballot(VoteVerdict.CHANGES, "d1", " "), AT)
    assert (caught.value.code, caught.value.message) == (
        "comment-needed",
        "Asking for changes needs a comment.",
    )


def test_a_word_is_lent_once_and_not_to_who_asked() -> None:
    ann = Voter("ann", APPROVERS)
    assert may_delegate(ASKED, ann, "dave", AT) == NOTHING
    assert (
        str(may_delegate(ASKED, ann, "Olga", AT))
        == "Olga planned it or asks for it, and can never vote on it."
    )
    assert str(may_delegate(ASKED, Voter("vic", frozenset({"viewer"})), "dave", AT)) == (
        "Only people with the role or group approver may vote on this."
    )
    lent = replace(ASKED, delegations=(Delegation("ann", "dave"),))
    assert str(refusal(lent, ann, AT)) == "You let dave vote in your place; take it back first."
    assert lent.who_can == ("people with the role or group approver, except olga and ann", "dave for ann")
    assert may_delegate(lent, ann, "ann", AT) == NOTHING
    assert str(may_delegate(voted(lent, "dave"), ann, "ann", AT)) == "dave has voted in your place."
    assert str(may_delegate(voted(ASKED, "ann"), ann, "dave", AT)) == "You have voted already."


STAGED = Policy(
    "staged", Purpose.SWITCH, needed=2, then=(ApprovalStage("security", 1), ApprovalStage("release", 1))
)
IN_TURN = replace(ASKED, policy=STAGED)


def staged(request: VotingRequest, who: str, *groups: str) -> VotingRequest:
    vote = cast(request, Voter(who, frozenset(groups)), Ballot(VoteVerdict.APPROVE, request.digest), AT)
    return replace(request, votes=(*request.votes, vote))


def test_groups_vote_in_their_order() -> None:
    with pytest.raises(Denied) as caught:
        staged(IN_TURN, "sam", "security")
    assert (
        caught.value.message
        == "Only people with the role or group approver may vote on this now; your turn comes after theirs."
    )
    assert caught.value.who_can == ("people with the role or group approver, except olga",)
    two = staged(staged(IN_TURN, "ann", "approver"), "bob", "approver")
    assert (two.stage, state_of(two, AT)) == (ApprovalStage("security", 1), RequestState.OPEN)
    assert (
        str(refusal(two, Voter("eve", APPROVERS), AT))
        == "Only people with the role or group security may vote on this."
    )
    three = staged(two, "sam", "security")
    assert (state_of(three, AT), three.stage.group) == (RequestState.OPEN, "release")
    four = staged(three, "rita", "release")
    assert (state_of(four, AT), four.votes_given) == (RequestState.APPROVED, 4)


def test_no_account_votes_in_two_stages() -> None:
    one = staged(IN_TURN, "ann", "approver", "security")
    two = staged(one, "bob", "approver")
    assert str(refusal(two, Voter("ann", frozenset({"security"})), AT)) == "You have voted already."


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 20))
def test_each_approval_belongs_to_exactly_one_stage(sizes: list[int], given_votes: int) -> None:
    policy = Policy(
        "p", Purpose.SWITCH, needed=sizes[0], then=tuple(ApprovalStage(f"g{n}", n) for n in sizes[1:])
    )
    turns = [policy.stage_at(number) for number in range(policy.total)]
    assert turns == [stage for stage in policy.stages for _ in range(stage.needed)]
    assert policy.stage_at(policy.total + given_votes) == policy.stages[-1]


def test_a_policy_without_later_stages_keeps_the_name_that_votes_were_given_for() -> None:
    known = {
        name: value
        for name, value in TWO.as_json().items()
        if name not in ("then", "free_seconds", "about", "void_when_worse")
    }
    assert TWO.digest == digest(known)
    assert replace(TWO, then=(ApprovalStage("security", 1),)).digest != TWO.digest
    assert replace(TWO, void_when_worse=True).digest != TWO.digest


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        (replace(TWO, needed=0, then=(ApprovalStage("security", 1),)), "then"),
        (replace(TWO, then=(ApprovalStage("", 1),)), "then"),
        (replace(TWO, then=(ApprovalStage("security", 0),)), "then"),
        (replace(TWO, then=tuple(ApprovalStage(f"g{n}", 1) for n in range(5))), "then"),
        (replace(TWO, free_seconds=900), "free_seconds"),
        (replace(TWO, purpose=Purpose.REVERT, free_seconds=86_401), "free_seconds"),
        (replace(TWO, purpose=Purpose.EVICT, void_when_worse=True), "void_when_worse"),
    ],
)
def test_stages_and_free_time_that_cannot_be_are_refused_by_field(policy: Policy, field: str) -> None:
    with pytest.raises(Invalid) as caught:
        checked(policy)
    assert [violation.path for violation in caught.value.violations] == [field]


def test_going_back_may_be_free_for_a_while() -> None:
    assert checked(replace(TWO, purpose=Purpose.REVERT, free_seconds=900)).total == 2


def test_the_last_approver_is_known_whatever_the_case_of_the_name() -> None:
    policy = replace(TWO, needed=1, critical=True, last_approver_may_run=False)
    approved = voted(replace(ASKED, policy=policy), "Ann")
    assert str(may_run(approved, "ann", AT)) == "The last approver may not be the one to run it."
    assert str(may_run(approved, "bob", AT)) == ""

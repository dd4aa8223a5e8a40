"""What a request is worth changes as its table says, whatever is done to it and in whichever order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.request_states import REQUEST, SETTLED, RequestEvent
from migrations_app.domain.approvals.votes import (
    Ballot,
    RequestState,
    Voter,
    VoteVerdict,
    VotingRequest,
    cast,
    state_of,
)
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.messages import message

AT = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
ASKED = VotingRequest("r1", "olga", "d1", 1, Policy("two", Purpose.SWITCH, needed=2), AT)
APPROVERS = frozenset({"approver"})
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(("ann", "bob", "cid")), st.sampled_from(VoteVerdict)),
        st.sampled_from(("answer", "void a vote", "an hour", "use", "end")),
    ),
    max_size=15,
)


@settings(max_examples=300)
@given(STEPS, st.integers(1, 3))
def test_every_change_of_a_request_is_a_row_of_the_table(
    steps: list[tuple[str, VoteVerdict] | str], needed: int
) -> None:
    request, now = replace(ASKED, policy=replace(ASKED.policy, needed=needed, expires_seconds=18_000)), AT
    for step in steps:
        before = state_of(request, now)
        if before in REQUEST.final:
            break
        request, now = take(request, now, step)
        REQUEST.check_step(before, state_of(request, now))


def test_each_row_for_votes_and_time_is_taken_by_some_history() -> None:
    yes, no, changes = (
        ("ann", verdict) for verdict in (VoteVerdict.APPROVE, VoteVerdict.REJECT, VoteVerdict.CHANGES)
    )
    one = replace(ASKED, policy=replace(ASKED.policy, needed=1, expires_seconds=3_000))
    histories = {
        RequestEvent.APPROVE: [yes],
        RequestEvent.REJECT: [no],
        RequestEvent.ASK_CHANGES: [changes],
        RequestEvent.ANSWER: [changes, "answer"],
        RequestEvent.LOSE_VOTES: [yes, "void a vote"],
        RequestEvent.EXPIRE: [yes, "an hour"],
        RequestEvent.USE: [yes, "use"],
        RequestEvent.END: [yes, "end"],
    }
    assert set(histories) == set(RequestEvent)
    for event, steps in histories.items():
        request, now = one, AT
        for step in steps:
            before = state_of(request, now)
            request, now = take(request, now, step)
        assert state_of(request, now) is REQUEST.after(before, event)


def test_a_settled_request_takes_no_votes() -> None:
    assert {RequestState.REJECTED, RequestState.EXPIRED, RequestState.VOID, RequestState.USED} == SETTLED


def take(
    request: VotingRequest, now: datetime, step: tuple[str, VoteVerdict] | str
) -> tuple[VotingRequest, datetime]:
    """Do one thing to a request; a vote that is refused changes nothing."""
    if isinstance(step, tuple):
        who, verdict = step
        try:
            vote = cast(request, Voter(who, APPROVERS), Ballot(verdict, request.digest, "because"), now)
        except SwitchyardError:
            return request, now
        return replace(request, votes=(*request.votes, vote)), now
    if step == "answer":
        return replace(request, round=request.round + 1), now
    if step == "void a vote" and request.votes:
        *others, last = request.votes
        return replace(request, votes=(*others, replace(last, void_reason=message("It is closed.")))), now
    if step == "an hour":
        return request, now + timedelta(hours=1)
    return replace(request, used=step == "use", void=step == "end"), now

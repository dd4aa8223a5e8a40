"""A request for approval: its votes, its state at an instant, and every ruling about who may do what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from migrations_app.domain.approvals.account_control import Control, author_refusal, shared_refusal
from migrations_app.domain.approvals.policy import ApprovalStage, Policy
from migrations_app.domain.approvals.request_states import REQUEST_SENTENCES
from migrations_app.domain.approvals.request_states import SETTLED as SETTLED
from migrations_app.domain.approvals.request_states import RequestState as RequestState
from migrations_app.kernel.errors import Conflict, Denied, Invalid, Stale
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, message


class VoteVerdict(StrEnum):
    """What a vote says."""

    APPROVE = "approve"
    REJECT = "reject"
    CHANGES = "changes"


VOTE_WORDS: Mapping[str, str] = {
    "approve": "approved",
    "reject": "rejected",
    "changes": "requested changes",
}


@dataclass(frozen=True, slots=True)
class Vote:
    """One person's word in one round; `void_reason` is set once its evidence changed."""

    who: str
    verdict: VoteVerdict
    at: datetime
    round: int
    digest: str
    comment: str = ""
    void_reason: WordedMessage = NOTHING


@dataclass(frozen=True, slots=True)
class Delegation:
    """`who` may vote, and lets `to` vote in their place on one request."""

    who: str
    to: str


@dataclass(frozen=True, slots=True)
class VotingRequest:
    """One request for approval; `digest` is the evidence of its current round."""

    id: str
    asked_by: str
    digest: str
    round: int
    policy: Policy
    created_at: datetime
    votes: tuple[Vote, ...] = ()
    used: bool = False
    void: bool = False
    planned_by: str = ""
    # Who made a token of an account that planned it or asks for it.
    behind: frozenset[str] = frozenset()
    delegations: tuple[Delegation, ...] = ()
    author_control: Control = field(default_factory=dict)
    """Who may have planned it, changed its plan or asked for it."""
    voter_control: Mapping[str, Control] = field(default_factory=dict)
    """Who may have given each vote that counts, by the voter's name in small letters."""

    @property
    def deadline(self) -> datetime:
        """Tell when it expires."""
        return self.created_at + timedelta(seconds=self.policy.expires_seconds)

    @property
    def authors(self) -> tuple[str, ...]:
        """Name who may never vote on it: who planned the upgrade, and who asks."""
        return tuple(dict.fromkeys(name for name in (self.asked_by, self.planned_by) if name))

    @property
    def who_can(self) -> tuple[str, ...]:
        """Say who may still vote."""
        givers = (each.who for each in self.delegations)
        spoken = [*self.authors, *sorted(self.behind), *(vote.who for vote in self.counted), *givers]
        members = (
            f"people with the role or group {self.stage.group}, except {' and '.join(dict.fromkeys(spoken))}"
        )
        voted = {vote.who for vote in self.counted}
        return (members, *(f"{each.to} for {each.who}" for each in self.delegations if each.to not in voted))

    @property
    def counted(self) -> tuple[Vote, ...]:
        """Pick the votes that count: of this round, for this evidence, not void."""
        return tuple(
            vote
            for vote in self.votes
            if vote.round == self.round and vote.digest == self.digest and not vote.void_reason
        )

    @property
    def votes_given(self) -> int:
        """Count the approvals."""
        return sum(vote.verdict is VoteVerdict.APPROVE for vote in self.counted)

    @property
    def stage(self) -> ApprovalStage:
        """Name whose turn it is: those of one role or group after those of another."""
        return self.policy.stage_at(self.votes_given)

    @property
    def asking(self) -> Vote | None:
        """Find the vote that asks for changes, if one does."""
        return next((vote for vote in self.counted if vote.verdict is VoteVerdict.CHANGES), None)


def state_of(request: VotingRequest, now: datetime) -> RequestState:
    """Tell what the request is worth at an instant."""
    if request.used:
        return RequestState.USED
    if request.void:
        return RequestState.VOID
    if any(vote.verdict is VoteVerdict.REJECT for vote in request.counted):
        return RequestState.REJECTED
    if now >= request.deadline:
        return RequestState.EXPIRED
    if request.asking:
        return RequestState.CHANGES
    if request.votes_given >= request.policy.total:
        return RequestState.APPROVED
    return RequestState.OPEN


@dataclass(frozen=True, slots=True)
class Voter:
    """Who wants to vote, with the groups they belong to."""

    name: str
    groups: frozenset[str]
    edited: bool = False
    """Whether they changed the plan that is voted on."""
    control: Control = field(default_factory=dict)
    """Who may act as them, and through which changes of their account."""
    entitled_by: Control = field(default_factory=dict)
    """Who let them vote since the plan was made."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """What a voter says, and the digest of the evidence that was read."""

    verdict: VoteVerdict
    seen_digest: str
    comment: str = ""


def refusal(request: VotingRequest, voter: Voter, now: datetime) -> WordedMessage:
    """Say why `voter` may not vote now; nothing when they may."""
    state = state_of(request, now)
    if state is RequestState.CHANGES and request.asking:
        return message(
            "{who} asked for changes; the account that asked for the approval answers first.",
            who=request.asking.who,
        )
    if state is not RequestState.OPEN:
        return REQUEST_SENTENCES[state] + message("Votes are taken only while it is open.")
    if voter.name.lower() == request.asked_by.lower():
        return message("The account that asks for approval cannot vote on it.")
    if voter.name.lower() == request.planned_by.lower():
        return message("The account that planned the upgrade cannot vote on it.")
    if _is_among(request.behind, voter.name):
        return message(
            "You made a token of {authors}: what is asked with it is asked by you.",
            authors=" or ".join(request.authors),
        )
    if voter.edited:
        return message("An account that changed the upgrade's plan cannot vote on it.")
    group = request.stage.group
    if group not in voter.groups:
        if any(stage.group in voter.groups for stage in request.policy.then):
            return message(
                "Only people with the role or group {group} may vote on this now; your turn comes after theirs.",
                group=group,
            )
        return message("Only people with the role or group {group} may vote on this.", group=group)
    if any(vote.who.lower() == voter.name.lower() for vote in request.counted):
        return message("You have voted already.")
    for each in request.delegations:
        if each.who == voter.name:
            return message("You let {account} vote in your place; take it back first.", account=each.to)
    return _control_refusal(request, voter)


def _control_refusal(request: VotingRequest, voter: Voter) -> WordedMessage:
    """Say whose vote it may be instead of the voter's, where that person may not give it."""
    reason = author_refusal(request.author_control, voter.control, voter.entitled_by)
    if reason:
        return reason
    for name, control in request.voter_control.items():
        reason = shared_refusal(name, voter.name, control, voter.control)
        if reason:
            return reason
    return NOTHING


def _is_among(names: Iterable[str], who: str) -> bool:
    return who.lower() in {name.lower() for name in names}


def may_delegate(request: VotingRequest, voter: Voter, to: str, now: datetime) -> WordedMessage:
    """Say why `voter`, who may vote in their own right, may not let `to` vote in their place; nothing when they may."""
    before = replace(
        request, delegations=tuple(each for each in request.delegations if each.who != voter.name)
    )
    reason = refusal(before, voter, now)
    if reason:
        return reason
    given = next((each.to for each in request.delegations if each.who == voter.name), "")
    if given and any(vote.who == given for vote in request.counted):
        return message("{account} has voted in your place.", account=given)
    if _is_among((*request.authors, *request.behind), to):
        return message("{account} planned it or asks for it, and can never vote on it.", account=to)
    return NOTHING


def may_answer(request: VotingRequest, who: str, now: datetime) -> WordedMessage:
    """Say why `who` may not answer the changes that were asked for; nothing when they may."""
    if state_of(request, now) is not RequestState.CHANGES:
        return message("No changes are asked for.")
    if not _is_among(request.authors, who):
        return message("{authors} answers.", authors=" or ".join(request.authors))
    return NOTHING


def cast(request: VotingRequest, voter: Voter, ballot: Ballot, now: datetime) -> Vote:
    """Rule over one vote and return it as it counts.

    Raises: Denied (`vote-denied`) for who may not, Conflict (`request-settled`, `voted-already`),
    Stale (`evidence-changed`) when they looked at other evidence, Invalid (`comment-needed`).
    """
    reason = refusal(request, voter, now)
    if reason:
        state = state_of(request, now)
        if state is RequestState.CHANGES:
            raise Conflict(
                reason, code="changes-asked", remedy=message("Wait for the answer."), who_can=request.authors
            )
        if state is not RequestState.OPEN:
            raise Conflict(reason, code="request-settled", remedy=message("Ask for a new approval."))
        if str(reason).startswith("You have"):
            raise Conflict(
                reason,
                code="voted-already",
                remedy=message("Each person votes once; another person's vote is needed."),
                who_can=request.who_can,
            )
        raise Denied(
            reason, code="vote-denied", remedy=message("Ask an account that may."), who_can=request.who_can
        )
    if ballot.seen_digest != request.digest:
        raise Stale(
            message("The evidence changed since you looked at it."),
            code="evidence-changed",
            remedy=message("Read it again, then decide again."),
        )
    if ballot.verdict is not VoteVerdict.APPROVE and not ballot.comment.strip():
        raise Invalid(
            message("A rejection needs a comment.")
            if ballot.verdict is VoteVerdict.REJECT
            else message("Asking for changes needs a comment."),
            code="comment-needed",
            remedy=message("Say why."),
        )
    return Vote(voter.name, ballot.verdict, now, request.round, request.digest, ballot.comment.strip())


def may_run(request: VotingRequest, who: str, now: datetime, control: Control | None = None) -> WordedMessage:
    """Say why `who`, an account under this `control`, may not use this approval to act; nothing when they may."""
    state = state_of(request, now)
    if state is not RequestState.APPROVED:
        return _not_approved(request, state)
    approvals = [vote for vote in request.counted if vote.verdict is VoteVerdict.APPROVE]
    if approvals and not request.policy.last_approver_may_run:
        last = max(approvals, key=lambda vote: vote.at)
        if last.who.lower() == who.lower():
            return message("The last approver may not be the one to run it.")
        through = (control or {}).get(last.who.lower()) or request.voter_control.get(
            last.who.lower(), {}
        ).get(who.lower())
        if through:
            changes = sum((change.words for change in through), NOTHING)
            return changes + message("The last approver may not be the one to run it.")
    return NOTHING


def _not_approved(request: VotingRequest, state: RequestState) -> WordedMessage:
    if state is RequestState.OPEN:
        return given_message(request.votes_given, request.policy.total)
    return REQUEST_SENTENCES[state]


def given_message(given: int, needed: int) -> WordedMessage:
    """Say how many of the needed approvals were given."""
    return counted(
        needed,
        "{given} of {count} approval was given.",
        "{given} of {count} approvals were given.",
        given=given,
    )


def time_ran_out(given: int, needed: int) -> WordedMessage:
    """Say that the time of a request is over, and how many of the needed approvals were given."""
    return counted(
        needed,
        "Its time ran out: {given} of {count} approval was given.",
        "Its time ran out: {given} of {count} approvals were given.",
        given=given,
    )

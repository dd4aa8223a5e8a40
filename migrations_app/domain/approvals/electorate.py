"""Votes counted while their givers may vote: each is looked at again, in the order in which it was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from migrations_app.domain.approvals.account_control import Control, author_refusal, shared_refusal
from migrations_app.domain.approvals.votes import Vote, VoteVerdict, VotingRequest
from migrations_app.kernel.messages import NOTHING, WordedMessage, message


@dataclass(frozen=True, slots=True)
class Elector:
    """What the giver of a vote is now; `lost` says why they may not vote at all any more."""

    groups: frozenset[str] = frozenset()
    lost: WordedMessage = NOTHING
    control: Control = field(default_factory=dict)
    entitled_by: Control = field(default_factory=dict)


def recounted(request: VotingRequest, electors: Mapping[str, Elector]) -> VotingRequest:
    """Make the approvals void whose givers could not give them now; objections stay.

    A rejection has ended the request already, and changes that were asked for are answered.
    """
    counted = {id(vote) for vote in request.counted if vote.verdict is VoteVerdict.APPROVE}
    kept: list[Vote] = []
    votes = []
    for vote in request.votes:
        reason = NOTHING
        if id(vote) in counted:
            reason = _void_reason(request, vote, kept, electors)
            if not reason:
                kept.append(vote)
        votes.append(replace(vote, void_reason=reason) if reason else vote)
    control = {vote.who.lower(): electors[vote.who].control for vote in kept}
    return replace(request, votes=tuple(votes), voter_control=control)


def _void_reason(
    request: VotingRequest, vote: Vote, kept: list[Vote], electors: Mapping[str, Elector]
) -> WordedMessage:
    elector = electors[vote.who]
    if elector.lost:
        return elector.lost
    group = request.policy.stage_at(len(kept)).group
    if group not in elector.groups:
        if any(stage.group in elector.groups for stage in request.policy.stages):
            return message("A vote of {group} is missing before it.", group=group)
        return message("{who} no longer has the role or group {group}.", who=vote.who, group=group)
    reason = author_refusal(request.author_control, elector.control, elector.entitled_by)
    if reason:
        return reason
    for other in kept:
        reason = shared_refusal(other.who, vote.who, electors[other.who].control, elector.control)
        if reason:
            return reason
    return NOTHING

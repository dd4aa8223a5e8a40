"""Types of the operations of approvals.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import AvailableAction, Check, Dependant, OnCallTurn, Phrase, Vote


class Approval(Struct, frozen=True, kw_only=True):
    """A request with its evidence then and now, what it puts at stake, and who is there to decide."""

    id: str
    rev: int
    digest: str
    upgrade_id: str
    what: str
    what_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    purpose: str
    deployment: str
    service: str
    region: str
    from_version: str
    to_version: str
    asked_by: str
    comment: str
    ticket: str
    created_at: datetime
    deadline: datetime
    state: str
    closed_reason: str
    closed_reason_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    needed: int
    votes_given: int
    stages: list[StageVotes]
    """Whose votes are taken, in order; empty when none are."""
    policy: str
    votes: list[Vote]
    impact_summary: ImpactSummary | None
    """Null in lists once the request is settled."""
    delegations: list[Delegation]
    on_approve: str
    on_approve_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    undo: str
    undo_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    who_can: list[str]
    actions: list[AvailableAction]
    evidence_then: list[Check]
    evidence_now: list[Check]
    differences: list[CheckDifference]
    worse: list[WorseCheck]
    """What got worse since a vote."""
    void_when_worse: bool
    """By the policy: votes are void when a check gets worse. Otherwise they bind to the plan."""
    impact: Impact
    excluded: list[ExcludedVoter]
    """Accounts whose votes are refused, and why."""
    on_duty: list[OnCallTurn]


class ApprovalPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[ApprovalSummary]
    next_cursor: str | None
    has_more: bool


class ApprovalSummary(Struct, frozen=True, kw_only=True):
    """A request as lists show it."""

    id: str
    rev: int
    digest: str
    upgrade_id: str
    what: str
    what_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    purpose: str
    deployment: str
    service: str
    region: str
    from_version: str
    to_version: str
    asked_by: str
    comment: str
    ticket: str
    created_at: datetime
    deadline: datetime
    state: str
    closed_reason: str
    closed_reason_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    needed: int
    votes_given: int
    stages: list[StageVotes]
    """Whose votes are taken, in order; empty when none are."""
    policy: str
    votes: list[Vote]
    impact_summary: ImpactSummary | None
    """Null in lists once the request is settled."""
    delegations: list[Delegation]
    on_approve: str
    on_approve_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    undo: str
    undo_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    who_can: list[str]
    actions: list[AvailableAction]


class BreakingReference(Struct, frozen=True, kw_only=True):
    """A field of a deployment's resources that refers to what the version does not have."""

    service: str
    region: str
    version: str
    type: str
    path: str
    kind: str
    target: str
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class BulkVoteAnswer(Struct, frozen=True, kw_only=True):
    """The outcomes, in the order of the requests."""

    items: list[BulkVoteOutcome]


class BulkVoteItemRequest(Struct, frozen=True, kw_only=True):
    """One request, and the digest of the evidence that was seen."""

    id: str
    digest: str


class BulkVoteOutcome(Struct, frozen=True, kw_only=True):
    """What became of one request: 200, or the problem that refused the vote."""

    id: str
    status: int
    problem: dict[str, Any] | None


class BulkVoteRequest(Struct, frozen=True, kw_only=True):
    """The same change in up to a hundred places."""

    requests: list[BulkVoteItemRequest]
    comment: str | UnsetType = UNSET


class Caller(Struct, frozen=True, kw_only=True):
    """A client that was seen to call the version that is left."""

    client: str
    messages: int
    last_seen: datetime


class CheckDifference(Struct, frozen=True, kw_only=True):
    """A check that came out otherwise than when approval was asked for."""

    check: str
    then: Check | None
    now: Check


class DelegateRequest(Struct, frozen=True, kw_only=True):
    """Who shall vote in one's place; one's own name takes it back."""

    comment: str | UnsetType = UNSET
    to: str


class Delegation(Struct, frozen=True, kw_only=True):
    """A vote lent to another person."""

    who: str
    to: str
    comment: str
    at: datetime


class EarliestSwitch(Struct, frozen=True, kw_only=True):
    """When it would happen if the last vote came now; `not_before` is null when nothing holds it back."""

    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    not_before: datetime | None


class ExcludedVoter(Struct, frozen=True, kw_only=True):
    """An account that cannot vote here because who planned or asked changed it."""

    who: str
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class Impact(Struct, frozen=True, kw_only=True):
    """What a decision puts at stake; equal `change`s may be approved together."""

    when: EarliestSwitch
    risk: Risk
    blast: Reach
    report: ReportCounts | None
    references: ReferencesAtStake
    change: str


class ImpactSummary(Struct, frozen=True, kw_only=True):
    """How a request stands at a glance; equal `change`s of low risk may be approved together."""

    risk: str
    failing: int
    """How many checks of the evidence fail now."""
    unknown: int
    """How many of them are unknown."""
    change: str


class Reach(Struct, frozen=True, kw_only=True):
    """The impact."""

    resources: int
    resources_counted: bool
    """false: `resources` is 0 because none were counted yet."""
    regions: list[RegionVersion]
    dependants: list[Dependant]
    callers: list[Caller]
    seen_days: int
    """How many days back callers were looked for."""


class ReferencesAtStake(Struct, frozen=True, kw_only=True):
    """The references that would break; `unknown` names services whose definition does not tell."""

    breaking: list[BreakingReference]
    unknown: list[str]


class RegionVersion(Struct, frozen=True, kw_only=True):
    """What a region serves; `here` is the one decided about."""

    region: str
    version: str
    here: bool


class ReportCounts(Struct, frozen=True, kw_only=True):
    """What clients would notice: by weight, what would break them, and what is not accepted yet."""

    counts: dict[str, int]
    breaking: int
    to_accept: int


class Risk(Struct, frozen=True, kw_only=True):
    """How careful to be, and why."""

    level: str
    reasons: list[str]
    reason_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `reasons` in phrases."""


class StageVotes(Struct, frozen=True, kw_only=True):
    """One group in its turn: how many of it must agree, and how many have."""

    group: str
    needed: int
    votes_given: int


class WorseCheck(Struct, frozen=True, kw_only=True):
    """A check that passed when an approval was given that counts, and fails now."""

    check: str
    who: str
    """Who voted then, the newest of them."""
    at: datetime
    then: str
    """What it said when they voted."""
    then_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    now: str
    now_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""

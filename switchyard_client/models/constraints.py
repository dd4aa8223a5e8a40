"""Types of the operations of constraints.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import AvailableAction, Eviction, Phrase


class AllConstraints(Struct, frozen=True, kw_only=True):
    """References between deployments, of each."""

    items: list[Constraints]


class AskEvictionRequest(Struct, frozen=True, kw_only=True):
    """Why a deployment does not come back."""

    reason: str


class Blocker(Struct, frozen=True, kw_only=True):
    """Who blocks a deletion: a resource, and the field by which it refers."""

    type: str
    name: str
    path: str


class ConstraintCounts(Struct, frozen=True, kw_only=True):
    """How much is under way in a deployment."""

    owed: int
    """Confirmations it owes to others."""
    oldest_owed_seconds: float
    blockades: int
    """References others announced that are not settled."""
    oldest_blockade_seconds: float
    overdue_blockades: int
    """Those whose outcome is asked for."""
    pending_deletes: int
    deleting: int
    oldest_deleting_seconds: float


class ConstraintFinding(Struct, frozen=True, kw_only=True):
    """What does not hold, or has not ended: a reference, a read copy, an attempt, a deletion; or nothing
    is known.
    """

    source: str
    target: str
    path: str
    """The field that refers; none for a read copy."""
    what: str
    reason: str


class ConstraintWait(Struct, frozen=True, kw_only=True):
    """Work on confirmations or deletions that another deployment holds up."""

    work: str
    waits_for: str
    waits_for_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    quarantined: bool
    """True when a person must look."""
    seconds: float


class Constraints(Struct, frozen=True, kw_only=True):
    """References of a deployment to others and of others to it; `unknown` when it did not answer,
    `evicted` when none waits for it.
    """

    deployment: str
    service: str
    region: str
    state: str
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    tally: ConstraintCounts | None
    moving: list[PendingDeletion]
    read_copies: list[CopySource]
    policy_changes: list[PolicyChange]


class CopySource(Struct, frozen=True, kw_only=True):
    """How far a deployment has followed one other region, in one version."""

    region: str
    """The region that owns what is copied."""
    version: str
    state: str
    """`unknown` when the region does not answer."""
    position: str
    """A place in the changes of that region."""
    behind_seconds: float | None
    """How old the copies are at most; none before they were caught up once."""
    waiting: int
    """Changes known to wait there."""
    problem: str
    problem_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class DeploymentConstraints(Struct, frozen=True, kw_only=True):
    """References between one deployment and others, with what it follows."""

    deployment: str
    service: str
    region: str
    state: str
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    tally: ConstraintCounts | None
    moving: list[PendingDeletion]
    read_copies: list[CopySource]
    policy_changes: list[PolicyChange]
    subscriptions: list[Subscription]
    waits: list[ConstraintWait]


class Evictions(Struct, frozen=True, kw_only=True):
    """The evictions of a deployment, the newest first, and whether the caller may ask for another."""

    evict: AvailableAction
    items: list[Eviction]


class PendingDeletion(Struct, frozen=True, kw_only=True):
    """A resource that is being deleted, and who may refer to it."""

    type: str
    name: str
    state: str
    age_seconds: float
    sources: list[str]
    root: str
    blockers: list[Blocker]
    """The first who block it within its own deployment."""


class PolicyChange(Struct, frozen=True, kw_only=True):
    """How far the resources under a changed policy have been touched."""

    scope: str
    """The policy holder; empty for the service's own."""
    looked: int
    changed: int
    open_seconds: float
    at: str
    """The last resource looked at."""
    checking: bool
    """True in the second pass, which looks for late writes."""


class ReferenceAudit(Struct, frozen=True, kw_only=True):
    """What an audit of references found."""

    findings: list[ConstraintFinding]
    more: bool


class Subscription(Struct, frozen=True, kw_only=True):
    """A deployment whose deletions another one follows."""

    service: str
    region: str
    state: str
    """`unknown` when it was not heard of for a minute."""
    position: str
    """Where the present round goes on; empty between two rounds."""
    behind_seconds: float | None
    """Deletions before that are heard of and carried on; none before a first round."""
    waiting: int
    """Resources being deleted there that may be referred to here."""
    problem: str
    problem_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""

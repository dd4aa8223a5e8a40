"""Types of the operations of upgrades.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import (
    AvailableAction,
    Blockage,
    Check,
    KeptType,
    Phrase,
    Progress,
    Shards,
    Stall,
    UpgradeForecast,
    UpgradeSummary,
    Waiver,
)


class BatchAnswer(Struct, frozen=True, kw_only=True):
    """The answers, in the order of the plans."""

    items: list[BatchItem]


class BatchItem(Struct, frozen=True, kw_only=True):
    """What became of one plan: the upgrade, or the problem that refused it."""

    deployment: str
    status: int
    upgrade: Upgrade | None
    problem: dict[str, Any] | None


class BatchRequest(Struct, frozen=True, kw_only=True):
    """Up to a hundred plans."""

    upgrades: list[NewUpgradeRequest]


class CallersOfVersions(Struct, frozen=True, kw_only=True):
    """Clients of the two versions, from a week before the upgrade began until it ended."""

    seen_from: datetime
    switched_at: datetime | None
    versions: list[VersionCallers]


class CommentRequest(Struct, frozen=True, kw_only=True):
    """Words for everybody who follows an upgrade."""

    comment: str


class CopyPacing(Struct, frozen=True, kw_only=True):
    """That copies and comparisons are slowed for the sake of writes."""

    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    since: datetime
    reported_at: datetime
    """When a worker reported it last."""


class DataTask(Struct, frozen=True, kw_only=True):
    """A task that brings the stored data of a version to a newer data version."""

    task_tag: str
    target_data_version: str
    done: int
    total: int
    progress: dict[str, int]
    """What each unfinished shard says."""


class DryRun(Struct, frozen=True, kw_only=True):
    """A plan that was not kept: what it would do, and what stands against it."""

    plan: dict[str, Any]
    plan_digest: str
    checks: list[Check]
    would: list[str]
    would_phrases: list[list[Phrase]] | UnsetType = UNSET
    possible: bool
    prospects: UpgradeForecast


class Facet(Struct, frozen=True, kw_only=True):
    """One value that a list can be narrowed to, and how many it would show."""

    value: str
    count: int


class Facets(Struct, frozen=True, kw_only=True):
    """What a list of upgrades can be narrowed to."""

    service: list[Facet]
    region: list[Facet]
    state: list[Facet]
    kind: list[Facet]


class History(Struct, frozen=True, kw_only=True):
    """What was recorded of an upgrade, with its times."""

    as_of: datetime
    transitions: list[Transition]
    shards: ShardChanges
    compared: ShardComparisons
    callers: CallersOfVersions
    requests: list[SheetRequest]
    votes: list[SheetVote]
    switch_steps: list[SheetSwitchStep]


class NewRequestToPeopleRequest(Struct, frozen=True, kw_only=True):
    """What one asks others to do, and why."""

    action: str
    comment: str | UnsetType = UNSET


class NewUpgradeRequest(Struct, frozen=True, kw_only=True):
    """What a deployment shall become."""

    deployment: str
    target_version: str | UnsetType = UNSET
    kind: Literal["version", "location", "data", "shards"] | UnsetType = UNSET
    target_location: str | UnsetType = UNSET
    target_data_version: str | UnsetType = UNSET
    comment: str | UnsetType = UNSET
    automatic: bool | UnsetType | None = UNSET
    downgrade_sync: bool | UnsetType = UNSET
    start: bool | UnsetType = UNSET
    rollback_hours: int | UnsetType = UNSET
    """How long rollback stays possible."""
    target_shard_count: int | UnsetType = UNSET
    """As many shards as the data shall have; 0 for as many as they have. With another version or
    location, or alone with the kind `shards`.
    """


class NewWindowOverrideRequest(Struct, frozen=True, kw_only=True):
    """Why an upgrade may go past what forbids its switch now."""

    reason: str


class QuarantineActionRequest(Struct, frozen=True, kw_only=True):
    """What shall become of a quarantined resource."""

    type: str
    name: str
    verdict: Literal["retry", "waive"]
    comment: str | UnsetType = UNSET


class QuarantinedResource(Struct, frozen=True, kw_only=True):
    """A resource that could not be carried over."""

    shard: int
    type: str
    name: str
    revision: int
    error: str
    code: str
    attempts: int
    retry_at: datetime | None
    state: str
    changes_behind: int


class QuarantinedResourcePage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[QuarantinedResource]
    next_cursor: str | None
    has_more: bool


class Readiness(Struct, frozen=True, kw_only=True):
    """What stands between an upgrade and its switch; `not_before` is null when no window, freeze or plan
    forbids it now.
    """

    not_before: datetime | None
    checks: list[Check]
    approvals: ReadinessApprovals
    predicted_freeze_ms: float | None


class ReadinessApprovals(Struct, frozen=True, kw_only=True):
    """How the approval stands."""

    purpose: str
    """What it is for: `switch`, or `revert` while the upgrade can be rolled back."""
    needed: int
    votes_given: int
    request_id: str | None
    state: str
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    policy: str
    group: str
    groups: str
    """All groups in their order: `approver, then security`."""
    void_when_worse: bool
    """By the policy, votes are void once a check that passed fails."""


class Rehearsal(Struct, frozen=True, kw_only=True):
    """What a switch or a rollback would do now, in its order; `stopped` says what would end it early."""

    steps: list[RehearsedStep]
    predicted_freeze_ms: float | None
    stopped: str
    stopped_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class RehearsedStep(Struct, frozen=True, kw_only=True):
    """What one step would do."""

    step: str
    text: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class Removal(Struct, frozen=True, kw_only=True):
    """A type, method, enum symbol or name pattern that has no counterpart in the new version."""

    rule: str
    path: str
    """Its place, as the compatibility report names it."""
    what: str
    """The symbols, patterns, type or method."""
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    stored: int | None
    """Resources of it, that hold it or are named so; null where nothing is stored or the data cannot be
    read.
    """
    is_estimate: bool
    """Whether `stored` is an estimate by a sample."""
    callers: list[str]
    """Clients that were seen to use it."""
    accepted: bool
    """Whether a waiver is in force; the switch asks for that."""
    waiver: Waiver | None
    kept: KeptType | None
    """Of a type: where it is kept, and whether it was exported."""


class RemovalPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Removal]
    next_cursor: str | None
    has_more: bool


class ShardChanges(Struct, frozen=True, kw_only=True):
    """Changes of the states of shards as columns, oldest first."""

    shard: list[int]
    at: list[datetime]
    state: list[str]
    complete: bool
    """Whether none was left out for their number."""


class ShardComparisons(Struct, frozen=True, kw_only=True):
    """The start of the last comparison of each whole shard that ended without a difference, before the
    switch; as columns.
    """

    shard: list[int]
    at: list[datetime]


class ShardTransition(Struct, frozen=True, kw_only=True):
    """A moment at which a shard came into another state or stage."""

    at: datetime
    state: str
    stage: str
    copied: int
    applied: int
    error: str


class ShardTransitionPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[ShardTransition]
    next_cursor: str | None
    has_more: bool


class SheetRequest(Struct, frozen=True, kw_only=True):
    """A request for approval, with the checks as they were then."""

    at: datetime
    who: str
    purpose: str
    evidence: list[Check]


class SheetSwitchStep(Struct, frozen=True, kw_only=True):
    """A step of the switch."""

    step: str
    at: datetime
    took_seconds: float | None
    state: str


class SheetVote(Struct, frozen=True, kw_only=True):
    """A vote; `void` says why it does not count any more. `evidence` holds the checks as they were then."""

    at: datetime
    who: str
    verdict: str
    purpose: str
    void: str
    void_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    evidence: list[Check]


class Step(Struct, frozen=True, kw_only=True):
    """One step of the stepper."""

    step: str
    state: str
    started_at: datetime | None
    took_seconds: float | None
    who: str
    text: str
    """Details, where they are known."""
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class SwitchStep(Struct, frozen=True, kw_only=True):
    """One step of the switch itself."""

    step: str
    state: str
    text: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    took_seconds: float | None


class TimelineEntry(Struct, frozen=True, kw_only=True):
    """One line of the story."""

    seq: int
    at: datetime
    who: str
    kind: str
    text: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    details: dict[str, Any]


class Transition(Struct, frozen=True, kw_only=True):
    """The upgrade came into another state."""

    at: datetime
    state: str
    who: str


class UnfulfilledRequest(Struct, frozen=True, kw_only=True):
    """Why what was asked for last was not done."""

    at: datetime
    text: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class Upgrade(Struct, frozen=True, kw_only=True):
    """An upgrade with its steps, its readiness and its actions."""

    id: str
    rev: int
    deployment: str
    service: str
    region: str
    from_version: str
    to_version: str
    kind: str
    state: str
    paused: bool
    request: str
    meta_stage: str
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    automatic: bool
    copy_limit: int | None
    """Resources a second at most; null: unbounded."""
    requested_by: str
    comment: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    plan_digest: str
    shards: Shards
    progress: Progress
    quarantined_count: int
    stall: Stall | None
    blockages: list[Blockage]
    reversible_until: datetime | None
    freeze_ms: float | None
    """For how long the switch held writes; null before it."""
    rollback_freeze_ms: float | None
    """For how long the rollback held writes; null before it."""
    paced: CopyPacing | None
    """Null: it copies and compares as fast as it can."""
    steps: list[Step]
    preflight: list[Check]
    """What the start went by; while it is planned, what it would go by now."""
    switch_steps: list[SwitchStep]
    readiness: Readiness
    actions: list[AvailableAction]
    data_tasks: list[DataTask]
    rehearsal: Rehearsal | UnsetType = UNSET
    """Only in a dry run of switch and rollback."""
    plan: dict[str, Any]
    operation_id: str
    """The operation that carries out what was asked last; empty when none does."""
    handed_over_to: str
    """Where it goes on, of one that was handed over; empty of all others."""
    undone: UnfulfilledRequest | None


class UpgradeActionRequest(Struct, frozen=True, kw_only=True):
    """What goes with an action: words for the record; `reason` and `ticket` also override approval by
    break-glass.
    """

    comment: str | UnsetType = UNSET
    ticket: str | UnsetType = UNSET
    hours: int | UnsetType = UNSET
    """For `extend`: how long from now."""
    shard: int | UnsetType = UNSET
    """For `retry-shard`."""
    limit: int | UnsetType | None = UNSET
    """For `throttle`: so many resources a second at most; null for no bound."""
    automatic: bool | UnsetType = UNSET
    """For `edit`: whether it switches by itself."""
    not_before: datetime | UnsetType | None = UNSET
    """For `edit`: when the switch may happen at the earliest."""
    rollback_hours: int | UnsetType = UNSET
    """For `edit`: how long rollback stays possible."""


class UpgradeEventPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[TimelineEntry]
    next_cursor: str | None
    has_more: bool


class UpgradeMilestoneRequest(Struct, frozen=True, kw_only=True):
    """How far the upgrade shall come."""

    until: Literal["ready", "switched", "complete"]


class UpgradePage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[UpgradeSummary]
    next_cursor: str | None
    has_more: bool


class VersionCallers(Struct, frozen=True, kw_only=True):
    """How many clients called a version in the upgrade's region, before the switch and since."""

    version: str
    before_switch: int
    since_switch: int | None
    """null: there was no switch."""


class WindowOverride(Struct, frozen=True, kw_only=True):
    """What was lifted for one upgrade, and until when."""

    rules: list[str]
    who: str
    reason: str
    until: datetime

"""The shapes of upgrades, for the schema and for reading requests."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from migrations_app.control.upgrade_state.check_schemas import BlockageSchema, CheckSchema
from migrations_app.domain.switch.plan import UpgradeKind
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.stepper import StepState
from migrations_app.ports.upgrades import ShardState
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of
from migrations_app.web.shared_schemas import Phrases


class AvailableActionSchema(ResponseBody, frozen=True, kw_only=True):
    """An action: allowed, or the sentence that refuses it and who could."""

    action: str
    allowed: bool
    reason: str
    phrases: Phrases | UnsetType = UNSET
    who_can: list[str]


class ShardSchema(ResponseBody, frozen=True, kw_only=True):
    """The newest report of one shard."""

    shard: int
    state: Annotated[str, one_of(ShardState)]
    stage: str
    copied: int
    total: int
    applied: int
    failed: int
    lag_seconds: float | None
    rate_per_second: float
    error: str
    throttled: str
    throttled_phrases: Phrases | UnsetType = UNSET
    falls: Annotated[int, Meta(description="How often it fell back after it was caught up.")]
    node: Annotated[str, Meta(description="The worker that reported last: `host:process`.")]
    reported_at: Instant | None


class ShardsSchema(ResponseBody, frozen=True, kw_only=True):
    """All shards."""

    total: int
    ready: int
    items: list[ShardSchema]


class EtaSchema(ResponseBody, frozen=True, kw_only=True):
    """A range of seconds."""

    low_seconds: float
    high_seconds: float


class ProgressSchema(ResponseBody, frozen=True, kw_only=True):
    """How far the shards are, all together."""

    copied: int
    total: int
    total_is_minimum: Annotated[bool, Meta(description="Some shards were not counted yet.")]
    percent: Annotated[
        int | None,
        Meta(description="100 only when every shard is known to be caught up; null: not counted yet."),
    ]
    rate_per_second: float
    eta: EtaSchema | None
    eta_reason: str
    eta_reason_phrases: Phrases | UnsetType = UNSET
    lag_seconds: Annotated[
        float | None,
        Meta(description="Of the slowest shard, as of now; null: not every shard has measured one."),
    ]
    unknown_shards: Annotated[int, Meta(description="Shards whose last report is too old to be believed.")]
    oldest_report_at: Annotated[
        Instant | None, Meta(description="How old these figures are; null: no shard has reported.")
    ]


class StallSchema(ResponseBody, frozen=True, kw_only=True):
    """Since when no worker has reported."""

    since: Instant
    shards: list[int]
    sentence: str
    causes: list[str]


class CopyPacingSchema(ResponseBody, frozen=True, kw_only=True):
    """That copies and comparisons are slowed for the sake of writes."""

    sentence: str
    phrases: Phrases | UnsetType = UNSET
    since: Instant
    reported_at: Annotated[Instant, Meta(description="When a worker reported it last.")]


class UpgradeSummarySchema(ResponseBody, frozen=True, kw_only=True):
    """An upgrade as lists show it."""

    id: str
    rev: int
    deployment: str
    service: str
    region: str
    from_version: str
    to_version: str
    kind: Annotated[str, one_of(UpgradeKind)]
    state: Annotated[str, one_of(State)]
    paused: bool
    request: str
    meta_stage: str
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    automatic: bool
    copy_limit: Annotated[int | None, Meta(description="Resources a second at most; null: unbounded.")]
    requested_by: str
    comment: str
    created_at: Instant
    started_at: Instant | None
    finished_at: Instant | None
    plan_digest: str
    shards: ShardsSchema
    progress: ProgressSchema
    quarantined_count: int
    stall: StallSchema | None
    blockages: list[BlockageSchema]
    reversible_until: Instant | None
    freeze_ms: Annotated[
        float | None, Meta(description="For how long the switch held writes; null before it.")
    ]
    rollback_freeze_ms: Annotated[
        float | None, Meta(description="For how long the rollback held writes; null before it.")
    ]


class StepSchema(ResponseBody, frozen=True, kw_only=True):
    """One step of the stepper."""

    step: str
    state: Annotated[str, one_of(StepState)]
    started_at: Instant | None
    took_seconds: float | None
    who: str
    text: Annotated[str, Meta(description="Details, where they are known.")]
    phrases: Phrases | UnsetType = UNSET


class SwitchStepSchema(ResponseBody, frozen=True, kw_only=True):
    """One step of the switch itself."""

    step: str
    state: str
    text: str
    phrases: Phrases | UnsetType = UNSET
    took_seconds: float | None


class ReadinessApprovalsSchema(ResponseBody, frozen=True, kw_only=True):
    """How the approval stands."""

    purpose: Annotated[
        str, Meta(description="What it is for: `switch`, or `revert` while the upgrade can be rolled back.")
    ]
    needed: int
    votes_given: int
    request_id: str | None
    state: str
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    policy: str
    group: str
    groups: Annotated[str, Meta(description="All groups in their order: `approver, then security`.")]
    void_when_worse: Annotated[
        bool, Meta(description="By the policy, votes are void once a check that passed fails.")
    ]


class ReadinessSchema(ResponseBody, frozen=True, kw_only=True):
    """What stands between an upgrade and its switch; `not_before` is null when no window, freeze or plan forbids it now."""

    not_before: Instant | None
    checks: list[CheckSchema]
    approvals: ReadinessApprovalsSchema
    predicted_freeze_ms: float | None


class RehearsedStepSchema(ResponseBody, frozen=True, kw_only=True):
    """What one step would do."""

    step: str
    text: str
    phrases: Phrases | UnsetType = UNSET


class RehearsalSchema(ResponseBody, frozen=True, kw_only=True):
    """What a switch or a rollback would do now, in its order; `stopped` says what would end it early."""

    steps: list[RehearsedStepSchema]
    predicted_freeze_ms: float | None
    stopped: str
    stopped_phrases: Phrases | UnsetType = UNSET


class UnfulfilledRequestSchema(ResponseBody, frozen=True, kw_only=True):
    """Why what was asked for last was not done."""

    at: Instant
    text: str
    phrases: Phrases | UnsetType = UNSET


class DataTaskSchema(ResponseBody, frozen=True, kw_only=True):
    """A task that brings the stored data of a version to a newer data version."""

    task_tag: str
    target_data_version: str
    done: int
    total: int
    progress: Annotated[dict[str, int], Meta(description="What each unfinished shard says.")]


class UpgradeSchema(UpgradeSummarySchema, frozen=True, kw_only=True):
    """An upgrade with its steps, its readiness and its actions."""

    paced: Annotated[
        CopyPacingSchema | None, Meta(description="Null: it copies and compares as fast as it can.")
    ]
    steps: list[StepSchema]
    preflight: Annotated[
        list[CheckSchema],
        Meta(description="What the start went by; while it is planned, what it would go by now."),
    ]
    switch_steps: list[SwitchStepSchema]
    readiness: ReadinessSchema
    actions: list[AvailableActionSchema]
    data_tasks: list[DataTaskSchema]
    rehearsal: (
        Annotated[RehearsalSchema, Meta(description="Only in a dry run of switch and rollback.")] | UnsetType
    ) = UNSET
    plan: dict[str, Any]
    operation_id: Annotated[
        str, Meta(description="The operation that carries out what was asked last; empty when none does.")
    ]
    handed_over_to: Annotated[
        str, Meta(description="Where it goes on, of one that was handed over; empty of all others.")
    ]
    undone: UnfulfilledRequestSchema | None


class NewUpgradeSchema(RequestBody, frozen=True, kw_only=True):
    """What a deployment shall become."""

    deployment: Annotated[str, Meta(min_length=1, max_length=400)]
    target_version: Annotated[str, Meta(max_length=64)] = ""
    kind: Annotated[str, one_of(UpgradeKind)] = UpgradeKind.VERSION.value
    target_location: Annotated[str, Meta(max_length=100)] = ""
    target_data_version: Annotated[str, Meta(max_length=64)] = ""
    comment: Annotated[str, Meta(max_length=4000)] = ""
    automatic: bool | None = None
    downgrade_sync: bool = True
    start: bool = False
    rollback_hours: Annotated[int, Meta(ge=1, le=2160, description="How long rollback stays possible.")] = 168
    target_shard_count: Annotated[
        int,
        Meta(
            ge=0,
            le=4096,
            description="As many shards as the data shall have; 0 for as many as they have. "
            "With another version or location, or alone with the kind `shards`.",
        ),
    ] = 0


class UpgradeActionSchema(RequestBody, frozen=True, kw_only=True):
    """What goes with an action: words for the record; `reason` and `ticket` also override approval by break-glass."""

    comment: Annotated[str, Meta(max_length=4000)] = ""
    ticket: Annotated[str, Meta(max_length=200)] = ""
    hours: Annotated[int, Meta(ge=0, le=2160, description="For `extend`: how long from now.")] = 0
    shard: Annotated[int, Meta(ge=0, description="For `retry-shard`.")] | UnsetType = UNSET
    limit: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="For `throttle`: so many resources a second at most; null for no bound."),
    ] = None
    automatic: Annotated[bool, Meta(description="For `edit`: whether it switches by itself.")] | UnsetType = (
        UNSET
    )
    not_before: (
        Annotated[
            Instant | None,
            Meta(description="For `edit`: when the switch may happen at the earliest."),
        ]
        | UnsetType
    ) = UNSET
    rollback_hours: (
        Annotated[int, Meta(ge=1, le=2160, description="For `edit`: how long rollback stays possible.")]
        | UnsetType
    ) = UNSET


class NewRequestToPeopleSchema(RequestBody, frozen=True, kw_only=True):
    """What one asks others to do, and why."""

    action: Annotated[str, Meta(min_length=1, max_length=40)]
    comment: Annotated[str, Meta(max_length=4000)] = ""


class CommentSchema(RequestBody, frozen=True, kw_only=True):
    """Words for everybody who follows an upgrade."""

    comment: Annotated[str, Meta(min_length=1, max_length=4000)]


class TimelineEntrySchema(ResponseBody, frozen=True, kw_only=True):
    """One line of the story."""

    seq: int
    at: Instant
    who: str
    kind: str
    text: str
    phrases: Phrases | UnsetType = UNSET
    details: dict[str, Any]


class ShardTransitionSchema(ResponseBody, frozen=True, kw_only=True):
    """A moment at which a shard came into another state or stage."""

    at: Instant
    state: Annotated[str, one_of(ShardState)]
    stage: str
    copied: int
    applied: int
    error: str


class SamplesSchema(ResponseBody, frozen=True, kw_only=True):
    """The curves, as columns."""

    at: list[Instant]
    ready: list[int]
    lag_p50: list[float | None]
    lag_p95: list[float | None]
    lag_max: list[float | None]
    rate: list[float]
    write_p95: list[float | None]


class QuarantinedResourceSchema(ResponseBody, frozen=True, kw_only=True):
    """A resource that could not be carried over."""

    shard: int
    type: str
    name: str
    revision: int
    error: str
    code: str
    attempts: int
    retry_at: Instant | None
    state: str
    changes_behind: int


class QuarantineActionSchema(RequestBody, frozen=True, kw_only=True):
    """What shall become of a quarantined resource."""

    type: Annotated[str, Meta(min_length=1, max_length=200)]
    name: Annotated[str, Meta(min_length=1, max_length=4000)]
    verdict: Annotated[str, one_of(["retry", "waive"])]
    comment: Annotated[str, Meta(max_length=4000)] = ""


class FacetSchema(ResponseBody, frozen=True, kw_only=True):
    """One value that a list can be narrowed to, and how many it would show."""

    value: str
    count: int


class FacetsSchema(ResponseBody, frozen=True, kw_only=True):
    """What a list of upgrades can be narrowed to."""

    service: list[FacetSchema]
    region: list[FacetSchema]
    state: list[FacetSchema]
    kind: list[FacetSchema]

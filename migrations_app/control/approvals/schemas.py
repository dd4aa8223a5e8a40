"""The shapes of what a decision puts at stake."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from migrations_app.domain.approvals.risk import RiskLevel
from migrations_app.web.contract import Instant, ResponseBody, one_of
from migrations_app.web.shared_schemas import Phrases


class EarliestSwitchSchema(ResponseBody, frozen=True, kw_only=True):
    """When it would happen if the last vote came now; `not_before` is null when nothing holds it back."""

    sentence: str
    phrases: Phrases | UnsetType = UNSET
    not_before: Instant | None


class RiskSchema(ResponseBody, frozen=True, kw_only=True):
    """How careful to be, and why."""

    level: Annotated[str, one_of(RiskLevel)]
    reasons: list[str]
    reason_phrases: (
        Annotated[list[Phrases], Meta(description="Each of `reasons` in phrases.")] | UnsetType
    ) = UNSET


class RegionVersionSchema(ResponseBody, frozen=True, kw_only=True):
    """What a region serves; `here` is the one decided about."""

    region: str
    version: str
    here: bool


class DependantSchema(ResponseBody, frozen=True, kw_only=True):
    """A deployment that stands on this one; `builds_on` is empty for a mere use."""

    service: str
    region: str
    version: str
    builds_on: str


class CallerSchema(ResponseBody, frozen=True, kw_only=True):
    """A client that was seen to call the version that is left."""

    client: str
    messages: int
    last_seen: Instant


class ReachSchema(ResponseBody, frozen=True, kw_only=True):
    """The impact."""

    resources: int
    resources_counted: Annotated[
        bool, Meta(description="false: `resources` is 0 because none were counted yet.")
    ]
    regions: list[RegionVersionSchema]
    dependants: list[DependantSchema]
    callers: list[CallerSchema]
    seen_days: Annotated[int, Meta(description="How many days back callers were looked for.")]


class ReportCountsSchema(ResponseBody, frozen=True, kw_only=True):
    """What clients would notice: by weight, what would break them, and what is not accepted yet."""

    counts: dict[str, int]
    breaking: int
    to_accept: int


class BreakingReferenceSchema(ResponseBody, frozen=True, kw_only=True):
    """A field of a deployment's resources that refers to what the version does not have."""

    service: str
    region: str
    version: str
    type: str
    path: str
    kind: str
    target: str
    reason: str
    phrases: Phrases | UnsetType = UNSET


class ReferencesAtStakeSchema(ResponseBody, frozen=True, kw_only=True):
    """The references that would break; `unknown` names services whose definition does not tell."""

    breaking: list[BreakingReferenceSchema]
    unknown: list[str]


class ImpactSchema(ResponseBody, frozen=True, kw_only=True):
    """What a decision puts at stake; equal `change`s may be approved together."""

    when: EarliestSwitchSchema
    risk: RiskSchema
    blast: ReachSchema
    report: ReportCountsSchema | None
    references: ReferencesAtStakeSchema
    change: str

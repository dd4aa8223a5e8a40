"""The shapes of what lies before an upgrade that is only planned."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from migrations_app.control.approvals.schemas import DependantSchema
from migrations_app.control.upgrade_state.check_schemas import CheckSchema
from migrations_app.web.contract import Instant, ResponseBody
from migrations_app.web.shared_schemas import Phrases


class ForecastPolicySchema(ResponseBody, frozen=True, kw_only=True):
    """The policy that counts, what it asks in words, and why it is this one."""

    name: str
    needed: int
    group: str
    critical: bool
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    reason: str
    reason_phrases: Phrases | UnsetType = UNSET


class ForecastWindowSchema(ResponseBody, frozen=True, kw_only=True):
    """Whether windows and freezes would let it switch now, and when next."""

    allowed: bool
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    next_open: Instant | None


class CopyDurationSchema(ResponseBody, frozen=True, kw_only=True):
    """How long the newest copies of the service took until all shards were caught up."""

    low_seconds: float
    high_seconds: float
    upgrades: int


class UpgradeForecastSchema(ResponseBody, frozen=True, kw_only=True):
    """What lies before it; `resources` as of the last copy, null when there was none."""

    policy: ForecastPolicySchema
    window: ForecastWindowSchema
    resources: int | None
    took: CopyDurationSchema | None
    rollback: str
    rollback_phrases: Phrases | UnsetType = UNSET
    dependants: list[DependantSchema]


class DryRunSchema(ResponseBody, frozen=True, kw_only=True):
    """A plan that was not kept: what it would do, and what stands against it."""

    plan: dict[str, Any]
    plan_digest: str
    checks: list[CheckSchema]
    would: list[str]
    would_phrases: list[Phrases] | UnsetType = UNSET
    possible: bool
    prospects: UpgradeForecastSchema

"""Types of the operations of rollouts.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import AvailableAction, Check, Phrase, UpgradeForecast


class LeftOut(Struct, frozen=True, kw_only=True):
    """A deployment that cannot move now, and why."""

    deployment: str
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class NewRolloutRequest(Struct, frozen=True, kw_only=True):
    """Which deployments shall move to which version, wave after wave."""

    title: str | UnsetType = UNSET
    comment: str | UnsetType = UNSET
    target_version: str
    waves: list[list[str]]
    max_parallel: int | UnsetType = UNSET
    pause_seconds: int | UnsetType = UNSET
    automatic: bool | UnsetType | None = UNSET
    downgrade_sync: bool | UnsetType = UNSET
    rollback_hours: int | UnsetType = UNSET
    start: bool | UnsetType = UNSET
    plan_digest: str | UnsetType = UNSET
    """What the dry run called the plan: 412 when it would be another one."""


class ProposedItem(Struct, frozen=True, kw_only=True):
    """One deployment in its wave, with the reasons why it stands there."""

    deployment: str
    service: str
    region: str
    from_version: str
    seconds: float | None
    """What upgrades of its service took; null where unknown."""
    not_before: datetime | None
    """When a window or freeze lets it switch at the earliest, if its wave begins as expected; null where
    none is waited for.
    """
    reasons: list[str]
    reason_phrases: list[list[Phrase]] | UnsetType = UNSET


class Rollout(Struct, frozen=True, kw_only=True):
    """A rollout with what it offers."""

    id: str
    rev: int
    title: str
    comment: str
    state: str
    reason: str
    reason_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    wave: int | None
    max_parallel: int
    pause_seconds: int
    plan_digest: str
    """Names every deployment's plan, the order and the pace."""
    created_by: str
    created_at: datetime
    finished_at: datetime | None
    waves: list[list[RolloutItem]]
    actions: list[AvailableAction]


class RolloutActionRequest(Struct, frozen=True, kw_only=True):
    """What goes with an action: for `retry` and `skip` the deployment, for `skip` and `stop` the reason,
    for `start` and `replan` what was looked at.
    """

    deployment: str | UnsetType = UNSET
    comment: str | UnsetType = UNSET
    plan_digest: str | UnsetType = UNSET
    """For `start`: the plan to begin; 412 when it is another one by now."""
    proposal_digest: str | UnsetType = UNSET
    """For `replan`: the proposal to take; 412 when it is another one by now."""


class RolloutItem(Struct, frozen=True, kw_only=True):
    """One deployment in its wave."""

    deployment: str
    service: str
    region: str
    from_version: str
    to_version: str
    state: str
    reason: str
    reason_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    upgrade_id: str
    upgrade_state: str
    plan_digest: str
    """The plan that the rollout begins, and no other."""
    plan_changed: bool
    """Its upgrade has another plan by now."""
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    ready: int
    total: int
    percent: int | None
    """null: not counted yet."""
    lag_seconds: float | None
    unknown_shards: int
    """Shards whose last report is too old to be believed."""
    oldest_report_at: datetime | None
    blocked: bool
    """Something holds its upgrade up."""
    freeze_ms: float | None
    """The pause of writes of its switch; null before it."""
    reversible_until: datetime | None
    settled_at: datetime | None


class RolloutPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[RolloutSummary]
    next_cursor: str | None
    has_more: bool


class RolloutProposal(Struct, frozen=True, kw_only=True):
    """Waves in which no intermediate state breaks an importer."""

    kind: str
    target_version: str
    seconds: float | None
    """Of all waves one after the other, with what they wait for windows; null where one is unknown."""
    waves: list[list[ProposedItem]]
    left_out: list[LeftOut]


class RolloutProposalPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[RolloutProposal]
    next_cursor: str | None
    has_more: bool


class RolloutRehearsal(Struct, frozen=True, kw_only=True):
    """A rollout that was not kept."""

    possible: bool
    plan_digest: str
    """Names the plan; empty when a deployment cannot be planned."""
    items: list[RolloutRehearsalItem]


class RolloutRehearsalItem(Struct, frozen=True, kw_only=True):
    """What the plan of one deployment would come to."""

    deployment: str
    wave: int
    possible: bool
    checks: list[Check]
    problem: dict[str, Any] | None
    prospects: UpgradeForecast | None


class RolloutRest(Struct, frozen=True, kw_only=True):
    """Whether the waves that a rollout did not begin still hold by the facts of now, and the ones
    proposed instead.
    """

    holds: bool
    reasons: list[str]
    reason_phrases: list[list[Phrase]] | UnsetType = UNSET
    digest: str
    """Names the proposed waves, for `replan`."""
    proposal: RolloutProposal


class RolloutSummary(Struct, frozen=True, kw_only=True):
    """A rollout with its waves."""

    id: str
    rev: int
    title: str
    comment: str
    state: str
    reason: str
    reason_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    wave: int | None
    max_parallel: int
    pause_seconds: int
    plan_digest: str
    """Names every deployment's plan, the order and the pace."""
    created_by: str
    created_at: datetime
    finished_at: datetime | None
    waves: list[list[RolloutItem]]


class RolloutTarget(Struct, frozen=True, kw_only=True):
    """A version of the services that were asked about; `reachable` where all of them can go there."""

    version: str
    reachable: bool
    unreachable: list[UnreachableDeployment]


class RolloutTargetPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[RolloutTarget]
    next_cursor: str | None
    has_more: bool


class UnreachableDeployment(Struct, frozen=True, kw_only=True):
    """A deployment that cannot go to a version, and why."""

    deployment: str
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""

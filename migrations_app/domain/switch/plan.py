"""What an upgrade promises to do, and the digest by which people say yes to exactly that."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrations_app.domain.switch.words import count
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.json import JsonObject, digest

ROLLBACK_HOURS = 7 * 24
"""How long rollback stays possible where the plan does not say."""


class UpgradeKind(StrEnum):
    """What an upgrade changes: the version, where the data lie, the data in place, or how many shards they have."""

    VERSION = "version"
    LOCATION = "location"
    DATA = "data"
    SHARDS = "shards"


@dataclass(frozen=True, slots=True)
class UpgradePlan:
    """The part of an upgrade that approvals bind to; equal plans have equal digests.

    `conversion_digest` names the service folder's content, so an edited edge makes another plan.
    """

    service: str
    region: str
    from_version: str
    to_version: str
    kind: UpgradeKind
    ring: int
    conversion_digest: str
    automatic: bool = False
    downgrade_sync: bool = True
    target_location: str = ""
    target_data_version: str = ""
    target_shard_count: int = 0
    """As many shards as the target gets; 0 for as many as there are."""
    rollback_hours: int = ROLLBACK_HOURS
    not_before: str = ""
    """The instant, in ISO form, before which it does not switch; empty for any."""

    @property
    def deployment(self) -> str:
        """Name the deployment."""
        return f"services/{self.service}/deployments/{self.region}"

    def as_json(self) -> JsonObject:
        """Write the plan as it is stored, shown and digested."""
        # Only what differs from the usual is written, so that plans made before it could be said stay equal.
        said: JsonObject = (
            {"rollback_hours": self.rollback_hours} if self.rollback_hours != ROLLBACK_HOURS else {}
        )
        if self.not_before:
            said["not_before"] = self.not_before
        if self.target_shard_count:
            said["target_shard_count"] = self.target_shard_count
        return {
            "service": self.service,
            "region": self.region,
            "from_version": self.from_version,
            "to_version": self.to_version,
            "kind": self.kind.value,
            "ring": self.ring,
            "conversion_digest": self.conversion_digest,
            "automatic": self.automatic,
            "downgrade_sync": self.downgrade_sync,
            "target_location": self.target_location,
            "target_data_version": self.target_data_version,
            **said,
        }

    @property
    def digest(self) -> str:
        """Name the plan by its content."""
        return digest(self.as_json())


def checked(plan: UpgradePlan) -> UpgradePlan:
    """Return a plan that moves something.

    Raises: Invalid (`plan-*`) when source and target are the same, or the ring cannot be; Conflict (`plan-shards`).
    """
    moves = {
        UpgradeKind.VERSION: plan.from_version != plan.to_version,
        UpgradeKind.LOCATION: bool(plan.target_location),
        UpgradeKind.DATA: bool(plan.target_data_version),
        UpgradeKind.SHARDS: bool(plan.target_shard_count),
    }
    if plan.target_shard_count and (plan.kind is UpgradeKind.DATA or not moves[plan.kind]):
        raise Conflict(
            f"The {count(plan.ring, 'shard')} of {plan.deployment} can become {plan.target_shard_count} only where its "
            "data are copied.",
            code="plan-shards",
            remedy="Ask for it with kind shards, another version or another location.",
        )
    if plan.kind is UpgradeKind.SHARDS and not moves[plan.kind]:
        raise Invalid(
            f"The data of {plan.deployment} have {count(plan.ring, 'shard')} already.",
            code="plan-no-move",
            remedy="Choose another shard count, 1 to 4096.",
        )
    if not moves[plan.kind]:
        raise Invalid(
            f"{plan.deployment} is already at {plan.to_version}.",
            code="plan-no-move",
            remedy="Choose another target.",
        )
    shards = plan.target_shard_count or plan.ring
    if not (1 <= plan.ring <= 4096 and 1 <= shards <= 4096):
        raise Invalid(
            f"A ring of {shards} shards cannot be.", code="plan-ring", remedy="Take 1 to 4096, usually 16."
        )
    if not 1 <= plan.rollback_hours <= 90 * 24:
        raise Invalid(
            f"A rollback of {plan.rollback_hours} hours cannot be.",
            code="plan-rollback-hours",
            remedy="Take 1 hour to 90 days.",
        )
    return plan


def would(plan: UpgradePlan, resources: int | None, approvals: int, groups: str = "") -> tuple[str, ...]:
    """Tell in sentences what carrying out `plan` would do, step by step; `groups` says who votes where several do."""
    many = "every resource" if resources is None else f"{resources:,} resources"
    asked = {0: "No approval is needed.", 1: "One approval is asked for."}
    votes = asked.get(approvals, f"{approvals} approvals are asked for{f': {groups}' if groups else ''}.")
    if plan.kind is UpgradeKind.DATA:
        return (
            f"Change {many} of {plan.deployment} in place, in {plan.ring} shards, while writes go on.",
            "Change what is written meanwhile as well, until all shards are caught up.",
            votes,
            f"Show {plan.target_data_version} as the data version; no writer waits, and there is no rollback.",
        )
    if plan.kind is UpgradeKind.SHARDS:
        return _would_renumber(plan, many, votes)
    back = (
        f"From then on {plan.to_version} serves, and its writes are replicated to {plan.from_version}."
        if plan.downgrade_sync
        else f"From then on {plan.to_version} serves; {plan.from_version} stays as it was at the switch."
    )
    shards = f", with {count(plan.target_shard_count, 'shard')}" if plan.target_shard_count else ""
    return (
        f"Prepare a namespace for {plan.to_version} of {plan.deployment}{shards}.",
        f"Copy and convert {many} in {plan.ring} shards, while writes go on.",
        "Follow every live write until all shards are caught up.",
        votes,
        f"Pause writes for a moment, copy the last changes, compare both sides, and serve {plan.to_version}.",
        back,
        f"Complete when no rollback is needed any more, at the latest after {lasting(plan.rollback_hours)}: {plan.from_version} is kept read-only, then removed.",
    )


def _would_renumber(plan: UpgradePlan, many: str, votes: str) -> tuple[str, ...]:
    old, new = count(plan.ring, "shard"), count(plan.target_shard_count, "shard")
    back = (
        f"From then on these serve, and their writes are replicated to the {old}."
        if plan.downgrade_sync
        else f"From then on these serve; the {old} stay as they were at the switch."
    )
    return (
        f"Prepare a second namespace for {plan.to_version} of {plan.deployment}, with {new}.",
        f"Copy {many} from {old} to {new}, while writes go on.",
        "Follow every live write until all shards are caught up.",
        votes,
        "Pause writes for a moment, copy the last changes, compare both sides, and serve the new namespace.",
        back,
        f"Complete when no rollback is needed any more, at the latest after {lasting(plan.rollback_hours)}: the {old} are kept read-only, then removed.",
    )


def lasting(hours: int) -> str:
    """Write a number of hours as people say it: `7 days`, `36 hours`."""
    return count(hours // 24, "day") if hours % 24 == 0 else count(hours, "hour")


def evidence_digest(plan_digest: str, facts: JsonObject) -> str:
    """Name what a vote is given for: the plan and the slow-moving facts that were shown with it."""
    return digest({"plan": plan_digest, "facts": facts})

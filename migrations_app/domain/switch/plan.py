"""What an upgrade promises to do, and the digest by which people say yes to exactly that."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrations_app.domain.switch.words import count, where
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.json import JsonObject, digest
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, message

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
            counted(
                plan.ring,
                "The {count} shard of {deployment} can become {target} only where its data are copied.",
                "The {count} shards of {deployment} can become {target} only where its data are copied.",
                deployment=plan.deployment,
                target=plan.target_shard_count,
            ),
            code="plan-shards",
            remedy=message("Ask for it with kind shards, another version or another location."),
        )
    if plan.kind is UpgradeKind.SHARDS and not moves[plan.kind]:
        raise Invalid(
            counted(
                plan.ring,
                "The data of {deployment} have {count} shard already.",
                "The data of {deployment} have {count} shards already.",
                deployment=plan.deployment,
            ),
            code="plan-no-move",
            remedy=message("Choose another shard count, 1 to 4096."),
        )
    if not moves[plan.kind]:
        raise Invalid(
            message(
                "{deployment} is already at {to_version}.",
                deployment=plan.deployment,
                to_version=plan.to_version,
            ),
            code="plan-no-move",
            remedy=message("Choose another target."),
        )
    return _within_bounds(plan)


def _within_bounds(plan: UpgradePlan) -> UpgradePlan:
    """Return a plan whose numbers can be.

    Raises: Invalid (`plan-ring`, `plan-rollback-hours`).
    """
    shards = plan.target_shard_count or plan.ring
    if not (1 <= plan.ring <= 4096 and 1 <= shards <= 4096):
        raise Invalid(
            message("{shards} shards are not possible.", shards=shards),
            code="plan-ring",
            remedy=message("Use 1 to 4096, usually 16."),
        )
    if not 1 <= plan.rollback_hours <= 90 * 24:
        raise Invalid(
            message(
                "A rollback window of {rollback_hours} hours is not possible.",
                rollback_hours=plan.rollback_hours,
            ),
            code="plan-rollback-hours",
            remedy=message("Use 1 hour to 90 days."),
        )
    return plan


def would(plan: UpgradePlan, approvals: int, stages: WordedMessage = NOTHING) -> tuple[WordedMessage, ...]:
    """Tell in sentences what carrying out `plan` would do, step by step; `stages` says who votes after whom."""
    votes = _votes(approvals) + stages
    if plan.kind is UpgradeKind.DATA:
        return (
            counted(
                plan.ring,
                "Change every resource of {deployment} in place, in {count} shard, while writes go on.",
                "Change every resource of {deployment} in place, in {count} shards, while writes go on.",
                deployment=where(plan.service, plan.region),
            ),
            message("Change what is written meanwhile as well, until all shards are caught up."),
            votes,
            message(
                "Show {version} as the data version; no writer waits, and there is no rollback.",
                version=plan.target_data_version,
            ),
        )
    if plan.kind is UpgradeKind.SHARDS:
        return _would_renumber(plan, votes)
    return (
        _prepared(plan),
        counted(
            plan.ring,
            "Copy and convert every resource in {count} shard, while writes go on.",
            "Copy and convert every resource in {count} shards, while writes go on.",
        ),
        message("Follow every live write until all shards are caught up."),
        votes,
        message(
            "Pause writes for a moment, copy the last changes, compare both sides, and serve {version}.",
            version=plan.to_version,
        ),
        _served(plan),
        message(
            "Complete when no rollback is needed any more: {version} is kept read-only, then removed.",
            version=plan.from_version,
        )
        + _deadline(plan),
    )


def _votes(approvals: int) -> WordedMessage:
    if not approvals:
        return message("No approval is needed.")
    return counted(approvals, "{count} approval is needed.", "{count} approvals are needed.")


def _prepared(plan: UpgradePlan) -> WordedMessage:
    names = {"version": plan.to_version, "deployment": where(plan.service, plan.region)}
    if not plan.target_shard_count:
        return message("Prepare a namespace for {version} of {deployment}.", **names)
    return counted(
        plan.target_shard_count,
        "Prepare a namespace for {version} of {deployment}, with {count} shard.",
        "Prepare a namespace for {version} of {deployment}, with {count} shards.",
        **names,
    )


def _served(plan: UpgradePlan) -> WordedMessage:
    versions = {"new": plan.to_version, "old": plan.from_version}
    if plan.downgrade_sync:
        return message(
            "From then on {new} serves, and its writes are replicated to {old}.",
            **versions,
        )
    return message("From then on {new} serves; {old} stays as it was at the switch.", **versions)


def _would_renumber(plan: UpgradePlan, votes: WordedMessage) -> tuple[WordedMessage, ...]:
    if plan.downgrade_sync:
        back = message("From then on it serves, and its writes are replicated to the old one.")
    else:
        back = message("From then on it serves; the old one stays as it was at the switch.")
    return (
        counted(
            plan.target_shard_count,
            "Prepare a second namespace for {version} of {deployment}, with {count} shard.",
            "Prepare a second namespace for {version} of {deployment}, with {count} shards.",
            version=plan.to_version,
            deployment=where(plan.service, plan.region),
        ),
        message(
            "Copy every resource while writes go on: the shard count changes from {old} to {new}.",
            old=plan.ring,
            new=plan.target_shard_count,
        ),
        message("Follow every live write until all shards are caught up."),
        votes,
        message(
            "Pause writes for a moment, copy the last changes, compare both sides, and serve the new namespace."
        ),
        back,
        message(
            "Complete when no rollback is needed any more: the old namespace is kept read-only, then removed."
        )
        + _deadline(plan),
    )


def _deadline(plan: UpgradePlan) -> WordedMessage:
    hours = plan.rollback_hours
    if hours % 24:
        return counted(
            hours,
            "That is after {count} hour at the latest.",
            "That is after {count} hours at the latest.",
        )
    return counted(
        hours // 24, "That is after {count} day at the latest.", "That is after {count} days at the latest."
    )


def lasting(hours: int) -> str:
    """Write a number of hours as people say it: `7 days`, `36 hours`."""
    return count(hours // 24, "day") if hours % 24 == 0 else count(hours, "hour")


def evidence_digest(plan_digest: str, facts: JsonObject) -> str:
    """Name what a vote is given for: the plan and the slow-moving facts that were shown with it."""
    return digest({"plan": plan_digest, "facts": facts})

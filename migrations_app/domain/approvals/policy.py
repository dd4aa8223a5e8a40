"""Approval policies: how many must agree, from which group, and the one that wins for a deployment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

from migrations_app.domain.approvals.about import ANY, About, Subject
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import JsonObject, digest
from migrations_app.kernel.messages import NOTHING, WordedMessage, as_message, counted, message


class Purpose(StrEnum):
    """What is decided: going forward, rolling back, going on without a deployment, or refusing deprecated requests."""

    SWITCH = "switch"
    REVERT = "revert"
    EVICT = "evict"
    BROWN_OUT = "brownout"


# What is asked of people for an upgrade.
OF_UPGRADES = (Purpose.SWITCH, Purpose.REVERT)


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a policy or a window counts: globs over service, region and environment."""

    service: str = "*"
    region: str = "*"
    environment: str = "*"

    def covers(self, service: str, region: str, environment: str) -> bool:
        """Tell whether a deployment lies in this scope."""
        return (
            fnmatchcase(service, self.service)
            and fnmatchcase(region, self.region)
            and fnmatchcase(environment, self.environment)
        )

    @property
    def weight(self) -> tuple[int, int, int]:
        """Rank scopes: an exact name beats a glob, a longer glob beats `*`; service before region."""
        return (_weight(self.service), _weight(self.region), _weight(self.environment))


EVERYWHERE = Scope()
"""No bounds at all."""


def _weight(glob: str) -> int:
    if glob == "*":
        return 0
    return 1000 if not any(mark in glob for mark in "*?[") else len(glob)


@dataclass(frozen=True, slots=True)
class ApprovalStage:
    """So many people with one role, or of one group; they vote once those of the stage before have agreed."""

    group: str
    needed: int

    @property
    def sentence(self) -> str:
        """Say who it is: `2 people with the role or group approver`."""
        return (
            f"{self.needed} {'person' if self.needed == 1 else 'people'} with the role or group {self.group}"
        )


@dataclass(frozen=True, slots=True)
class Policy:
    """What must be agreed before a step. Four eyes is no field: the requester never votes.

    `needed` of `group` agree first, then each stage of `then` in its order. `free_seconds` is for rolling back:
    so long after the switch no vote is needed. `about` says which upgrades of its scope are meant.
    """

    name: str
    purpose: Purpose
    scope: Scope = EVERYWHERE
    needed: int = 1
    group: str = "approver"
    last_approver_may_run: bool = True
    expires_seconds: int = 86_400
    critical: bool = False
    window_needed: bool = False
    break_glass_group: str = "admin"
    then: tuple[ApprovalStage, ...] = ()
    free_seconds: int = 0
    about: About = ANY
    void_when_worse: bool = False
    """Whether votes are void once a check fails that passed when one of them was given; otherwise they bind to the plan."""

    @property
    def stages(self) -> tuple[ApprovalStage, ...]:
        """List who must agree, in order; empty when no vote is needed."""
        return (ApprovalStage(self.group, self.needed), *self.then) if self.needed else ()

    @property
    def total(self) -> int:
        """Count the approvals of all stages."""
        return sum(stage.needed for stage in self.stages)

    def stage_at(self, given: int) -> ApprovalStage:
        """Name the stage that votes when so many have agreed; the last one once all have."""
        for stage in self.stages:
            if given < stage.needed:
                return stage
            given -= stage.needed
        return self.stages[-1] if self.stages else ApprovalStage(self.group, 0)

    @property
    def asks(self) -> str:
        """Say who must agree: `2 people with the role or group approver, then 1 person with the role or group security`."""
        return ", then ".join(stage.sentence for stage in self.stages) or "no votes"

    @property
    def must_approve(self) -> WordedMessage:
        """Say who must agree, a sentence for each stage."""
        words = NOTHING
        for stage in self.stages:
            if words:
                words += message("Then:")
            words += counted(
                stage.needed,
                "{count} person with the role or group {group} must approve.",
                "{count} people with the role or group {group} must approve.",
                group=stage.group,
            )
        return words

    @property
    def groups(self) -> str:
        """Name the groups in their order: `approver, then security`."""
        return ", then ".join(stage.group for stage in self.stages)

    def as_json(self) -> JsonObject:
        """Write the policy as it is shown and digested."""
        return {
            "name": self.name,
            "purpose": self.purpose.value,
            "service": self.scope.service,
            "region": self.scope.region,
            "environment": self.scope.environment,
            "needed": self.needed,
            "group": self.group,
            "last_approver_may_run": self.last_approver_may_run,
            "expires_seconds": self.expires_seconds,
            "critical": self.critical,
            "window_needed": self.window_needed,
            "break_glass_group": self.break_glass_group,
            "then": [{"group": stage.group, "needed": stage.needed} for stage in self.then],
            "free_seconds": self.free_seconds,
            "about": self.about.as_json(),
            "void_when_worse": self.void_when_worse,
        }

    @property
    def digest(self) -> str:
        """Name the policy by its content; votes are void when it changes."""
        said = self.as_json()
        # What a policy does not use is not named: votes given before the console knew it still count.
        return digest({name: value for name, value in said.items() if name not in _LATER or value})


_LATER = ("then", "free_seconds", "about", "void_when_worse")


DEFAULTS = {
    Purpose.SWITCH: Policy("default-switch", Purpose.SWITCH, needed=2),
    Purpose.REVERT: Policy("default-revert", Purpose.REVERT, needed=0),
    Purpose.EVICT: Policy("default-evict", Purpose.EVICT, needed=2, group="admin"),
    Purpose.BROWN_OUT: Policy("default-brownout", Purpose.BROWN_OUT, needed=0),
}
"""What counts without a policy: two votes to go forward, none to roll back or for a brown-out, two of admins to evict."""
FEWEST_TO_EVICT = 2
MOST_STAGES = 5
LONGEST_FREE_SECONDS = 86_400


def effective(
    policies: Iterable[Policy],
    purpose: Purpose,
    service: str,
    region: str,
    environment: str,
    subject: Subject | None = None,
) -> Policy:
    """Pick the policy that wins: the most specific scope, then what it asks of the upgrade, the strictest, by name.

    Without a subject no upgrade is meant, and only policies about all of them count.
    """
    found = [
        policy
        for policy in policies
        if policy.purpose is purpose
        and policy.scope.covers(service, region, environment)
        and policy.about.meets(subject)
    ]
    if not found:
        return DEFAULTS[purpose]
    return max(
        found,
        key=lambda each: (each.scope.weight, each.about.weight, each.total, each.void_when_worse, each.name),
    )


def checked(policy: Policy) -> Policy:
    """Return a policy that can be met.

    Raises: Invalid (`policy`) naming each field that cannot be.
    """
    wrong = _votes_wrong(policy) + _stages_wrong(policy) + _free_wrong(policy) + _of_no_upgrade_wrong(policy)
    if policy.critical and policy.last_approver_may_run:
        wrong.append(
            Violation(
                "last_approver_may_run",
                message("On a critical policy the last approver may not run it."),
                message("Set it to false."),
                "critical",
            )
        )
    if wrong:
        first = wrong[0]
        remedy = as_message(first.remedy, first.remedy_phrases)
        raise Invalid(first.words, code="policy", remedy=remedy, violations=tuple(wrong))
    return policy


def _votes_wrong(policy: Policy) -> list[Violation]:
    """Say what of the name, the first stage and the deadline cannot be met."""
    wrong: list[Violation] = []
    if not policy.name or "/" in policy.name:
        wrong.append(
            Violation(
                "name", message("A policy needs a name without slashes."), message("Give one."), "blank"
            )
        )
    if not 0 <= policy.needed <= 10:
        wrong.append(
            Violation(
                "needed",
                message("{needed} approvals cannot be.", needed=policy.needed),
                message("Use 0 to 10."),
                "range",
            )
        )
    if policy.purpose is Purpose.EVICT and policy.needed < FEWEST_TO_EVICT:
        wrong.append(
            Violation(
                "needed",
                message("An eviction takes {least} approvals.", least=FEWEST_TO_EVICT),
                message("Ask for as many."),
                "range",
            )
        )
    if not 60 <= policy.expires_seconds <= 30 * 86_400:
        wrong.append(
            Violation(
                "expires_seconds",
                message("It expires too early or too late."),
                message("1 minute to 30 days."),
                "range",
            )
        )
    if policy.needed and not policy.group:
        wrong.append(
            Violation(
                "group", message("There would be no voters."), message("Name the group that may."), "blank"
            )
        )
    return wrong


def _free_wrong(policy: Policy) -> list[Violation]:
    """Say what of the time that is free of votes cannot be met."""
    wrong: list[Violation] = []
    if policy.free_seconds and policy.purpose is not Purpose.REVERT:
        wrong.append(
            Violation(
                "free_seconds",
                message("Only rolling back can be free of votes for a while."),
                message("Leave it 0, or set it on a policy for rolling back."),
                "purpose",
            )
        )
    if not 0 <= policy.free_seconds <= LONGEST_FREE_SECONDS:
        wrong.append(
            Violation("free_seconds", message("That is too long."), message("0 to 86400 seconds."), "range")
        )
    return wrong


def _stages_wrong(policy: Policy) -> list[Violation]:
    """Say what of the later stages cannot be met."""
    if policy.then and not policy.needed:
        return [
            Violation(
                "then",
                message("The first stage has no votes."),
                message("Put the first stage into group and needed."),
                "stages",
            )
        ]
    if len(policy.then) >= MOST_STAGES:
        return [
            Violation(
                "then",
                message("At most {most} stages can be.", most=MOST_STAGES),
                message("Join some of them."),
                "stages",
            )
        ]
    if any(not stage.group or not 1 <= stage.needed <= 10 for stage in policy.then):
        return [
            Violation(
                "then",
                message("Each stage names a group and 1 to 10 of it."),
                message("Complete it."),
                "stages",
            )
        ]
    return []


def _of_no_upgrade_wrong(policy: Policy) -> list[Violation]:
    """Say what a policy cannot have whose requests are about no upgrade."""
    if policy.purpose in OF_UPGRADES:
        return []
    wrong = []
    if policy.about.weight:
        wrong.append(
            Violation(
                "about",
                message("It is about no upgrade."),
                message("Let it count for all of its scope."),
                "purpose",
            )
        )
    if policy.void_when_worse:
        wrong.append(
            Violation(
                "void_when_worse",
                message("What it is about has no checks."),
                message("Set it to false."),
                "purpose",
            )
        )
    return wrong

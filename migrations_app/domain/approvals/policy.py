"""Approval policies: how many must agree, from which group, and the one that wins for a deployment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import JsonObject, digest


class Purpose(StrEnum):
    """What is decided: going forward, going back, or going on without a deployment."""

    SWITCH = "switch"
    REVERT = "revert"
    EVICT = "evict"


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
class Policy:
    """What must be agreed before a step. Four eyes is no field: the requester never votes."""

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
        }

    @property
    def digest(self) -> str:
        """Name the policy by its content; votes are void when it changes."""
        return digest(self.as_json())


DEFAULTS = {
    Purpose.SWITCH: Policy("default-switch", Purpose.SWITCH, needed=2),
    Purpose.REVERT: Policy("default-revert", Purpose.REVERT, needed=0),
    Purpose.EVICT: Policy("default-evict", Purpose.EVICT, needed=2, group="admin"),
}
"""What counts where nobody said otherwise: two votes to go forward, none to go back, two of admins to evict."""
FEWEST_TO_EVICT = 2


def effective(
    policies: Iterable[Policy], purpose: Purpose, service: str, region: str, environment: str
) -> Policy:
    """Pick the policy that wins: the most specific scope, among equals the strictest, then by name."""
    found = [
        policy
        for policy in policies
        if policy.purpose is purpose and policy.scope.covers(service, region, environment)
    ]
    if not found:
        return DEFAULTS[purpose]
    return max(found, key=lambda policy: (policy.scope.weight, policy.needed, policy.name))


def checked(policy: Policy) -> Policy:
    """Return a policy that can be met.

    Raises: Invalid (`policy`) naming each field that cannot be.
    """
    wrong = []
    if not policy.name or "/" in policy.name:
        wrong.append(Violation("name", "A policy needs a name without slashes.", "Give one.", "blank"))
    if not 0 <= policy.needed <= 10:
        wrong.append(Violation("needed", f"{policy.needed} approvals cannot be.", "Take 0 to 10.", "range"))
    if policy.purpose is Purpose.EVICT and policy.needed < FEWEST_TO_EVICT:
        wrong.append(
            Violation(
                "needed", f"An eviction takes {FEWEST_TO_EVICT} approvals.", "Ask for as many.", "range"
            )
        )
    if not 60 <= policy.expires_seconds <= 30 * 86_400:
        wrong.append(
            Violation("expires_seconds", "It expires too early or too late.", "1 min to 30 d.", "range")
        )
    if policy.needed and not policy.group:
        wrong.append(Violation("group", "Nobody could vote.", "Name the group that may.", "blank"))
    if policy.critical and policy.last_approver_may_run:
        wrong.append(
            Violation(
                "last_approver_may_run",
                "On a critical policy the last approver may not run it.",
                "Set it to false.",
                "critical",
            )
        )
    if wrong:
        raise Invalid(wrong[0].message, code="policy", remedy=wrong[0].remedy, violations=tuple(wrong))
    return policy

"""Why votes are void: what they were given for, kept fact by fact, and checks that passed then and fail now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from migrations_app.control.approval_policies.repository.approvals import (
    facts_now,
    fingerprint_of,
    policy_of,
    request_of,
)
from migrations_app.control.schemas.repository.compatibility import report_counts
from migrations_app.domain.approvals.policy import Policy
from migrations_app.domain.approvals.votes import VoteVerdict
from migrations_app.domain.switch.facts import CheckVerdict
from migrations_app.domain.switch.guards import ReadinessCheck
from migrations_app.domain.switch.words import count
from migrations_app.kernel.json import JsonObject
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import Upgrade

UNKNOWN = "plan, conversion, shards or policy are not what they were"
NOT_EVIDENCE = frozenset({"approval", "window"})
"""Checks that say nothing about the data: votes are missing, or it is not the time."""


def bound_now(upgrade: Upgrade, policy: Policy) -> JsonObject:
    """Give what a round of votes binds to, with what clients would notice of the conversion."""
    service, before, after = upgrade.service, upgrade.from_version, upgrade.to_version
    report = report_counts(service, fingerprint_of(service), before, after)
    breaking = None if report is None else report["breaking"]
    return {"plan": upgrade.plan_digest, **facts_now(upgrade, policy), "breaking": breaking}


def why_void(row: ApprovalRequest, policy: Policy) -> str:
    """Say in a sentence what changed since the round of `row` began."""
    before, now = row.bound, bound_now(row.upgrade, policy)
    said = []
    if before:
        if before["plan"] != now["plan"]:
            said.append("the plan was edited")
        if before["conversion"] != now["conversion"]:
            said.append(f"the conversion was defined anew{_breaking(before['breaking'], now['breaking'])}")
        if ended := _ended(before, now):
            findings = count(ended, "finding")
            verb = "is" if ended == 1 else "are"
            said.append(f"{findings} of the compatibility report {verb} accepted no longer")
        if before["ring"] != now["ring"]:
            said.append(f"resharded from {before['ring']} to {now['ring']} shards")
        if before["policy"] != now["policy"]:
            said.append(
                f"the policy {policy.name} asks for {policy.asks}{_instead(policy_of(row.policy), policy)}"
            )
    return f"The evidence changed: {'; '.join(said) or UNKNOWN}."


def _ended(before: JsonObject, now: JsonObject) -> int:
    then, after = before.get("lapsed"), now.get("lapsed")
    return len(after) - (len(then) if isinstance(then, list) else 0) if isinstance(after, list) else 0


def _instead(old: Policy, new: Policy) -> str:
    if old.asks != new.asks:
        return f" instead of {old.asks}"
    return "" if old.name == new.name else f" in place of {old.name}"


def _breaking(before: object, now: object) -> str:
    """Say how many places more, or fewer, would break clients."""
    if not isinstance(before, int) or not isinstance(now, int) or before == now:
        return ""
    places = count(abs(now - before), "place")
    return f", {places} {'more' if now > before else 'fewer'} would break clients"


@dataclass(frozen=True, slots=True)
class WorseCheck:
    """A check that fails now, and passed when `who` voted."""

    check: str
    who: str
    at: datetime
    passed: str
    """What it said when it passed."""
    fails: str
    """What it says now."""


def worse_checks(row: ApprovalRequest, now: Sequence[ReadinessCheck]) -> list[WorseCheck]:
    """List them for the approvals of the present round that count, each check once with the newest such vote.

    A vote of before evidence was kept with votes stands on the evidence of its round.
    """
    counted = {(vote.who, vote.round) for vote in request_of(row).counted}
    failing = {
        check.check: check
        for check in now
        if check.verdict is CheckVerdict.FAIL and check.check not in NOT_EVIDENCE
    }
    found: dict[str, WorseCheck] = {}
    for vote in row.votes.all():
        if (vote.who, vote.round) not in counted or vote.verdict != VoteVerdict.APPROVE.value:
            continue
        for check, passed in _passed(vote.evidence or row.evidence).items():
            if check in failing:
                found[check] = WorseCheck(check, vote.who, vote.at, passed, failing[check].sentence)
    return [found[check] for check in sorted(found)]


def why_worse(checks: Sequence[WorseCheck]) -> str:
    """Say in a sentence which checks got worse after a vote."""
    said = "; ".join(
        f"{check.check} passed when {check.who} voted, now: {check.fails.rstrip('.')}" for check in checks
    )
    return f"The evidence got worse: {said}."


def _passed(evidence: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {
        each["check"]: each["sentence"] for each in evidence if each["verdict"] == CheckVerdict.PASS.value
    }

"""What changed of the evidence since votes were given: facts that votes bind to, and checks that passed and fail now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from migrations_app.domain.approvals.policy import Policy
from migrations_app.domain.switch.facts import CheckVerdict
from migrations_app.domain.switch.guards import ReadinessCheck
from migrations_app.domain.switch.words import count
from migrations_app.kernel.json import JsonObject

UNKNOWN = "plan, conversion, shards or policy are not what they were"
NOT_EVIDENCE = frozenset({"approval", "window"})
"""Checks that say nothing about the data: votes are missing, or it is not the time."""


def why_void(before: JsonObject, now: JsonObject, old_policy: Policy, policy: Policy) -> str:
    """Say in a sentence what changed of the facts that a round of votes was bound to; `before` is empty where it kept none."""
    changes = []
    if before:
        if before["plan"] != now["plan"]:
            changes.append("the plan was edited")
        if before["conversion"] != now["conversion"]:
            changes.append(f"the conversion was redefined{_breaking(before['breaking'], now['breaking'])}")
        if ended := _ended(before, now):
            findings = count(ended, "finding")
            verb = "is" if ended == 1 else "are"
            changes.append(f"{findings} of the compatibility report {verb} accepted no longer")
        if before["ring"] != now["ring"]:
            changes.append(f"resharded from {before['ring']} to {now['ring']} shards")
        if before["policy"] != now["policy"]:
            changes.append(f"the policy {policy.name} asks for {policy.asks}{_instead(old_policy, policy)}")
    return f"The evidence changed: {'; '.join(changes) or UNKNOWN}."


@dataclass(frozen=True, slots=True)
class BoundVote:
    """An approval that counts, with the checks that it was given for."""

    who: str
    at: datetime
    evidence: Sequence[Mapping[str, Any]]


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


def worse_checks(votes: Sequence[BoundVote], now: Sequence[ReadinessCheck]) -> list[WorseCheck]:
    """List the checks that got worse since a vote, each once with the newest such vote."""
    failing = {
        check.check: check
        for check in now
        if check.verdict is CheckVerdict.FAIL and check.check not in NOT_EVIDENCE
    }
    worse = {
        check: WorseCheck(check, vote.who, vote.at, passed, failing[check].sentence)
        for vote in votes
        for check, passed in _passed(vote.evidence).items()
        if check in failing
    }
    return [worse[check] for check in sorted(worse)]


def why_worse(checks: Sequence[WorseCheck]) -> str:
    """Say in a sentence which checks got worse after a vote."""
    sentences = "; ".join(
        f"{check.check} passed when {check.who} voted, now: {check.fails.rstrip('.')}" for check in checks
    )
    return f"The evidence got worse: {sentences}."


def _passed(evidence: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {
        check["check"]: check["sentence"] for check in evidence if check["verdict"] == CheckVerdict.PASS.value
    }


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

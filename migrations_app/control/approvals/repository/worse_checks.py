"""Checks that passed when a vote was given and fail now: by the policy, votes are void then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from migrations_app.control.approval_policies.repository.approvals import request_of
from migrations_app.domain.approvals.votes import VoteVerdict
from migrations_app.domain.switch.facts import CheckVerdict
from migrations_app.domain.switch.guards import ReadinessCheck
from migrations_app.models.approvals import ApprovalRequest

NOT_EVIDENCE = frozenset({"approval", "window"})
"""Checks that say nothing about the data: votes are missing, or it is not the time."""


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

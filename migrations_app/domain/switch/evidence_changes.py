"""What changed of the evidence since votes were given: facts that votes bind to, and checks that passed and fail now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from migrations_app.domain.approvals.policy import Policy
from migrations_app.domain.switch.facts import CheckVerdict
from migrations_app.domain.switch.guards import ReadinessCheck
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import (
    NOTHING,
    WordedMessage,
    as_message,
    counted,
    message,
)
from migrations_app.kernel.wordings import phrases_from_json

NOT_EVIDENCE = frozenset({"approval", "window"})
"""Checks that say nothing about the data: votes are missing, or it is not the time."""


def why_void(before: JsonObject, now: JsonObject, old_policy: Policy, policy: Policy) -> WordedMessage:
    """Say what changed of the facts that a round of votes was bound to; `before` is empty where it kept none."""
    changes = NOTHING
    if before:
        if before["plan"] != now["plan"]:
            changes += message("The plan was edited.")
        if before["conversion"] != now["conversion"]:
            changes += message("The conversion was redefined.")
            changes += _breaking(before["breaking"], now["breaking"])
        if ended := _ended(before, now):
            changes += counted(
                ended,
                "{count} finding of the compatibility report is accepted no longer.",
                "{count} findings of the compatibility report are accepted no longer.",
            )
        if before["ring"] != now["ring"]:
            changes += _resharded(before["ring"], now["ring"])
        if before["policy"] != now["policy"]:
            changes += _asks(old_policy, policy)
    unknown = message("The plan, the conversion, the shards or the policy are not what they were.")
    return message("The evidence changed.") + (changes or unknown)


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
    passed: WordedMessage
    """What it said when it passed."""
    fails: WordedMessage
    """What it says now."""


def worse_checks(votes: Sequence[BoundVote], now: Sequence[ReadinessCheck]) -> list[WorseCheck]:
    """List the checks that got worse since a vote, each once with the newest such vote."""
    failing = {
        check.check: check
        for check in now
        if check.verdict is CheckVerdict.FAIL and check.check not in NOT_EVIDENCE
    }
    worse = {
        check: WorseCheck(check, vote.who, vote.at, passed, _words(failing[check]))
        for vote in votes
        for check, passed in _passed(vote.evidence).items()
        if check in failing
    }
    return [worse[check] for check in sorted(worse)]


def why_worse(checks: Sequence[WorseCheck]) -> WordedMessage:
    """Say which checks got worse after a vote."""
    words = message("The evidence got worse:")
    for check in checks:
        words += message("{check} passed when {who} voted, now:", check=check.check, who=check.who)
        words += check.fails
    return words


def _words(check: ReadinessCheck) -> WordedMessage:
    return as_message(check.sentence, check.phrases)


def _passed(evidence: Sequence[Mapping[str, Any]]) -> dict[str, WordedMessage]:
    return {
        check["check"]: as_message(check["sentence"], phrases_from_json(check.get("phrases", ())))
        for check in evidence
        if check["verdict"] == CheckVerdict.PASS.value
    }


def _ended(before: JsonObject, now: JsonObject) -> int:
    then, after = before.get("lapsed"), now.get("lapsed")
    return len(after) - (len(then) if isinstance(then, list) else 0) if isinstance(after, list) else 0


def _resharded(before: object, now: object) -> WordedMessage:
    return message("It was resharded from {before} to {now} shards.", before=str(before), now=str(now))


def _asks(old: Policy, new: Policy) -> WordedMessage:
    if old.asks != new.asks:
        return message(
            "The policy {policy} asks for {votes} instead of {old_votes}.",
            policy=new.name,
            votes=new.asks,
            old_votes=old.asks,
        )
    if old.name != new.name:
        return message(
            "The policy {policy} asks for {votes} in place of {old_policy}.",
            policy=new.name,
            votes=new.asks,
            old_policy=old.name,
        )
    return message("The policy {policy} asks for {votes}.", policy=new.name, votes=new.asks)


def _breaking(before: object, now: object) -> WordedMessage:
    """Say how many places more, or fewer, would break clients."""
    if not isinstance(before, int) or not isinstance(now, int) or before == now:
        return NOTHING
    if now > before:
        return counted(
            now - before,
            "{count} place more would break clients.",
            "{count} places more would break clients.",
        )
    return counted(
        before - now,
        "{count} place fewer would break clients.",
        "{count} places fewer would break clients.",
    )

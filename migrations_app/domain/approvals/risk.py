"""How much a decision puts at stake, in one word with its reasons: what an approver reads first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RiskLevel(StrEnum):
    """How careful to be. Only what is low may be approved together with others."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class RiskInputs:
    """What the level is read from; `breaking` is None when it is unknown."""

    critical: bool = False
    returns: bool = True
    failing: int = 0
    warnings: int = 0
    breaking: int | None = 0
    to_accept: int = 0
    dependants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Risk:
    """The level, and one sentence for each thing that raised it."""

    level: RiskLevel
    reasons: tuple[str, ...]


def risk_of(of: RiskInputs) -> Risk:
    """Weigh a decision: the heaviest reason gives the level."""
    high = _said(
        (of.critical, "The policy calls this deployment critical."),
        (not of.returns, "What is written afterwards is lost when rolling back."),
        (bool(of.breaking), f"{_many(of.breaking or 0, 'difference')} would break clients."),
    )
    medium = _said(
        (of.breaking is None, "What clients would notice is unknown."),
        (bool(of.to_accept), f"{_many(of.to_accept, 'hidden or lost value')} not accepted yet."),
        (bool(of.failing), f"{_many(of.failing, 'check')} of the evidence {'does' if of.failing == 1 else 'do'} not hold now."),
        (bool(of.warnings), f"{_many(of.warnings, 'check')} of the evidence {_verb(of.warnings, 'warn')}."),
        (bool(of.dependants), f"{', '.join(of.dependants)} {_verb(len(of.dependants), 'build')} on the version that is left."),
    )  # fmt: skip
    if high:
        return Risk(RiskLevel.HIGH, (*high, *medium))
    return Risk(RiskLevel.MEDIUM if medium else RiskLevel.LOW, medium or ("Nothing speaks against it.",))


def _said(*pairs: tuple[bool, str]) -> tuple[str, ...]:
    return tuple(text for holds, text in pairs if holds)


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _verb(number: int, verb: str) -> str:
    return f"{verb}s" if number == 1 else verb

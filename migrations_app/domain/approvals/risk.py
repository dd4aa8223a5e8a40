"""How much a decision puts at stake, in one word with its reasons: what an approver reads first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrations_app.kernel.messages import WordedMessage, counted, message


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
    words: tuple[WordedMessage, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Give the sentences as texts."""
        return tuple(map(str, self.words))


def risk_of(of: RiskInputs) -> Risk:
    """Weigh a decision: the heaviest reason gives the level."""
    high = _said(
        (of.critical, message("The policy calls this deployment critical.")),
        (not of.returns, message("What is written afterwards is lost when rolling back.")),
        (
            bool(of.breaking),
            counted(
                of.breaking or 0,
                "{count} difference would break clients.",
                "{count} differences would break clients.",
            ),
        ),
    )
    medium = _said(
        (of.breaking is None, message("What clients would notice is unknown.")),
        *_doubts(of),
        *_left_behind(of),
    )
    if high:
        return Risk(RiskLevel.HIGH, (*high, *medium))
    level = RiskLevel.MEDIUM if medium else RiskLevel.LOW
    return Risk(level, medium or (message("Nothing prevents it."),))


Reason = tuple[bool, WordedMessage]


def _doubts(of: RiskInputs) -> tuple[Reason, ...]:
    return (
        (
            bool(of.to_accept),
            counted(
                of.to_accept,
                "{count} hidden or lost value not accepted yet.",
                "{count} hidden or lost values not accepted yet.",
            ),
        ),
        (
            bool(of.failing),
            counted(
                of.failing,
                "{count} check of the evidence does not hold now.",
                "{count} checks of the evidence do not hold now.",
            ),
        ),
        (
            bool(of.warnings),
            counted(
                of.warnings, "{count} check of the evidence warns.", "{count} checks of the evidence warn."
            ),
        ),
    )


def _left_behind(of: RiskInputs) -> tuple[Reason, ...]:
    return (
        (
            bool(of.dependants),
            counted(
                len(of.dependants),
                "{deployments} imports the old version.",
                "{deployments} import the old version.",
                deployments=", ".join(of.dependants),
            ),
        ),
    )


def _said(*pairs: Reason) -> tuple[WordedMessage, ...]:
    return tuple(words for holds, words in pairs if holds)

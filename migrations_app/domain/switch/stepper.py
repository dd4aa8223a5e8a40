"""The steps that people follow an upgrade by: who took each, how long it lasted, and what it went by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from migrations_app.domain.switch.guards import ReadinessCheck, blockers
from migrations_app.domain.switch.states import State
from migrations_app.kernel.messages import NOTHING, Phrase, WordedMessage, counted


class StepState(StrEnum):
    """How far one step is."""

    DONE = "done"
    CURRENT = "current"
    TODO = "todo"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class UpgradeTransition:
    """One move that happened: into `state`, at a time, by an account."""

    state: State
    at: datetime
    who: str


@dataclass(frozen=True, slots=True)
class StepperStep:
    """One step of the stepper."""

    step: str
    state: StepState
    started_at: datetime | None = None
    took_seconds: float | None = None
    who: str = ""
    text: str = ""
    phrases: tuple[Phrase, ...] = field(default=(), compare=False)


PREFLIGHT = "Preflight"
STEPS: tuple[tuple[str, State], ...] = (
    ("Planned", State.PLANNED),
    ("Initial sync", State.SYNCING),
    ("Readiness", State.READY),
    ("Switching", State.SWITCHING),
    ("Rollback window", State.REVERSIBLE),
    ("Done", State.COMPLETED),
)
_BRANCHES = {
    State.ABORTED: "Aborted",
    State.REVERTING: "Rolling back",
    State.REVERTED: "Rolled back",
    State.HALTED: "Halted",
    State.HANDED_OVER: "Handed over",
}


def steps(
    now: datetime, marks: Iterable[UpgradeTransition], preflight: tuple[ReadinessCheck, ...] = ()
) -> tuple[StepperStep, ...]:
    """Lay the moves of an upgrade on the stepper; branches take the place of what will not happen.

    `preflight` is what the start went by, or, while it is planned, would go by now.
    """
    moves = tuple(marks)
    last = moves[-1].state
    branch = _BRANCHES.get(last)
    shown = []
    for name, state in STEPS:
        visits = _visits(moves, state, now)
        if visits:
            shown.append(_visited(name, state, visits, last))
        elif branch is None:
            shown.append(StepperStep(name, StepState.TODO))
        else:
            shown.append(StepperStep(name, StepState.SKIPPED))
    shown.insert(1, _preflight(moves, preflight))
    for state, name in _BRANCHES.items():
        visits = _visits(moves, state, now)
        if visits:
            shown.append(_visited(name, state, visits, last))
    return tuple(shown)


def _preflight(moves: tuple[UpgradeTransition, ...], checks: tuple[ReadinessCheck, ...]) -> StepperStep:
    """The checks before the copy: they hold or the copy does not begin."""
    total, stopping = len(checks), blockers(checks)
    started = next((move for move in moves if move.state is State.SYNCING), None)
    if started:
        held = NOTHING
        if checks:
            passed = total - len(stopping)
            held = counted(
                total, "{passed} of {count} check held", "{passed} of {count} checks held", passed=passed
            )
        step = StepperStep(PREFLIGHT, StepState.DONE, started.at, None, started.who)
        return _with_text(step, held)
    if moves[-1].state is not State.PLANNED:
        return StepperStep(PREFLIGHT, StepState.SKIPPED)
    if stopping:
        stops = counted(
            total,
            "{stopping} of {count} check would stop the start now",
            "{stopping} of {count} checks would stop the start now",
            stopping=len(stopping),
        )
        return _with_text(StepperStep(PREFLIGHT, StepState.FAILED), stops)
    hold = counted(
        total, "{passed} of {count} check hold now", "{passed} of {count} checks hold now", passed=total
    )
    return _with_text(StepperStep(PREFLIGHT, StepState.TODO), hold)


def _with_text(step: StepperStep, words: WordedMessage) -> StepperStep:
    return replace(step, text=str(words), phrases=words.phrases)


def _visits(
    moves: tuple[UpgradeTransition, ...], state: State, now: datetime
) -> list[tuple[UpgradeTransition, float]]:
    ends = [*(move.at for move in moves[1:]), now]
    return [
        (move, max(0.0, (end - move.at).total_seconds()))
        for move, end in zip(moves, ends, strict=True)
        if move.state is state
    ]


_ENDINGS = {State.COMPLETED, State.REVERTED, State.HANDED_OVER}
_FAILURES = {State.ABORTED, State.HALTED}


def _visited(
    name: str, state: State, visits: list[tuple[UpgradeTransition, float]], last: State
) -> StepperStep:
    first = visits[0][0]
    took = sum(seconds for _, seconds in visits)
    if state in _FAILURES and state is last:
        return StepperStep(name, StepState.FAILED, first.at, None, first.who)
    if state in _ENDINGS:
        return StepperStep(name, StepState.DONE, first.at, None, first.who)
    if state is last:
        return StepperStep(name, StepState.CURRENT, first.at, took, first.who)
    return StepperStep(name, StepState.DONE, first.at, took, first.who)

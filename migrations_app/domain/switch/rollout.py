"""Several upgrades in waves: which start next, when a wave is over, and what stops the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from migrations_app.domain.state_machine import StateMachine, lettered
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.words import deployment_title
from migrations_app.kernel.errors import Conflict, Invalid, Violation
from migrations_app.kernel.json import digest
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, message


class RolloutState(StrEnum):
    """Where a rollout is."""

    PLANNED = "PLANNED"
    RUNNING = "RUNNING"
    PAUSED = "PAUSED"
    DONE = "DONE"
    STOPPED = "STOPPED"


ROLLOUT_SENTENCES: Mapping[RolloutState, WordedMessage] = {
    RolloutState.PLANNED: message("The rollout is planned and has not started."),
    RolloutState.RUNNING: message("The rollout is running."),
    RolloutState.PAUSED: message("The rollout is paused."),
    RolloutState.DONE: message("The rollout is done."),
    RolloutState.STOPPED: message("The rollout was stopped."),
}
"""Each state as a sentence for people."""


class ItemState(StrEnum):
    """Where one deployment of a rollout is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


ITEM_SENTENCES: Mapping[ItemState, WordedMessage] = {
    ItemState.WAITING: message("Its upgrade waits for its wave."),
    ItemState.RUNNING: message("Its upgrade is running."),
    ItemState.DONE: message("It has switched to its new version."),
    ItemState.FAILED: message("Its upgrade failed."),
    ItemState.SKIPPED: message("It was skipped."),
}
"""Each state of a deployment in a rollout as a sentence for people."""


class RolloutEvent(StrEnum):
    """What moves a rollout."""

    START = "start"
    RESUME = "resume"
    PAUSE = "pause"
    FAIL = "fail"
    FINISH = "finish"
    STOP = "stop"
    ROLL_BACK = "rollback"


class ItemEvent(StrEnum):
    """What moves one deployment of a rollout."""

    BEGIN = "begin"
    REFUSE = "refuse"
    SWITCH = "switch"
    FAIL = "fail"
    RETRY = "retry"
    SKIP = "skip"


ROLLOUT = StateMachine(
    "A rollout",
    RolloutState,
    (RolloutState.PLANNED,),
    lettered(
        [
            (RolloutState.PLANNED, RolloutEvent.START, RolloutState.RUNNING, "its first wave begins"),
            (RolloutState.PLANNED, RolloutEvent.STOP, RolloutState.STOPPED, "it is dropped"),
            (RolloutState.RUNNING, RolloutEvent.PAUSE, RolloutState.PAUSED, "no further deployment begins"),
            (RolloutState.RUNNING, RolloutEvent.FAIL, RolloutState.PAUSED, "a deployment needs a decision"),
            (
                RolloutState.RUNNING,
                RolloutEvent.FINISH,
                RolloutState.DONE,
                "every deployment switched or was skipped",
            ),
            (RolloutState.RUNNING, RolloutEvent.STOP, RolloutState.STOPPED, "what did not switch is aborted"),
            (RolloutState.RUNNING, RolloutEvent.ROLL_BACK, RolloutState.PAUSED, "the newest wave rolls back"),
            (RolloutState.PAUSED, RolloutEvent.RESUME, RolloutState.RUNNING, "the waves go on"),
            (RolloutState.PAUSED, RolloutEvent.STOP, RolloutState.STOPPED, "what did not switch is aborted"),
            (RolloutState.PAUSED, RolloutEvent.ROLL_BACK, RolloutState.PAUSED, "one more wave rolls back"),
            (RolloutState.DONE, RolloutEvent.ROLL_BACK, RolloutState.PAUSED, "the newest wave rolls back"),
        ]
    ),
)
ROLLOUT_ITEM = StateMachine(
    "A deployment of a rollout",
    ItemState,
    (ItemState.WAITING,),
    lettered(
        [
            (ItemState.WAITING, ItemEvent.BEGIN, ItemState.RUNNING, "its wave begins"),
            (ItemState.WAITING, ItemEvent.REFUSE, ItemState.FAILED, "its upgrade could not begin"),
            (
                ItemState.WAITING,
                ItemEvent.RETRY,
                ItemState.WAITING,
                "its plan is taken as it was changed",
            ),
            (ItemState.WAITING, ItemEvent.SKIP, ItemState.SKIPPED, "a person leaves it out"),
            (ItemState.RUNNING, ItemEvent.SWITCH, ItemState.DONE, "its new version serves"),
            (ItemState.RUNNING, ItemEvent.FAIL, ItemState.FAILED, "its upgrade ended without a switch"),
            (ItemState.DONE, ItemEvent.FAIL, ItemState.FAILED, "its upgrade rolled back"),
            (ItemState.FAILED, ItemEvent.RETRY, ItemState.WAITING, "it is planned again"),
            (ItemState.FAILED, ItemEvent.SKIP, ItemState.SKIPPED, "a person leaves it out"),
        ]
    ),
)
ENDED = frozenset({RolloutState.DONE, RolloutState.STOPPED})
SWITCHED = frozenset({State.REVERSIBLE, State.REVERTING, State.COMPLETED})
FALLEN = frozenset({State.ABORTED, State.REVERTED, State.HALTED, State.HANDED_OVER})
_OVER = frozenset({ItemState.DONE, ItemState.SKIPPED})


@dataclass(frozen=True, slots=True)
class Item:
    """One deployment in its wave; `upgrade` is where its upgrade stands, `settled_at` when it was over."""

    deployment: str
    wave: int
    state: ItemState
    upgrade: State
    settled_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RolloutSpec:
    """Deployments in waves: at most `max_parallel` move at once, `pause_seconds` lie between two waves."""

    state: RolloutState
    max_parallel: int
    pause_seconds: int
    items: tuple[Item, ...]

    @property
    def wave(self) -> int | None:
        """Number the first wave that is not over; None when all are."""
        return min((item.wave for item in self.items if item.state not in _OVER), default=None)


@dataclass(frozen=True, slots=True)
class Moves:
    """What happens next: deployments settled one way or the other, those to start, or why nothing goes on."""

    done: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    finished: bool = False
    wait_seconds: float = 0.0


def next_moves(rollout: RolloutSpec, now: datetime) -> Moves:
    """Decide what a running rollout does now; one that failed stops those that did not begin."""
    begun = [item for item in rollout.items if item.state in (ItemState.RUNNING, ItemState.DONE)]
    failed = tuple(item.deployment for item in begun if item.upgrade in FALLEN)
    done = tuple(
        item.deployment for item in begun if item.state is ItemState.RUNNING and item.upgrade in SWITCHED
    )
    if failed or any(item.state is ItemState.FAILED for item in rollout.items):
        return Moves(done, failed)
    left = [item for item in rollout.items if item.state not in _OVER and item.deployment not in done]
    if not left:
        return Moves(done, finished=True)
    wave = min(item.wave for item in left)
    rest = _pause_left(rollout, wave, now) if not done else float(rollout.pause_seconds)
    if any(item.wave < wave for item in rollout.items) and rest > 0 and not _begun(rollout, wave):
        return Moves(done, wait_seconds=rest)
    running = sum(item.state is ItemState.RUNNING for item in left)
    waiting = [item.deployment for item in left if item.wave == wave and item.state is ItemState.WAITING]
    return Moves(done, start=tuple(waiting[: max(0, rollout.max_parallel - running)]))


def _begun(rollout: RolloutSpec, wave: int) -> bool:
    return any(item.wave == wave and item.state is not ItemState.WAITING for item in rollout.items)


def _pause_left(rollout: RolloutSpec, wave: int, now: datetime) -> float:
    ends = [item.settled_at for item in rollout.items if item.wave < wave and item.settled_at is not None]
    if not ends:
        return 0.0
    return (max(ends) + timedelta(seconds=rollout.pause_seconds) - now).total_seconds()


def digest_of_plan(waves: Sequence[Sequence[tuple[str, str]]], max_parallel: int, pause_seconds: int) -> str:
    """Name what a rollout does, in which order and how fast: each deployment with the digest of its plan."""
    said = [[{"deployment": name, "plan": plan} for name, plan in wave] for wave in waves]
    return digest({"waves": said, "max_parallel": max_parallel, "pause_seconds": pause_seconds})


def checked_waves(waves: Sequence[Sequence[str]]) -> None:
    """Let waves pass in which every deployment comes once.

    Raises: Invalid (`rollout-waves`) naming each that does not.
    """
    seen: set[str] = set()
    wrong = []
    for number, wave in enumerate(waves):
        if not wave:
            wrong.append(
                Violation(
                    f"waves.{number}",
                    message("A wave has at least one deployment."),
                    message("Leave it out."),
                    "empty",
                )
            )
        for position, deployment in enumerate(wave):
            if deployment in seen:
                said = message("{deployment} occurs twice.", deployment=deployment_title(deployment))
                wrong.append(Violation(f"waves.{number}.{position}", said, message("Name it once."), "twice"))
            seen.add(deployment)
    if not waves:
        wrong.append(
            Violation(
                "waves",
                message("A rollout has at least one wave."),
                message("Name its deployments."),
                "empty",
            )
        )
    if wrong:
        first = wrong[0]
        raise Invalid(first.words, code="rollout-waves", remedy=first.remedy_words, violations=tuple(wrong))


_WHEN = {
    "start": (ROLLOUT.sources(RolloutEvent.START), message("Starting is possible only while it is planned.")),
    "pause": (ROLLOUT.sources(RolloutEvent.PAUSE), message("Pausing is possible only while it runs.")),
    "resume": (
        ROLLOUT.sources(RolloutEvent.RESUME),
        message("Resuming is possible only while it is paused."),
    ),
    "retry": (frozenset(RolloutState) - ENDED, message("Retrying is possible only until it is over.")),
    "skip": (frozenset(RolloutState) - ENDED, message("Skipping is possible only until it is over.")),
    "replan": (frozenset(RolloutState) - ENDED, message("Planning again is possible only until it is over.")),
    "stop": (ROLLOUT.sources(RolloutEvent.STOP), message("Stopping is possible only until it is over.")),
    "rollback": (
        ROLLOUT.sources(RolloutEvent.ROLL_BACK),
        message("Rolling back is possible only once it began."),
    ),
}
ACTIONS = tuple(_WHEN)


def state_refusal(action: str, state: RolloutState) -> WordedMessage:
    """Say that the state of a rollout does not allow an action; nothing when it does."""
    states, when = _WHEN[action]
    return NOTHING if state in states else ROLLOUT_SENTENCES[state] + when


def refusal(action: str, rollout: RolloutSpec) -> WordedMessage:
    """Say why an action makes no sense now; nothing when it does."""
    refused = state_refusal(action, rollout.state)
    if refused:
        return refused
    if action == "resume" and any(item.state is ItemState.FAILED for item in rollout.items):
        return message("A deployment failed; retry or skip it first.")
    return NOTHING


def demand(action: str, rollout: RolloutSpec) -> None:
    """Let an action pass that makes sense now.

    Raises: Conflict (`rollout-state`).
    """
    reason = refusal(action, rollout)
    if reason:
        raise Conflict(
            reason, code="rollout-state", remedy=message("Look at the actions that are possible now.")
        )


def rollout_message(rollout: RolloutSpec, title: str) -> WordedMessage:
    """Say where a rollout is."""
    total, last = len(rollout.items), max((item.wave for item in rollout.items), default=0) + 1
    if rollout.state is RolloutState.PLANNED:
        return (
            message("{title} is planned:", title=title)
            + counted(total, "{count} deployment", "{count} deployments")
            + counted(last, "in {count} wave.", "in {count} waves.")
        )
    words = {
        RolloutState.RUNNING: message(
            "{title} is at wave {wave} of {last}:", title=title, wave=(rollout.wave or 0) + 1, last=last
        ),
        RolloutState.PAUSED: message("{title} is paused:", title=title),
        RolloutState.DONE: message("{title} is done:", title=title),
        RolloutState.STOPPED: message("{title} was stopped:", title=title),
    }[rollout.state]
    moved = sum(item.state is ItemState.DONE for item in rollout.items)
    words += counted(
        total, "{moved} of {count} deployment moved.", "{moved} of {count} deployments moved.", moved=moved
    )
    if skipped := sum(item.state is ItemState.SKIPPED for item in rollout.items):
        words += counted(skipped, "{count} deployment was skipped.", "{count} deployments were skipped.")
    if failed := [
        deployment_title(item.deployment) for item in rollout.items if item.state is ItemState.FAILED
    ]:
        words += message("Failed: {deployments}.", deployments=", ".join(failed))
    return words

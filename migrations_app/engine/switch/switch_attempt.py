"""The crossing: freeze, catch up, prove, flip; or, whatever goes wrong on the way, abort."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from migrations_app.engine.switch.steps import StepResult, Steps
from migrations_app.engine.switch.switchover import Switchover
from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.kernel.errors import Conflict, InvariantBroken, SwitchyardError
from migrations_app.kernel.messages import NOTHING, WordedMessage, message, verbatim
from migrations_app.ports.fence import FenceState, Mode


@dataclass(frozen=True, slots=True)
class SwitchAttempt:
    """How a crossing ended: with the other side open, or with the origin open and the reason why."""

    state: FenceState
    results: tuple[StepResult, ...]
    passed: bool
    reason: WordedMessage = NOTHING

    @property
    def gap_milliseconds(self) -> float:
        """How long writers waited, as the fence itself measured it."""
        measured = self.state.freeze_milliseconds
        return measured if measured is not None else sum(told.milliseconds for told in self.results)


def cross(
    ports: PipelinePorts,
    steps: Steps,
    switchover: Switchover,
    expected: FenceState,
    stop: Callable[[], WordedMessage],
) -> SwitchAttempt:
    """Take the steps in their order. `stop` names the reason when an abort was requested.

    Once: may be begun again at any point; the fence tells what is done. After a flip nothing here can fail
    the switch any more.
    Raises: whatever the freeze raises when it could not be made; nothing has happened then.
    """
    told: list[StepResult] = []
    frozen, words = steps.freeze(switchover, expected)
    told.append(words)
    try:
        _demand(stop)
        told.append(steps.catch_up(switchover, frozen))
        _demand(stop)
        proved, words = steps.prove(switchover, frozen)
        told.append(words)
        _demand(stop)
        opened, words = steps.flip(switchover, proved)
        told.append(words)
    except Exception as error:
        return _give_up(ports, steps, switchover, frozen, error, told)
    return SwitchAttempt(opened, tuple(told), passed=True)


def _demand(stop: Callable[[], WordedMessage]) -> None:
    reason = stop()
    if reason:
        raise Conflict(reason, code="switch-stopped")


def _give_up(
    ports: PipelinePorts,
    steps: Steps,
    switchover: Switchover,
    frozen: FenceState,
    error: Exception,
    told: list[StepResult],
) -> SwitchAttempt:
    """Open the origin again, unless the flip got through in spite of its error: the fence tells."""
    known = isinstance(error, SwitchyardError)
    reason = (
        error.words if isinstance(error, SwitchyardError) else verbatim(f"{type(error).__name__}: {error}")
    )
    state = ports.fence.state(switchover.site)
    if state.mode is Mode.FROZEN and state.epoch == frozen.epoch:
        state, words = steps.abort(switchover, state)
        told.append(words)
    if state.mode is Mode.CLOSED or switchover.passed(ports, state):
        return SwitchAttempt(state, tuple(told), passed=True, reason=reason)
    if not known:
        # Nothing is lost, but this error was not written down: let the log have it, once the writers are free.
        raise InvariantBroken(message("The switch was aborted:") + reason, code="switch-broken") from error
    return SwitchAttempt(state, tuple(told), passed=False, reason=reason)

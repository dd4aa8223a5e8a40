"""The rehearsal of a switch: the same order of steps, taken by those that only read."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.engine.switch.dry_run import DrySteps
from migrations_app.engine.switch.preflight import behind, count_constraint_rows, predict_ms
from migrations_app.engine.switch.steps import StepResult
from migrations_app.engine.switch.switch_attempt import cross
from migrations_app.engine.switch.switchover import switchover_of
from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.ports.upgrades import Direction, UpgradeKind, UpgradeRecord


@dataclass(frozen=True, slots=True)
class SwitchDryRun:
    """What each step would do, how long writers would wait, and what would stop it."""

    steps: tuple[StepResult, ...]
    predicted_freeze_ms: float
    stopped: WordedMessage = NOTHING


def rehearse(ports: PipelinePorts, record: UpgradeRecord, direction: Direction) -> SwitchDryRun:
    """Go through the fence in words.

    Raises: Conflict (`fence-not-open`) when it could not even begin.
    """
    if record.kind is UpgradeKind.DATA:
        words = message("Would show {version} as the data version.", version=record.data_version)
        return SwitchDryRun((StepResult("renew", words),), 0.0)
    switchover = switchover_of(ports, record, direction)
    state = ports.fence.state(switchover.site)
    crossed = cross(ports, DrySteps(ports), switchover, state, lambda: NOTHING)
    steps = DrySteps(ports)
    after = (
        (steps.publish(switchover, state), steps.reverse_replication(switchover, state))
        if crossed.passed
        else ()
    )
    waiting = 0 if switchover.blind else behind(ports, switchover).entries
    predicted = predict_ms(switchover.ring, waiting, count_constraint_rows(ports, switchover))
    return SwitchDryRun((*crossed.results, *after), predicted, crossed.reason)

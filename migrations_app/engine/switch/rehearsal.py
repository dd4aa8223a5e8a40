"""The rehearsal of a switch: the same order of steps, taken by those that only read."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.engine.switch.crossing import cross
from migrations_app.engine.switch.dry_run import DrySteps
from migrations_app.engine.switch.passage import passage_of
from migrations_app.engine.switch.preflight import behind, dealings, predict_ms
from migrations_app.engine.switch.steps import Told
from migrations_app.engine.sync.lane import Yard
from migrations_app.ports.upgrades import Direction, Kind, UpgradeRecord


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What each step would do, how long writers would wait, and what would stop it."""

    steps: tuple[Told, ...]
    predicted_freeze_ms: float
    stopped: str = ""


def rehearse(yard: Yard, record: UpgradeRecord, direction: Direction) -> Rehearsed:
    """Go through the fence in words.

    Raises: Conflict (`fence-not-open`) when it could not even begin.
    """
    if record.kind is Kind.DATA:
        words = f"Would show {record.data_version} as the data version."
        return Rehearsed((Told("renew", words),), 0.0)
    passage = passage_of(yard, record, direction)
    state = yard.fence.state(passage.site)
    crossed = cross(yard, DrySteps(yard), passage, state, lambda: "")
    steps = DrySteps(yard)
    after = (steps.publish(passage, state), steps.follow_back(passage, state)) if crossed.passed else ()
    waiting = 0 if passage.blind else behind(yard, passage).entries
    predicted = predict_ms(record.ring, waiting, dealings(yard, passage))
    return Rehearsed((*crossed.told, *after), predicted, crossed.reason)

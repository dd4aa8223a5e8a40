"""Verification at rest: while nothing changes, the first shard of an upgrade asks for changed keys, and the others rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrations_app.domain.work_classes import WorkClass
from migrations_app.engine.controller import Again
from migrations_app.engine.sync.resting_shards import (
    FIRST,
    KNOWN_SECONDS,
    REST_SECONDS,
    TURN_SECONDS,
    RestState,
    others,
    read_state,
    spread,
    wake_shards,
)
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.recent_map import RecentMap
from migrations_app.ports.upgrades import Direction


class RestingVerification:
    """Lets the shards of an upgrade rest that are compared whole, while the first one finds no changed key of any.

    All changed keys are compared together. Where that does not go, each shard is woken to look at its own.
    """

    def __init__(self, ports: PipelinePorts) -> None:
        self._ports = ports
        # Hints only: whether this process met changes, and when it last saw the first shard's slice find none.
        self._changed = RecentMap[tuple[str, Direction], bool]()
        self._resting = RecentMap[tuple[str, Direction], float]()

    def note_changes(self, pipeline: ShardPipeline) -> None:
        """Note that there were changed keys, or that they cannot be compared together."""
        self._changed[pipeline.key.upgrade, pipeline.key.direction] = True

    def interrupt(self, pipeline: ShardPipeline) -> None:
        """Wake the other shards when the first one meets that changes were lost: each has to be compared again."""
        self.note_changes(pipeline)
        self._resting.discard((pipeline.key.upgrade, pipeline.key.direction))
        if pipeline.shard == FIRST:
            self._wake(pipeline, others(pipeline))

    def end(self, pipeline: ShardPipeline, memo: JsonObject, pause: Again, until_pass: float) -> Again:
        """Tell when a shard comes up again that has nothing to do now.

        Units: `until_pass` seconds until it is compared whole again; 0 when it is not at rest.
        """
        of, monotonic = (pipeline.key.upgrade, pipeline.key.direction), self._ports.clock.monotonic()
        if self._ports.dispatch is None:
            return pause
        if pipeline.shard != FIRST:
            known = monotonic - self._resting.get(of, float("-inf")) <= KNOWN_SECONDS
            rest = min(REST_SECONDS * spread(pipeline.key), until_pass)
            return replace(pause, after_seconds=max(pause.after_seconds, rest)) if known else pause
        state, others_rest = self._wake_those_with_work(pipeline, memo)
        if others_rest and state.is_quiet(self._ports.clock.now()):
            self._resting[of] = monotonic
            pause = replace(pause, after_seconds=max(pause.after_seconds, min(TURN_SECONDS, until_pass)))
        else:
            self._resting.discard(of)
        return replace(pause, memo=state.as_json())

    def _wake_those_with_work(self, pipeline: ShardPipeline, memo: JsonObject) -> tuple[RestState, bool]:
        """Wake the shards that have something to do; give what the next slice is to know, and whether all others rest."""
        of, now = (pipeline.key.upgrade, pipeline.key.direction), self._ports.clock.now()
        state, changed = read_state(memo, now), self._changed.get(of, False)
        self._changed.discard(of)
        if changed:
            if state.is_quiet(now):
                self._wake(pipeline, others(pipeline))
            return state.after_changes(now), False
        if state.is_wake_due(now):
            self._wake(pipeline, others(pipeline))
            return replace(state, wake_at=None), False
        # What copies a shard again voids its comparison, and does not wake the key that makes a new one.
        scans = self._ports.checkpoints.scans(pipeline.key.upgrade, pipeline.key.direction)
        compared = {scan.key.shard for scan in scans if scan.ended_at is not None and not scan.failed}
        left = [shard for shard in others(pipeline) if shard not in compared]
        self._wake(pipeline, left)
        return state, not left

    def _wake(self, pipeline: ShardPipeline, shards: Sequence[int]) -> None:
        if self._ports.dispatch is not None and shards:
            wake_shards(self._ports.dispatch, "parity", WorkClass.VERIFICATION, pipeline, shards)

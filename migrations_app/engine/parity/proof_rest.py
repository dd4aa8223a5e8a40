"""Proofs at rest: while nothing changes, the first shard of an upgrade asks for changed keys, and the others rest."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from migrations_app.domain.work_classes import WorkClass
from migrations_app.engine.controller import Again
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.engine.sync.shard_rest import FIRST, QUIET_SECONDS, REST_SECONDS, spread
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.recent_map import RecentMap
from migrations_app.ports.locks import WokenKey
from migrations_app.ports.upgrades import Direction

TURN_SECONDS = 6.0
"""How often the first shard asks for changed keys while there are none."""
KNOWN_SECONDS = TURN_SECONDS + 2.0
"""How long a process believes that nothing changes, after it has seen the first shard's slice."""
CHANGED_AT = "changed_at"


class ProofRest:
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
        if pipeline.shard == FIRST:
            self._wake_others(pipeline)

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
        now = self._ports.clock.now()
        before = _changed_at(memo, now)
        changed_at = now if self._changed.get(of, False) else before
        self._changed.discard(of)
        if changed_at > before and is_quiet(before, now):
            self._wake_others(pipeline)
        if not is_quiet(changed_at, now):
            self._resting.discard(of)
        else:
            self._resting[of] = monotonic
            pause = replace(pause, after_seconds=max(pause.after_seconds, min(TURN_SECONDS, until_pass)))
        return replace(pause, memo={CHANGED_AT: changed_at.isoformat()})

    def _wake_others(self, pipeline: ShardPipeline) -> None:
        if self._ports.dispatch is not None:
            others = (
                str(replace(pipeline.key, shard=each))
                for each in range(pipeline.origin.ring)
                if each != FIRST
            )
            self._ports.dispatch.poke_all(
                [WokenKey("parity", each, WorkClass.VERIFICATION) for each in others]
            )


def is_quiet(changed_at: datetime, now: datetime) -> bool:
    """Tell whether nothing changed for long enough."""
    return now - changed_at >= timedelta(seconds=QUIET_SECONDS)


def _changed_at(memo: JsonObject, now: datetime) -> datetime:
    """Read when something changed last; without a memo, or when the clock went back, it may just have."""
    text = memo.get(CHANGED_AT)
    return min(now, datetime.fromisoformat(text)) if isinstance(text, str) else now

"""Shards at rest: while nothing is written, the first shard of an upgrade follows and reports for all of them.

A slice of one shard is ten statements and its report ten more. Sixteen shards of an upgrade that waits for people, each
with both every few seconds, cost far more than following them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zlib import crc32

from migrations_app.domain.switch.progress import REPORT_SECONDS
from migrations_app.domain.work_classes import WorkClass
from migrations_app.engine.controller import Again
from migrations_app.engine.sync.report import READY_LAG_SECONDS
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline, live_positions
from migrations_app.engine.sync.shared_catch_up import ShardHints
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.recent_map import RecentMap
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.dispatch import Dispatch
from migrations_app.ports.locks import WokenKey
from migrations_app.ports.upgrades import Direction

FIRST = 0
"""The shard that follows for all; where it cannot, because resources of it are quarantined, each follows for itself."""
QUIET_SECONDS = 20.0
"""Where nothing was written for so long, shards rest."""
TURN_SECONDS = 6.0
"""How often the first shard asks for changes then; who writes, and who sends a pulse, wakes it at once."""
LEAST_REPORT_SECONDS = REPORT_SECONDS / 2
"""No sooner than this all are reported again: with every slice, so that a slice may come seconds late."""
KNOWN_SECONDS = TURN_SECONDS + 2.0
"""How long a process believes that the others rest, after it has seen the first shard's slice."""
REST_SECONDS, SPREAD = 240.0, 0.25
"""How long the others rest at most; all that a slice of theirs looks at is looked at so often."""


@dataclass(frozen=True, slots=True)
class RestState:
    """What the first shard's slices leave for the next, in whichever process: when something was written last, when all
    were reported, and when the others are woken once more."""

    moved_at: datetime
    reported_at: datetime | None = None
    wake_at: datetime | None = None

    def is_quiet(self, now: datetime) -> bool:
        """Tell whether nothing was written for long enough."""
        return now - self.moved_at >= timedelta(seconds=QUIET_SECONDS)

    def is_report_due(self, now: datetime) -> bool:
        """Tell whether all were reported long enough ago."""
        return self.reported_at is None or now - self.reported_at >= timedelta(seconds=LEAST_REPORT_SECONDS)

    def is_wake_due(self, now: datetime) -> bool:
        """Tell whether the others are to be woken once more."""
        return self.wake_at is not None and now >= self.wake_at

    def after_changes(self, now: datetime) -> RestState:
        """Give the state after something was written: who rested is woken again once no process believes that it rests."""
        again = now + timedelta(seconds=KNOWN_SECONDS) if self.is_quiet(now) else self.wake_at
        return replace(self, moved_at=now, wake_at=again)

    def as_json(self) -> JsonObject:
        """Write it as a memo."""
        return {name: at.isoformat() if (at := getattr(self, name)) else None for name in self.__slots__}


class RestingShards:
    """Lets the shards of an upgrade rest while nothing is written, and wakes them when something is.

    What a shard's own slice does besides following and reporting (its quarantined resources, its checkpoint) is not
    needed while it is caught up and has none quarantined. That is asked of the table, not of this process's memory.
    """

    def __init__(self, ports: PipelinePorts) -> None:
        self._ports = ports
        # A hint only: when this process saw the first shard's slice last, and for which shards it followed.
        self._resting = RecentMap[tuple[str, Direction], tuple[float, frozenset[int]]]()

    def seconds(self, key: ShardKey, shard_hints: ShardHints) -> float:
        """Tell how long a shard rests because the first one follows and reports for it; 0 when it has to work."""
        at, shards = self._resting.get((key.upgrade, key.direction), (float("-inf"), frozenset()))
        if key.shard == FIRST or key.shard not in shards or shard_hints.counts.get(key.shard):
            return 0.0
        if self._ports.clock.monotonic() - at > KNOWN_SECONDS:
            return 0.0
        return REST_SECONDS * spread(key)

    def begin(self, pipeline: ShardPipeline, memo: JsonObject, shard_hints: ShardHints) -> RestState | None:
        """Begin a slice of a first shard, which follows for all that rest; None for any other."""
        if pipeline.shard != FIRST or self._ports.dispatch is None:
            return None
        now = self._ports.clock.now()
        state = read_state(memo, now)
        if state.is_quiet(now):
            of = pipeline.key.upgrade, pipeline.key.direction
            shard_hints.caught_up = self._ports.checkpoints.caught_up_shards(*of)
            shard_hints.clear = may_rest(shard_hints)
        return state

    def end(
        self,
        pipeline: ShardPipeline,
        state: RestState,
        shard_hints: ShardHints,
        outcome: Again,
        *,
        followed: bool,
        applied: bool,
    ) -> tuple[Again, bool]:
        """End the slice that `begin` began, and tell whether the shard rests: report all that do, or wake them.

        `followed` tells that the shard was followed to the end, `applied` that there was something for it.
        """
        clock, dispatch = self._ports.clock, self._ports.dispatch
        now, monotonic = clock.now(), clock.monotonic()
        assert dispatch is not None
        of, resting = (
            (pipeline.key.upgrade, pipeline.key.direction),
            shard_hints.clear & may_rest(shard_hints),
        )
        is_quiet, moved = state.is_quiet(now), shard_hints.take_moved() or applied or not followed
        all_followed = followed and not shard_hints.goes_apart(monotonic)
        if is_quiet and all_followed and (moved or state.is_report_due(now)):
            # Also when they are woken, so that no report grows old until each comes up for its own.
            reported = self._report(pipeline, resting)
            # They work for themselves, also where they went to rest a moment before: with a long lag in their
            # checkpoint, or when their own report was lost after that was saved.
            unreported = [shard for shard in shard_hints.caught_up if shard not in {FIRST, *reported}]
            if unreported:
                wake_shards(dispatch, "sync", WorkClass.CATCH_UP, pipeline, unreported)
            resting, state = reported, replace(state, reported_at=now if FIRST in reported else None)
        if state.is_wake_due(now):
            wake_shards(dispatch, "sync", WorkClass.CATCH_UP, pipeline, others(pipeline))
            state = replace(state, wake_at=None)
        if moved:
            self._resting.discard(of)
            if is_quiet:
                wake_shards(dispatch, "sync", WorkClass.CATCH_UP, pipeline, others(pipeline))
            return replace(outcome, memo=state.after_changes(now).as_json()), False
        if not (is_quiet and all_followed and FIRST in resting):
            return replace(outcome, memo=state.as_json()), False
        self._resting[of] = (monotonic, frozenset(resting))
        seconds = max(outcome.after_seconds, TURN_SECONDS)
        return replace(outcome, after_seconds=seconds, memo=state.as_json()), True

    def _report(self, pipeline: ShardPipeline, shards: Collection[int]) -> set[int]:
        """Report shards that were followed to the end a moment ago; give those whose reports say so now."""
        live = live_positions(self._ports, pipeline.origin, pipeline.follower)
        places = {shard: position for shard, position in live.items() if shard in shards}
        # The pulse counts as well: what is not followed grows old even without writes.
        lag = self._ports.feed.backlog(pipeline.origin, places).seconds
        return set(self._ports.upgrades.report_resting(pipeline.record.id, sorted(places), lag))


def may_rest(shard_hints: ShardHints) -> set[int]:
    """Choose the shards that may rest; one that measured a long lag would keep it in its checkpoint, and not be compared."""
    lags = shard_hints.caught_up.items()
    return {shard for shard, lag in lags if lag is not None and lag <= READY_LAG_SECONDS}


def others(pipeline: ShardPipeline) -> list[int]:
    """List the shards for which the first one works while they rest."""
    return [shard for shard in range(pipeline.origin.ring) if shard != FIRST]


def wake_shards(
    dispatch: Dispatch, controller: str, work_class: WorkClass, pipeline: ShardPipeline, shards: Sequence[int]
) -> None:
    """Make the keys of these shards due now."""
    keys = (str(replace(pipeline.key, shard=shard)) for shard in shards)
    dispatch.poke_all([WokenKey(controller, key, work_class) for key in keys])


def spread(key: ShardKey) -> float:
    """Give the part of the longest rest that a shard takes, so that not all come up at one moment."""
    return 1.0 - SPREAD * (crc32(str(key).encode()) % 1000) / 1000


def read_state(memo: JsonObject, now: datetime) -> RestState:
    """Read what the last slice left; without it, or when the clock went back, something may just have been written."""
    moved, reported, wake = (_moment(memo.get(name)) for name in RestState.__slots__)
    if moved is None or moved > now or (reported is not None and reported > now):
        return RestState(now)
    return RestState(moved, reported, wake)


def _moment(value: object) -> datetime | None:
    return datetime.fromisoformat(value) if isinstance(value, str) else None

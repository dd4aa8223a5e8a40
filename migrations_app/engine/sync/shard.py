"""The controller of one shard: prepare, backfill, follow, level, in slices that may end anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from migrations_app.domain.switch.progress import REPORT_SECONDS
from migrations_app.domain.sync import Meter
from migrations_app.engine.controller import Again, Budget, DueKey, Lease, Outcome, Share, WorkClass
from migrations_app.engine.sync import backfill, quarantine
from migrations_app.engine.sync.catch_up import CatchUpResult, follow
from migrations_app.engine.sync.data_flow import flows, stopped
from migrations_app.engine.sync.lease_pool import LeasePool, beside
from migrations_app.engine.sync.pace import CopyPace, resting
from migrations_app.engine.sync.recopy import LOSSES, copy_again
from migrations_app.engine.sync.report import readiness, report_of
from migrations_app.engine.sync.resting_shards import RestingShards
from migrations_app.engine.sync.shard_pipeline import (
    PipelinePorts,
    ShardPipeline,
    fresh_replication_token,
    pipeline_of,
    position_of,
)
from migrations_app.engine.sync.shared_catch_up import ShardHints, catch_up_together
from migrations_app.kernel.errors import Conflict, DirectionChanged, Halted, ReplicatorUnknown, Stale
from migrations_app.kernel.messages import message
from migrations_app.kernel.recent_map import SHARDS, RecentMap
from migrations_app.ports.checkpoints import Checkpoint, ShardKey, ShardStage
from migrations_app.ports.namespaces import Position
from migrations_app.ports.stored import ReplicationToken
from migrations_app.ports.upgrades import Direction

IDLE_SECONDS = 0.2
RESTING_SECONDS = 0.5
UNPREPARED_SECONDS = 0.5
THROTTLED_SECONDS = 0.5
FOLLOWED_SECONDS = 0.25
"""So long a slice copies on without asking for changes, after there were none."""
FIRST_RATE_SECONDS = 3.0
"""The rate in a shard's first report is of so long at least."""
COPIES_AT_ONCE = 3
"""So many threads of a process copy; the others are free for following, which comes first."""
PARTED_SECONDS = 5.0
"""So long shards are copied one by one after something was in the way of copying them beside each other."""


@dataclass(slots=True)
class _Slice:
    """What one slice of work knows: where the shard stands, what is quarantined, what was done."""

    pipeline: ShardPipeline
    lease: Lease
    checkpoint: Checkpoint
    replication_token: ReplicationToken
    known: quarantine.Worklist
    position: Position
    began: float
    done: int = 0
    level: bool = False
    # Whether another slice has carried it, so that this one asked for no changes.
    carried: bool = False
    # Whether it is at rest, and was reported with all that are.
    rests: bool = False
    # The shards copied beside it, once they were asked for; their leases, and how long all wait for the next page.
    beside: list[_Slice] | None = None
    leases: list[Lease] = field(default_factory=list)
    waits_seconds: float = 0.0


class SyncController:
    """Brings each shard of every upgrade that copies or follows to level, and keeps it there."""

    name = "sync"
    queue = "sync"
    work_class = WorkClass.BACKFILL

    def __init__(
        self,
        ports: PipelinePorts,
        *,
        page: int = backfill.PAGE,
        copies: Share | None = None,
        crew: LeasePool | None = None,
    ) -> None:
        self._ports = ports
        self._page = page
        self._counts = backfill.Counts()
        self._copies = copies or Share(COPIES_AT_ONCE)
        self._crew = crew
        self._pace = CopyPace(ports.upgrades, ports.clock)
        self._shard_hints_of = RecentMap[tuple[str, Direction], ShardHints]()
        self._counted_upgrade = ""
        # A hint only: when this process last told of a shard, how many it has carried since, and if it was caught up.
        self._reported = RecentMap[ShardKey, tuple[float, int, bool]](SHARDS)
        self._rest = RestingShards(ports)

    def due(self) -> Iterable[str | DueKey]:
        """List the shards of the upgrades whose data flow."""
        for record in self._ports.upgrades.syncing():
            if flows(record, record.direction):
                back = record.direction is Direction.REVERSE
                for shard in range(record.ring):
                    key = str(ShardKey(record.id, record.direction, shard))
                    # After the switch nothing is copied: what flows back are changes.
                    yield DueKey(key, WorkClass.CATCH_UP) if back else key

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Do a slice of copying and following.

        Once: see `backfill.step` and `follow`; the checkpoint is refused to a worker that lost its lease.
        """
        shard_key = ShardKey.parse(key)
        record = self._ports.upgrades.load(shard_key.upgrade)
        if not flows(record, shard_key.direction):
            return stopped(record, shard_key.direction)
        rest = self._rest.seconds(shard_key, self._shard_hints(shard_key)) or self._rest_seconds(shard_key)
        if rest:
            return Again(rest)
        pipeline = pipeline_of(self._ports, record, shard_key.direction, shard_key.shard)
        slice_: _Slice | None = None
        try:
            slice_ = self._open(pipeline, lease)
            if slice_ is None:
                return Again(UNPREPARED_SECONDS)
            outcome = self._work_for_all(slice_, budget)
            self._close(slice_)
            self._close_beside(slice_)
            copies = slice_.checkpoint.stage is ShardStage.BACKFILL
            return replace(outcome, work_class=WorkClass.BACKFILL if copies else WorkClass.CATCH_UP)
        except (ReplicatorUnknown, DirectionChanged):
            # The director has just taken the follower away, or not yet put it there.
            return Again(UNPREPARED_SECONDS)
        except LOSSES:
            copy_again(self._ports, pipeline, lease.epoch)
            return Again(0.0)
        except (Halted, Conflict) as error:
            self._fail(pipeline, lease, error.message)
            raise
        finally:
            if slice_ is not None and self._crew is not None:
                self._crew.release(slice_.leases, slice_.waits_seconds)

    def _rest_seconds(self, key: ShardKey) -> float:
        """Tell how long a shard has nothing to do because another slice carries it along; 0 when it has to work.

        It comes up for its next report only, which is ten statements. The shards come up at different moments. The first that comes when none was carried for a second carries all.
        """
        since, carried, level = self._reported.get(key, (0.0, 0, False))
        now, shard_hints = self._ports.clock.monotonic(), self._shard_hints(key)
        if not level or now - since >= 2 * REPORT_SECONDS:
            return 0.0
        told = shard_hints.tell(key.shard, now) if now - since < REPORT_SECONDS else None
        if told is None and not shard_hints.is_busy:
            return 0.0
        if told is not None:
            self._reported[key] = (since, carried + told.applied, level)
        return max(RESTING_SECONDS, since + REPORT_SECONDS - now)

    def _shard_hints(self, key: ShardKey) -> ShardHints:
        of = (key.upgrade, key.direction)
        return self._shard_hints_of.find(of) or self._shard_hints_of.setdefault(of, ShardHints())

    def _open(self, pipeline: ShardPipeline, lease: Lease) -> _Slice | None:
        position = position_of(self._ports, pipeline)
        if position is None:
            return None
        checkpoint = self._ports.checkpoints.load(pipeline.key).moved(error="")
        again = checkpoint.stage is ShardStage.BACKFILL and not checkpoint.type
        if checkpoint.stage is ShardStage.PREPARE or again:
            if again or pipeline.key.direction is Direction.FORWARD or pipeline.record.reverse_late:
                totals = self._counts.totals(self._ports, pipeline)
                self._expect(pipeline.record.id, totals)
                checkpoint = backfill.begin(self._ports, pipeline, checkpoint, totals[pipeline.shard])
            else:
                checkpoint = self._followed_back(pipeline, checkpoint)
            checkpoint = self._ports.checkpoints.save(checkpoint, lease.epoch)
        return _Slice(
            pipeline,
            lease,
            checkpoint,
            fresh_replication_token(self._ports, pipeline),
            quarantine.worklist(self._ports, pipeline),
            position,
            self._ports.clock.monotonic(),
        )

    def _followed_back(self, pipeline: ShardPipeline, checkpoint: Checkpoint) -> Checkpoint:
        """Begin to follow back: at the flip both sides were equal, so that there is nothing to copy.

        What was copied is still told, by the shards of the side that is followed now.
        """
        if pipeline.origin.ring != pipeline.passive.ring:
            count = self._counts.totals(self._ports, pipeline)[pipeline.shard]
            return checkpoint.moved(stage=ShardStage.FOLLOW, copied=count, total=count)
        there = self._ports.checkpoints.load(replace(pipeline.key, direction=Direction.FORWARD))
        return checkpoint.moved(stage=ShardStage.FOLLOW, copied=there.copied, total=there.total)

    def _expect(self, upgrade: str, totals: dict[int, int]) -> None:
        """Let every shard be counted before the first is copied; the first shard of an upgrade here does it for all."""
        if upgrade != self._counted_upgrade:
            self._ports.upgrades.expect_shards(upgrade, totals)
            self._counted_upgrade = upgrade

    def _work_for_all(self, slice_: _Slice, budget: Budget) -> Again:
        """Work on a shard; the first one also reports those that rest meanwhile, and wakes them."""
        pipeline, shard_hints = slice_.pipeline, self._shard_hints(slice_.pipeline.key)
        state = self._rest.begin(pipeline, slice_.lease.memo, shard_hints)
        outcome = self._work(slice_, budget)
        if state is None:
            return outcome
        outcome, slice_.rests = self._rest.end(
            pipeline,
            state,
            shard_hints,
            outcome,
            followed=slice_.level and not slice_.known,
            applied=slice_.done > 0,
        )
        return outcome

    def _work(self, slice_: _Slice, budget: Budget) -> Again:
        """Follow first, then copy a page, until the budget is spent or nothing moves."""
        quarantine.retry(self._ports, slice_.pipeline, slice_.replication_token, slice_.known)
        idle_until = float("-inf")
        while True:
            copies, now = slice_.checkpoint.stage is ShardStage.BACKFILL, self._ports.clock.monotonic()
            if copies and now < idle_until:
                level = True
            else:
                followed = self._follow(slice_)
                level = followed.level
                slice_.level = slice_.level or (level and not copies)
                if level and not followed.read:
                    idle_until = now + FOLLOWED_SECONDS
            if copies:
                # Following goes first: while it has full batches to take, a page would let it fall behind further.
                wait = self._copy_in_turn(slice_) if level else 0.0
                if wait:
                    slice_.waits_seconds = wait
                    return Again(wait)
            elif level and slice_.carried:
                return Again(REPORT_SECONDS)
            elif level:
                return Again(IDLE_SECONDS if slice_.done else RESTING_SECONDS)
            if budget.spent:
                return Again(0.0)

    def _follow(self, slice_: _Slice) -> CatchUpResult:
        shard_hints = self._shard_hints(slice_.pipeline.key)
        followed = None if slice_.known else self._catch_up_together(slice_, shard_hints)
        if followed is None:
            followed = follow(
                self._ports, slice_.pipeline, slice_.position, slice_.replication_token, slice_.known
            )
        if slice_.known:
            shard_hints.clear.discard(slice_.pipeline.shard)
        if self._ports.feed.reached(followed.position, slice_.position):
            slice_.position = followed.position
        slice_.checkpoint = slice_.checkpoint.moved(applied=slice_.checkpoint.applied + followed.applied)
        slice_.done += followed.applied
        return followed

    def _catch_up_together(self, slice_: _Slice, shard_hints: ShardHints) -> CatchUpResult | None:
        """Follow with the other shards, or hear what another slice has carried for all; None to go by itself."""
        pipeline, checkpoint = slice_.pipeline, slice_.checkpoint
        shard_hints.clear.add(pipeline.shard)
        slice_.carried = False
        # To become caught up a shard must itself see the end of the feed, after its last page.
        if checkpoint.level or checkpoint.stage is ShardStage.BACKFILL:
            told = shard_hints.tell(pipeline.shard, self._ports.clock.monotonic())
            if told is not None:
                slice_.carried = True
                return told
        return catch_up_together(self._ports, pipeline, shard_hints, slice_.replication_token)

    def _copy_in_turn(self, slice_: _Slice) -> float:
        """Copy a page, and tell in how many seconds to try again when that has to wait; 0 when it had not to."""
        with self._copies.taken() as free:
            if not free:
                return THROTTLED_SECONDS
            with self._ports.turn(slice_.pipeline.origin) as wait:
                if wait:
                    return wait
                return THROTTLED_SECONDS if self._copy(slice_) else 0.0

    def _copy(self, slice_: _Slice) -> str:
        """Copy a page unless the database, or a person's bound, asks for a rest; tell why not."""
        pipeline = slice_.pipeline
        held = self._pace.held(pipeline.record, pipeline.key)
        reason = held or self._ports.throttle.reason(pipeline.origin)
        if reason:
            rests = resting(slice_.checkpoint.throttled, reason, self._ports.clock.now())
            slice_.checkpoint = slice_.checkpoint.moved(throttled=rests)
            return reason
        slice_.checkpoint = slice_.checkpoint.moved(throttled="")
        # Who is held to a rate goes alone: each shard has a share of its own.
        if pipeline.record.copy_limit is not None or not self._copy_together(slice_):
            before, ports = slice_.checkpoint, self._ports
            page = self._pace.page(pipeline.record, self._page)
            moved = backfill.step(ports, pipeline, before, slice_.replication_token, slice_.known, page)
            slice_.checkpoint = ports.checkpoints.save(moved, slice_.lease.epoch)
            slice_.done += moved.copied - before.copied
            self._pace.copied(pipeline.record, pipeline.key, moved.copied - before.copied)
        return ""

    def _copy_together(self, slice_: _Slice) -> bool:
        """Copy a page with the shards beside this one; false when it has to go by itself."""
        shard_hints, now = self._shard_hints(slice_.pipeline.key), self._ports.clock.monotonic()
        if now - shard_hints.parted_at <= PARTED_SECONDS:
            return False
        beside = [
            each
            for each in self._beside(slice_)
            if each.checkpoint.stage is ShardStage.BACKFILL and each.checkpoint.type == slice_.checkpoint.type
        ]
        if not beside:
            return False
        checkpoints = [slice_.checkpoint, *(each.checkpoint.moved(throttled="") for each in beside)]
        moved = backfill.copy_together(
            self._ports, slice_.pipeline, checkpoints, slice_.replication_token, self._page
        )
        if moved is None:
            # What was in the way is in one of them, which its own slice finds out.
            shard_hints.parted_at = now
            return False
        pages = [slice_, *beside]
        epochs = (each.lease.epoch for each in pages)
        saved = self._ports.checkpoints.save_each(list(zip(moved, epochs, strict=True)))
        for each, checkpoint in zip(pages, saved, strict=True):
            if checkpoint is not None:
                each.done += checkpoint.copied - each.checkpoint.copied
                each.checkpoint = checkpoint
            elif each is slice_:
                raise Stale(
                    message("Another worker has advanced {key}.", key=str(each.pipeline.key)),
                    code="checkpoint-stale",
                )
            else:
                # Its lease ran out, and another worker went on with it.
                assert slice_.beside is not None
                slice_.beside.remove(each)
        return True

    def _beside(self, slice_: _Slice) -> list[_Slice]:
        """Tell which shards go along; they are asked once in a slice."""
        if slice_.beside is not None:
            return slice_.beside
        slice_.beside = []
        # Work that did not come to its end before goes by itself, so that it is known whose it was.
        if self._crew is None or slice_.known or slice_.pipeline.in_place or slice_.lease.attempts > 1:
            return []
        slice_.leases = self._crew.take(beside(slice_.pipeline))
        for lease in slice_.leases:
            with suppress(Stale):
                other = self._open(replace(slice_.pipeline, key=ShardKey.parse(lease.key)), lease)
                if other is not None and not other.known:
                    slice_.beside.append(other)
                    self._shard_hints(other.pipeline.key).clear.add(other.pipeline.shard)
        return slice_.beside

    def _close_beside(self, slice_: _Slice) -> None:
        for each in slice_.beside or []:
            if each.done:
                with suppress(Stale):
                    self._close(each)

    def _close(self, slice_: _Slice) -> None:
        """Save the checkpoint with what was seen, and report; a shard that stays level does so every few seconds."""
        pipeline, before = slice_.pipeline, slice_.checkpoint
        now = self._ports.clock.monotonic()
        known = self._reported.find(pipeline.key)
        since, carried, _ = known or (now - REPORT_SECONDS, 0, False)
        done = carried + slice_.done
        rests = slice_.rests and not done
        if slice_.level and before.level and (rests or now - since < REPORT_SECONDS):
            self._reported[pipeline.key] = (now if rests else since, done, True)
            return
        before = before.moved(applied=before.applied + carried)
        backlog = self._ports.feed.backlog(pipeline.origin, slice_.position, shards=[pipeline.shard])
        # A shard without a rate takes the first one whole: averaged with nothing, it would be a tenth of what it is.
        rate = before.rate_per_second
        started = min(since if known else now - FIRST_RATE_SECONDS, slice_.began)
        rate = Meter(rate, 0.0, float(rate > 0.0)).observe(done, now - started).rate
        # The pulse counts as well: what is not followed grows old even without writes.
        measured = before.moved(lag_seconds=backlog.seconds, rate_per_second=rate)
        level = readiness(measured, slice_.level)
        saved = self._ports.checkpoints.save(measured.moved(level=level), slice_.lease.epoch)
        # Counted, and not reported: a report that is lost is made once more.
        self._reported[pipeline.key] = (since, 0, False)
        report = report_of(saved, list(slice_.known.values()), was_level=before.level and not level)
        self._ports.upgrades.report_shard(pipeline.record.id, report)
        self._reported[pipeline.key] = (now, 0, level)

    def _fail(self, pipeline: ShardPipeline, lease: Lease, reason: str) -> None:
        failed = self._ports.checkpoints.load(pipeline.key).moved(error=reason, level=False)
        saved = self._ports.checkpoints.save(failed, lease.epoch)
        self._ports.upgrades.report_shard(pipeline.record.id, report_of(saved, [], was_level=False))

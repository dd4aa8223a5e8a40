"""The controller that keeps proving: changed keys at once, everything every few minutes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from migrations_app.domain.parity import Mismatch
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, Share, WorkClass
from migrations_app.engine.parity import recheck as changed
from migrations_app.engine.parity.downgrade_loss import count_page
from migrations_app.engine.parity.duty_cycle import DutyCycle
from migrations_app.engine.parity.repair import repair
from migrations_app.engine.parity.resting_verification import RestingVerification
from migrations_app.engine.parity.scan import scan_page
from migrations_app.engine.parity.waiting import WaitingShards
from migrations_app.engine.sync.data_flow import flows, stopped
from migrations_app.engine.sync.pace import COPYING
from migrations_app.engine.sync.recopy import LOSSES
from migrations_app.engine.sync.shard_pipeline import (
    PipelinePorts,
    ShardPipeline,
    fresh_replication_token,
    pipeline_of,
    position_of,
)
from migrations_app.kernel.errors import DirectionChanged, ReplicatorUnknown
from migrations_app.ports.checkpoints import Checkpoint, Scan, ShardKey, ShardStage
from migrations_app.ports.comparing import CountedRange
from migrations_app.ports.upgrades import Direction

PAGE = 5000
PAUSE_SECONDS = 2.0
LOOK_SECONDS = 0.5
RECHECK_SECONDS = 1.0
"""So often at most the changed keys of one shard are compared, unless there were more than one batch."""
FULL_PASS_SECONDS = 600.0
SCANS_AT_ONCE = 2
"""So many threads of a process scan; the others are free for following, which must not wait behind proofs."""
PROVED_SECONDS = 12.0
"""A shard that is compared whole comes up so seldom while another proves the changed keys of all."""
LONGEST_PAUSE_SECONDS = 10.0
"""So seldom at most a shard is looked at that is still being copied."""
COPIED_PER_SECOND = 10_000
"""How fast a shard is copied at best: what has far to go is not asked about every second."""
COPYING_SECONDS = 60.0
"""So long at most a shard's first pass waits for other shards that are being copied: both want the same processor."""
BEHIND_SECONDS = 10.0
"""A shard that is further behind is followed before it is scanned: nothing could be switched anyway."""


class ParityController:
    """Proves each shard that follows, mends what differs, and lists it."""

    name = "parity"
    queue = "sync"
    work_class = WorkClass.VERIFICATION

    def __init__(
        self,
        ports: PipelinePorts,
        *,
        full_pass_seconds: float = FULL_PASS_SECONDS,
        page: int = PAGE,
        scans: Share | None = None,
        ease: DutyCycle | None = None,
    ) -> None:
        self._ports = ports
        self._full_pass = timedelta(seconds=full_pass_seconds)
        self._page = page
        self._scans = scans or Share(SCANS_AT_ONCE)
        self._waiting = WaitingShards(ports.clock)
        self._ease = ease or DutyCycle(1.0, ports.clock)
        # A hint only: when this process last proved the changed keys of all shards together, and from which shard's slice.
        self._proved: dict[tuple[str, Direction], tuple[float, int]] = {}
        self._proving = Share(1)
        self._rest = RestingVerification(ports)
        # The same of each shard by itself; without it every page of a full pass would come with a look at the feed.
        self._rechecked: dict[ShardKey, float] = {}
        # Which upgrades had shards to copy, and when that was looked up.
        self._copying: dict[str, tuple[float, bool]] = {}

    def due(self) -> Iterable[str]:
        """List the shards of the upgrades whose data flow."""
        for record in self._ports.upgrades.syncing():
            if flows(record, record.direction):
                for shard in range(record.ring):
                    yield str(ShardKey(record.id, record.direction, shard))

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Prove a slice of one shard.

        Once: pages are repeated harmlessly; the scan is refused to a worker that lost its lease.
        """
        shard_key = ShardKey.parse(key)
        record = self._ports.upgrades.load(shard_key.upgrade)
        if not flows(record, shard_key.direction):
            return stopped(record, shard_key.direction)
        checkpoint = self._ports.checkpoints.load(shard_key)
        if checkpoint.stage is not ShardStage.FOLLOW:
            left = (checkpoint.total - checkpoint.copied) / COPIED_PER_SECOND
            return Again(min(max(PAUSE_SECONDS, left), LONGEST_PAUSE_SECONDS))
        pipeline = pipeline_of(self._ports, record, shard_key.direction, shard_key.shard)
        try:
            return self._prove(pipeline, budget, lease, checkpoint)
        except (ReplicatorUnknown, DirectionChanged):
            return Again(PAUSE_SECONDS)
        except LOSSES:
            self._rest.interrupt(pipeline)
            changed.begin_again(self._ports, pipeline)
            return Again(PAUSE_SECONDS)

    def _prove(
        self, pipeline: ShardPipeline, budget: Budget, lease: Lease, checkpoint: Checkpoint
    ) -> Outcome:
        behind = (checkpoint.lag_seconds or 0.0) > BEHIND_SECONDS
        scan = self._ports.checkpoints.load_scan(pipeline.key)
        if scan.started_at is None:
            changed.begin(self._ports, pipeline)
            scan = self._ports.checkpoints.save_scan(
                replace(scan, started_at=self._ports.clock.now(), both_ways=True), lease.epoch
            )
        while not budget.spent:
            busy = self._recheck(pipeline)
            with self._scans.taken() as free:
                if free:
                    self._waiting.remove(pipeline.key)
                rests = behind or not free or self._ease.rests or self._copies_first(pipeline, scan)
                scan, more, wait = (
                    (scan, False, 0.0) if rests else self._compare_in_turn(pipeline, scan, lease)
                )
            if not (busy or more):
                if not free and self._unfinished(scan):
                    return Again(self._waiting.wait(pipeline.key))
                pause = Again(wait or self._pause_seconds(pipeline, scan))
                at_rest = not (wait or behind or scan.failed or self._unfinished(scan))
                return self._rest.end(pipeline, lease.memo, pause, self._until_pass(scan) if at_rest else 0.0)
        return Again(0.0)

    def _until_pass(self, scan: Scan) -> float:
        """Tell in how many seconds a shard is compared whole again."""
        assert scan.ended_at is not None
        return max(0.0, (scan.ended_at + self._full_pass - self._ports.clock.now()).total_seconds())

    def _pause_seconds(self, pipeline: ShardPipeline, scan: Scan) -> float:
        """Tell when to come up again; seldom where another shard's slice proves the changed keys of all of them.

        The shards come up at different moments, so that another takes its place soon when it stops.
        """
        at, shard = self._proved.get((pipeline.key.upgrade, pipeline.key.direction), (float("-inf"), -1))
        another = shard != pipeline.shard and self._ports.clock.monotonic() - at < 2 * PAUSE_SECONDS
        return PROVED_SECONDS if another and not scan.failed and not self._unfinished(scan) else PAUSE_SECONDS

    def _compare_in_turn(self, pipeline: ShardPipeline, scan: Scan, lease: Lease) -> tuple[Scan, bool, float]:
        """Compare and count a page; tell if there is more to do at once, and else how long to wait for a turn."""
        with self._ports.turn(pipeline.origin, apart=True) as wait:
            if wait:
                return scan, False, wait
            began = self._ports.clock.monotonic()
            scan, scanning, counted = self._scan(pipeline, scan, lease)
            counting = count_page(
                self._ports, pipeline, lease, self._page, self._full_pass, scan=scan, counted=counted
            )
            self._ease.worked(began)
            return scan, scanning or counting, 0.0

    def _copies_first(self, pipeline: ShardPipeline, scan: Scan) -> bool:
        """Tell whether the first pass waits: other shards are being copied, and nothing holds them up.

        A shard that is throttled, or copied for long, is not waited for.
        """
        now, upgrade = self._ports.clock.now(), pipeline.record.id
        if scan.ended_at is not None or scan.passed_at is not None or scan.started_at is None:
            return False
        if now >= scan.started_at + timedelta(seconds=COPYING_SECONDS):
            return False
        seen, found = self._copying.get(upgrade, (float("-inf"), False))
        if self._ports.clock.monotonic() - seen >= LOOK_SECONDS:
            reports = self._ports.upgrades.shards(upgrade)
            found = any(each.stage in COPYING and not each.throttled for each in reports)
            self._copying[upgrade] = (self._ports.clock.monotonic(), found)
        return found

    def _unfinished(self, scan: Scan) -> bool:
        """Tell whether a pass of comparing or of counting is under way."""
        if scan.ended_at is None:
            return True
        return self._ports.checkpoints.load_price(scan.key).ended_at is None

    def _recheck(self, pipeline: ShardPipeline) -> bool:
        """Prove changed keys, of all shards together if that goes; tell whether there is more to do at once."""
        key, now = (pipeline.key.upgrade, pipeline.key.direction), self._ports.clock.monotonic()
        if now - self._proved.get(key, (float("-inf"), -1))[0] < PAUSE_SECONDS:
            return False
        if now - self._rechecked.get(pipeline.key, float("-inf")) < RECHECK_SECONDS:
            return False
        with self._proving.taken() as free:
            count = changed.recheck_all(self._ports, pipeline) if free else None
            if count or (free and count is None):
                self._rest.note_changes(pipeline)
            if count is not None:
                self._proved[key] = (now, pipeline.shard)
                return False
        followed = position_of(self._ports, pipeline)
        if followed is None:
            return False
        done = changed.recheck(self._ports, pipeline, followed)
        self._mend(pipeline, done.mismatches)
        busy = done.checked > 0 and not done.level and not done.mismatches
        if not busy:
            self._rechecked[pipeline.key] = now
        return busy

    def _scan(
        self, pipeline: ShardPipeline, scan: Scan, lease: Lease
    ) -> tuple[Scan, bool, CountedRange | None]:
        """Scan a page if a pass is under way or due; tell whether there is more to do at once, and what it counted."""
        now = self._ports.clock.now()
        if scan.ended_at is not None:
            wait = self._full_pass if scan.failed == 0 else timedelta(seconds=2)
            if now < scan.ended_at + wait:
                return scan, False, None
            scan = Scan(scan.key, started_at=now, passed_at=scan.passed_at, both_ways=True, rev=scan.rev)
        if self._ports.throttle.reason(pipeline.origin):
            return scan, False, None
        quarantined = {(one.type, one.name) for one in self._ports.checkpoints.quarantined(pipeline.key)}
        page = scan_page(self._ports, pipeline, scan, quarantined, self._page)
        if page.scan is None:
            return scan, False, None
        self._mend(pipeline, page.mismatches)
        moved = page.scan
        if page.finished:
            clean = moved.failed == 0
            moved = replace(moved, ended_at=now, passed_at=moved.started_at if clean else None)
        saved = self._ports.checkpoints.save_scan(moved, lease.epoch)
        return saved, not page.finished, page.counted

    def _mend(self, pipeline: ShardPipeline, found: tuple[tuple[str, Mismatch], ...]) -> None:
        if not found:
            return
        replication_token = fresh_replication_token(self._ports, pipeline)
        for type_, mismatch in found:
            done = repair(self._ports, pipeline, type_, mismatch, replication_token)
            self._ports.checkpoints.differ(pipeline.key, mismatch, done)

"""The steps of a switch, taken for real."""

from __future__ import annotations

from datetime import datetime

from migrations_app.engine.parity import recheck as changed
from migrations_app.engine.parity.digests import digest_of_sides
from migrations_app.engine.parity.reference_digests import index_differences
from migrations_app.engine.switch.final_batch import carry_all, prove_all
from migrations_app.engine.switch.steps import StepResult
from migrations_app.engine.switch.switchover import Switchover
from migrations_app.engine.sync import quarantine
from migrations_app.engine.sync.catch_up import follow
from migrations_app.engine.sync.shard_pipeline import (
    PipelinePorts,
    ShardPipeline,
    follower_name,
    fresh_replication_token,
    parity_follower,
    position_of,
)
from migrations_app.kernel.errors import Busy, Conflict, Stale
from migrations_app.kernel.failpoints import reach
from migrations_app.kernel.messages import WordedMessage, counted, message, verbatim
from migrations_app.kernel.recent_map import RecentMap
from migrations_app.ports.checkpoints import ShardKey, ShardStage
from migrations_app.ports.fence import FenceState, Mode
from migrations_app.ports.namespaces import Position
from migrations_app.ports.upgrades import Direction

ROUNDS = 10_000
"""No catch-up needs as many batches; without an end a broken feed would spin until the deadline."""

DIGEST_RESOURCES = 20_000
"""Up to here the fast digest of both sides is taken within the freeze too; beyond, it would be the freeze."""


class LiveSteps:
    """`engine.switch.steps.Steps` on the real ports."""

    def __init__(self, ports: PipelinePorts) -> None:
        self._ports = ports
        # Which upgrades are small enough for digests in the freeze; found out before it.
        self._digestible = RecentMap[str, bool]()
        # Since when outcomes of attempts may not have crossed yet; who does not know brings them all.
        self._outcomes_since = RecentMap[str, datetime]()

    def approach(self, switchover: Switchover) -> None:
        """Follow and prove as far as can be while writers go on, so that little is left for the freeze."""
        if switchover.crosses_databases:
            since = self._ports.store.bring_outcomes(switchover.origin, switchover.passive)
            self._outcomes_since[switchover.follower] = since
        if switchover.blind:
            return
        self._digestible[switchover.record.id] = _small(self._ports, switchover)
        for pipeline in switchover.pipelines:
            position = position_of(self._ports, pipeline)
            if position is not None:
                replication_token, known = (
                    fresh_replication_token(self._ports, pipeline),
                    quarantine.worklist(self._ports, pipeline),
                )
                done = follow(self._ports, pipeline, position, replication_token, known)
                changed.recheck(self._ports, pipeline, done.position)
        self._demand_copied(switchover)

    def _demand_copied(self, switchover: Switchover) -> None:
        """Make sure that no shard has begun to be copied again since it was looked at."""
        for pipeline in switchover.pipelines:
            if self._ports.checkpoints.load(pipeline.key).stage is ShardStage.BACKFILL:
                raise Stale(
                    message("Shard {shard} is copied again.", shard=pipeline.shard), code="shard-copied-again"
                )

    def freeze(self, switchover: Switchover, expected: FenceState) -> tuple[FenceState, StepResult]:
        """Stop the writers; a freeze of this very epoch that stands already is taken over."""
        if expected.mode is Mode.FROZEN:
            words = message("The freeze of epoch {epoch} was taken over.", epoch=expected.epoch)
            return expected, StepResult("freeze", words)
        reach("freeze.before")
        began = self._ports.clock.monotonic()
        frozen = self._ports.fence.freeze(
            switchover.origin, expected, deadline_seconds=switchover.record.freeze_seconds
        )
        reach("freeze.after")
        words = message("Writers were stopped at epoch {epoch}.", epoch=frozen.epoch)
        return frozen, self._result("freeze", words, began)

    def catch_up(self, switchover: Switchover, frozen: FenceState) -> StepResult:
        """Follow every shard to the freeze's end, reading without the horizon: no transaction is open."""
        began = self._ports.clock.monotonic()
        reach("catch-up.before")
        if switchover.blind:
            self._pass_by(switchover, frozen)
            words = message(
                "{version} was not kept current: its data are those of the switch.",
                version=switchover.passive.version,
            )
            return self._result("catch-up", words, began)
        carried = carry_all(self._ports, switchover, frozen)
        if carried is None:
            carried = sum(self._catch_up_pipeline(pipeline, frozen) for pipeline in switchover.pipelines)
        reach("catch-up.after")
        words = counted(
            carried, "{count} last change was replicated.", "{count} last changes were replicated."
        )
        return self._result("catch-up", words, began)

    def _pass_by(self, switchover: Switchover, frozen: FenceState) -> None:
        """Say that nothing is to be carried: the plan named that price, and it was approved."""
        shards = dict.fromkeys(range(switchover.ring), self._ports.feed.head(switchover.origin))
        self._ports.feed.register(switchover.origin, switchover.follower, shards)
        for shard, end in frozen.freeze_end.items():
            self._ports.feed.advance(
                switchover.origin, switchover.follower, shard, end, reached=end, epoch=frozen.epoch
            )

    def _catch_up_pipeline(self, pipeline: ShardPipeline, frozen: FenceState) -> int:
        end = frozen.freeze_end[pipeline.shard]
        after, carried = position_of(self._ports, pipeline), 0
        if after is None:
            raise Conflict(
                message("No replicator follows shard {shard}.", shard=pipeline.shard), code="follower-missing"
            )
        replication_token = fresh_replication_token(self._ports, pipeline)
        known = quarantine.worklist(self._ports, pipeline)
        for _ in range(ROUNDS):
            done = follow(self._ports, pipeline, after, replication_token, known, freeze_epoch=frozen.epoch)
            carried += done.applied
            if self._ports.feed.reached(done.reached, end):
                return carried
            if done.reached == after:
                break
            after = done.reached
        stuck = message("Shard {shard} does not reach the end of the freeze.", shard=pipeline.shard)
        raise Busy(stuck, code="catch-up-stuck")

    def prove(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Compare every key changed since the last clean pass; in small namespaces the digests as well."""
        began = self._ports.clock.monotonic()
        reach("parity.before")
        if switchover.blind:
            words = message("Nothing was compared: the old data stand as of the switch.")
            return self._ports.fence.prove(frozen), self._result("parity", words, began)
        checked = prove_all(self._ports, switchover, frozen)
        if checked is None:
            checked = sum(self._verify_pipeline(pipeline, frozen) for pipeline in switchover.pipelines)
        words = counted(
            checked,
            "{count} changed resource is equal on both sides.",
            "{count} changed resources are equal on both sides.",
        )
        if self._digestible.get(switchover.record.id, False):
            compared = digest_of_sides(self._ports, switchover.pipelines[0])
            if not compared.equal:
                raise Conflict(
                    message(
                        "The digests of both sides differ: {origin} and {passive} resources, groups {groups}.",
                        origin=compared.origin_count,
                        passive=compared.passive_count,
                        groups=", ".join(map(str, compared.differing)),
                    ),
                    code="parity-differs",
                    remedy=message("The next full check lists and repairs what differs."),
                )
            if faults := index_differences(self._ports, switchover.pipelines[0]):
                raise Conflict(
                    verbatim(f"{faults[0].sentence}."),
                    code="references-differ",
                    remedy=message("They are repaired before the next try; ask again."),
                )
            words += message(
                "The digests of all {total} agree, and those of what they refer to.",
                total=compared.origin_count,
            )
        proved = self._ports.fence.prove(frozen)
        reach("parity.after")
        return proved, self._result("parity", words, began)

    def _verify_pipeline(self, pipeline: ShardPipeline, frozen: FenceState) -> int:
        end, after, checked = frozen.freeze_end[pipeline.shard], None, 0
        for _ in range(ROUNDS):
            done = changed.recheck(self._ports, pipeline, end, after=after, still=True)
            checked += done.checked
            if done.mismatches:
                type_, mismatch = done.mismatches[0]
                raise Conflict(
                    counted(
                        len(done.mismatches),
                        "{count} resource differs: {mismatch}.",
                        "{count} resources differ; the first: {mismatch}.",
                        mismatch=mismatch.sentence,
                    ),
                    code="parity-differs",
                    remedy=message("They are repaired after the freeze; ask again then."),
                    type=type_,
                    name=mismatch.source_name,
                )
            if done.position is None:
                raise Conflict(
                    message("Shard {shard} was never compared.", shard=pipeline.shard),
                    code="parity-missing",
                    remedy=message("Wait for the first full check."),
                )
            if self._ports.feed.reached(done.position, end):
                return checked
            after = done.position
        stuck = message("Shard {shard} does not come to the end of its changes.", shard=pipeline.shard)
        raise Busy(stuck, code="parity-stuck")

    def flip(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Flip the one row; between two fences close the one for good, then open the other."""
        began = self._ports.clock.monotonic()
        reach("flip.before")
        if switchover.split:
            closed = self._ports.fence.close(
                switchover.origin, switchover.passive, frozen, switchover.follower
            )
            reach("close.after")
            return self.open_other(switchover, closed, began)
        flipped = self._ports.fence.flip(switchover.origin, switchover.passive, frozen, switchover.follower)
        reach("flip.after")
        words = message(
            "{version} is open at epoch {epoch}.", version=flipped.active_version, epoch=flipped.epoch
        )
        return flipped, self._result("flip", words, began)

    def open_other(
        self, switchover: Switchover, closed: FenceState, began: float
    ) -> tuple[FenceState, StepResult]:
        """Finish what `close` began; anybody may, at any time."""
        opened = self._ports.fence.state(switchover.far_site)
        if opened.mode is not Mode.OPEN:
            since = self._outcomes_since.find(switchover.follower)
            opened = self._ports.fence.open_other(switchover.passive, closed, opened, outcomes_since=since)
        reach("flip.after")
        words = message("{version} is open at epoch {epoch}.", version=switchover.entered, epoch=opened.epoch)
        return opened, self._result("flip", words, began)

    def abort(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Open the origin again by compare-and-set; the loser of a race reads who won."""
        began = self._ports.clock.monotonic()
        reach("abort.before")
        try:
            opened = self._ports.fence.abort(frozen)
            words = message(
                "{version} is open again at epoch {epoch}.", version=opened.active_version, epoch=opened.epoch
            )
        except Stale:
            opened = self._ports.fence.state(switchover.site)
            words = message(
                "Another process changed the fence first: {version} is {mode} at epoch {epoch}.",
                version=opened.active_version,
                mode=opened.mode.value,
                epoch=opened.epoch,
            )
        reach("abort.after")
        return opened, self._result("abort", words, began)

    def publish(self, switchover: Switchover, state: FenceState) -> StepResult:
        """Copy what the fence says to the control database, if that is news there."""
        reach("publish.before")
        news = self._ports.upgrades.publish(switchover.passive, state.epoch)
        reach("publish.after")
        version = state.active_version
        if news:
            return StepResult("publish", message("{version} was published.", version=version))
        return StepResult("publish", message("{version} was published already.", version=version))

    def reverse_replication(self, switchover: Switchover, state: FenceState) -> StepResult:
        """Set both cursors of the other direction to where it begins, and stop following this one.

        Both sides were equal at the flip, so every key is proved up to there.
        """
        back = Direction.REVERSE if switchover.direction is Direction.FORWARD else Direction.FORWARD
        start = state.reverse_start or self._ports.feed.head(switchover.passive)
        shards = range(switchover.passive.ring)
        for follower in (
            follower_name(switchover.record.id, back),
            parity_follower(switchover.record.id, back),
        ):
            self._ports.feed.register(switchover.passive, follower, dict.fromkeys(shards, start))
            # They were not read until now, so that they may have been given up meanwhile.
            self._ports.feed.restart(switchover.passive, follower, shards, at=start)
            self._advance(switchover, follower, start)
        reach("reverse-replication.after")
        self._ports.feed.forget(switchover.origin, switchover.follower)
        self._ports.feed.forget(
            switchover.origin, parity_follower(switchover.record.id, switchover.direction)
        )
        words = message("{version} is kept current from the flip on.", version=switchover.origin.version)
        return StepResult("reverse-replication", words)

    def _advance(self, switchover: Switchover, follower: str, start: Position) -> None:
        for cursor in self._ports.feed.cursors(switchover.passive, follower):
            if not self._ports.feed.reached(cursor.position, start):
                self._ports.feed.advance(switchover.passive, follower, cursor.shard, start)

    def _result(self, step: str, words: WordedMessage, began: float) -> StepResult:
        return StepResult(step, words, (self._ports.clock.monotonic() - began) * 1000)


def _small(ports: PipelinePorts, switchover: Switchover) -> bool:
    """Tell whether the digests can be taken in a moment, and have no accepted difference to stumble over."""
    if any(ports.checkpoints.quarantined(pipeline.key) for pipeline in switchover.pipelines):
        return False
    shards = range(switchover.record.ring_of(Direction.FORWARD))
    keys = [ShardKey(switchover.record.id, Direction.FORWARD, shard) for shard in shards]
    stand = [ports.checkpoints.load(key) for key in keys]
    return sum(one.total + one.applied for one in stand) <= DIGEST_RESOURCES

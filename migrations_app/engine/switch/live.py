"""The steps of a switch, taken for real."""

from __future__ import annotations

from datetime import datetime

from migrations_app.engine.parity import recheck as changed
from migrations_app.engine.parity.digests import digest_of_sides
from migrations_app.engine.switch.passage import Passage
from migrations_app.engine.switch.rush import carry_all, prove_all
from migrations_app.engine.switch.steps import Told
from migrations_app.engine.sync import poison
from migrations_app.engine.sync.follow import follow
from migrations_app.engine.sync.lane import (
    Lane,
    Yard,
    follower_name,
    fresh_warrant,
    parity_follower,
    position_of,
)
from migrations_app.kernel.errors import Busy, Conflict, Stale
from migrations_app.kernel.failpoints import reach
from migrations_app.ports.checkpoints import ShardKey, Stage
from migrations_app.ports.fence import FenceState, Mode
from migrations_app.ports.namespaces import Position
from migrations_app.ports.upgrades import Direction

ROUNDS = 10_000
"""No catch-up needs as many batches; without an end a broken feed would spin until the deadline."""

DIGEST_RESOURCES = 20_000
"""Up to here the fast digest of both sides is taken within the freeze too; beyond, it would be the freeze."""


class LiveSteps:
    """`engine.switch.steps.Steps` on the real ports."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        # Which upgrades are small enough for digests in the freeze; found out before it.
        self._digestible: dict[str, bool] = {}
        # Since when outcomes of attempts may not have crossed yet; who does not know brings them all.
        self._outcomes_since: dict[str, datetime] = {}

    def approach(self, passage: Passage) -> None:
        """Follow and prove as far as can be while writers go on, so that little is left for the freeze."""
        if passage.split:
            since = self._yard.store.bring_outcomes(passage.origin, passage.passive)
            self._outcomes_since[passage.follower] = since
        if passage.blind:
            return
        self._digestible[passage.record.id] = _small(self._yard, passage)
        for lane in passage.lanes:
            position = position_of(self._yard, lane)
            if position is not None:
                warrant, known = fresh_warrant(self._yard, lane), poison.worklist(self._yard, lane)
                done = follow(self._yard, lane, position, warrant, known)
                changed.recheck(self._yard, lane, done.position)
        self._demand_copied(passage)

    def _demand_copied(self, passage: Passage) -> None:
        """Make sure that no shard has begun to be copied again since it was looked at."""
        for lane in passage.lanes:
            if self._yard.checkpoints.load(lane.key).stage is Stage.BACKFILL:
                raise Stale(f"Shard {lane.shard} is copied again.", code="shard-copied-again")

    def freeze(self, passage: Passage, expected: FenceState) -> tuple[FenceState, Told]:
        """Stop the writers; a freeze of this very epoch that stands already is taken over."""
        if expected.mode is Mode.FROZEN:
            return expected, Told("freeze", f"The freeze of epoch {expected.epoch} was taken over.")
        reach("freeze.before")
        began = self._yard.clock.monotonic()
        frozen = self._yard.fence.freeze(
            passage.origin, expected, deadline_seconds=passage.record.freeze_seconds
        )
        reach("freeze.after")
        return frozen, self._told("freeze", f"Writers were stopped at epoch {frozen.epoch}.", began)

    def catch_up(self, passage: Passage, frozen: FenceState) -> Told:
        """Follow every shard to the freeze's end, reading without the horizon: nobody is in flight."""
        began = self._yard.clock.monotonic()
        reach("catch-up.before")
        if passage.blind:
            self._pass_by(passage, frozen)
            words = f"{passage.passive.version} was not kept in step: its data are those of the switch."
            return self._told("catch-up", words, began)
        carried = carry_all(self._yard, passage, frozen)
        if carried is None:
            carried = sum(self._catch_up_lane(lane, frozen) for lane in passage.lanes)
        reach("catch-up.after")
        return self._told("catch-up", f"{carried} last changes were carried across.", began)

    def _pass_by(self, passage: Passage, frozen: FenceState) -> None:
        """Say that nothing is to be carried: the plan named that price, and it was approved."""
        shards = dict.fromkeys(range(passage.record.ring), self._yard.feed.head(passage.origin))
        self._yard.feed.register(passage.origin, passage.follower, shards)
        for shard, end in frozen.freeze_end.items():
            self._yard.feed.advance(
                passage.origin, passage.follower, shard, end, reached=end, epoch=frozen.epoch
            )

    def _catch_up_lane(self, lane: Lane, frozen: FenceState) -> int:
        end = frozen.freeze_end[lane.shard]
        after, carried = position_of(self._yard, lane), 0
        if after is None:
            raise Conflict(f"Nobody follows shard {lane.shard}.", code="follower-missing")
        warrant = fresh_warrant(self._yard, lane)
        known = poison.worklist(self._yard, lane)
        for _ in range(ROUNDS):
            done = follow(self._yard, lane, after, warrant, known, freeze_epoch=frozen.epoch)
            carried += done.applied
            if self._yard.feed.reached(done.reached, end):
                return carried
            if done.reached == after:
                break
            after = done.reached
        raise Busy(f"Shard {lane.shard} does not reach the end of the freeze.", code="catch-up-stuck")

    def prove(self, passage: Passage, frozen: FenceState) -> tuple[FenceState, Told]:
        """Compare every key changed since the last clean pass; in small namespaces the digests as well."""
        began = self._yard.clock.monotonic()
        reach("parity.before")
        if passage.blind:
            words = "Nothing was compared: the old data stand as of the switch."
            return self._yard.fence.prove(frozen), self._told("parity", words, began)
        checked = prove_all(self._yard, passage, frozen)
        if checked is None:
            checked = sum(self._prove_lane(lane, frozen) for lane in passage.lanes)
        words = f"{checked} changed resources are equal on both sides"
        if self._digestible.get(passage.record.id, False):
            compared = digest_of_sides(self._yard, passage.lanes[0])
            if not compared.equal:
                raise Conflict(
                    f"The digests of both sides differ: {compared.origin_count} and {compared.passive_count} "
                    f"resources, groups {', '.join(map(str, compared.differing))}.",
                    code="parity-differs",
                    remedy="The next full check lists and mends what differs.",
                )
            words += f"; the digests of all {compared.origin_count} agree"
        proved = self._yard.fence.prove(frozen)
        reach("parity.after")
        return proved, self._told("parity", f"{words}.", began)

    def _prove_lane(self, lane: Lane, frozen: FenceState) -> int:
        end, after, checked = frozen.freeze_end[lane.shard], None, 0
        for _ in range(ROUNDS):
            done = changed.recheck(self._yard, lane, end, after=after, still=True)
            checked += done.checked
            if done.found:
                type_, mismatch = done.found[0]
                raise Conflict(
                    f"{len(done.found)} resources differ; the first: {mismatch.sentence}.",
                    code="parity-differs",
                    remedy="They are mended after the freeze; ask again then.",
                    type=type_,
                    name=mismatch.source_name,
                )
            if done.position is None:
                raise Conflict(
                    f"Shard {lane.shard} was never compared.",
                    code="parity-missing",
                    remedy="Wait for the first full check.",
                )
            if self._yard.feed.reached(done.position, end):
                return checked
            after = done.position
        raise Busy(f"Shard {lane.shard} does not come to the end of its changes.", code="parity-stuck")

    def flip(self, passage: Passage, frozen: FenceState) -> tuple[FenceState, Told]:
        """Flip the one row; between two databases close the one for good, then open the other."""
        began = self._yard.clock.monotonic()
        reach("flip.before")
        if passage.split:
            closed = self._yard.fence.close(passage.origin, passage.passive, frozen, passage.follower)
            reach("close.after")
            return self.open_other(passage, closed, began)
        flipped = self._yard.fence.flip(passage.origin, passage.passive, frozen, passage.follower)
        reach("flip.after")
        return flipped, self._told(
            "flip", f"{flipped.active_version} is open at epoch {flipped.epoch}.", began
        )

    def open_other(self, passage: Passage, closed: FenceState, began: float) -> tuple[FenceState, Told]:
        """Finish what `close` began; anybody may, at any time."""
        opened = self._yard.fence.state(passage.far_site)
        if opened.mode is not Mode.OPEN:
            since = self._outcomes_since.get(passage.follower)
            opened = self._yard.fence.open_other(passage.passive, closed, opened, outcomes_since=since)
        reach("flip.after")
        words = f"{passage.passive.version} is open in {passage.passive.database} at epoch {opened.epoch}."
        return opened, self._told("flip", words, began)

    def abort(self, passage: Passage, frozen: FenceState) -> tuple[FenceState, Told]:
        """Open the origin again by compare-and-set; the loser of a race reads who won."""
        began = self._yard.clock.monotonic()
        reach("abort.before")
        try:
            opened = self._yard.fence.abort(frozen)
            words = f"{opened.active_version} is open again at epoch {opened.epoch}."
        except Stale:
            opened = self._yard.fence.state(passage.site)
            words = f"Somebody was faster: {opened.active_version} is {opened.mode} at epoch {opened.epoch}."
        reach("abort.after")
        return opened, self._told("abort", words, began)

    def publish(self, passage: Passage, state: FenceState) -> Told:
        """Copy what the fence says to the control database, if that is news there."""
        reach("publish.before")
        news = self._yard.upgrades.publish(passage.passive, state.epoch)
        reach("publish.after")
        words = "was published" if news else "was published already"
        return Told("publish", f"{state.active_version} {words}.")

    def follow_back(self, passage: Passage, state: FenceState) -> Told:
        """Set both cursors of the other direction to where it begins, and stop following this one.

        Both sides were equal at the flip, so every key is proved up to there.
        """
        back = Direction.REVERSE if passage.direction is Direction.FORWARD else Direction.FORWARD
        start = state.reverse_start or self._yard.feed.head(passage.passive)
        shards = range(passage.record.ring)
        for follower in (
            follower_name(passage.record.id, back),
            parity_follower(passage.record.id, back),
        ):
            self._yard.feed.register(passage.passive, follower, dict.fromkeys(shards, start))
            # Nobody read them until now, so that they may have been given up meanwhile.
            self._yard.feed.restart(passage.passive, follower, shards, at=start)
            self._advance(passage, follower, start)
        reach("follow-back.after")
        self._yard.feed.forget(passage.origin, passage.follower)
        self._yard.feed.forget(passage.origin, parity_follower(passage.record.id, passage.direction))
        return Told("follow-back", f"{passage.origin.version} is kept in step from the flip on.")

    def _advance(self, passage: Passage, follower: str, start: Position) -> None:
        for cursor in self._yard.feed.cursors(passage.passive, follower):
            if not self._yard.feed.reached(cursor.position, start):
                self._yard.feed.advance(passage.passive, follower, cursor.shard, start)

    def _told(self, step: str, sentence: str, began: float) -> Told:
        return Told(step, sentence, (self._yard.clock.monotonic() - began) * 1000)


def _small(yard: Yard, passage: Passage) -> bool:
    """Tell whether the digests can be taken in a moment, and have no accepted difference to stumble over."""
    if any(yard.checkpoints.parked(lane.key) for lane in passage.lanes):
        return False
    keys = [ShardKey(passage.record.id, Direction.FORWARD, lane.shard) for lane in passage.lanes]
    stand = [yard.checkpoints.load(key) for key in keys]
    return sum(one.total + one.applied for one in stand) <= DIGEST_RESOURCES

"""The steps of a switch, rehearsed: they read, they tell what they would do, they change nothing."""

from __future__ import annotations

from migrations_app.engine.switch.passage import Passage
from migrations_app.engine.switch.steps import Told
from migrations_app.engine.sync.lane import Yard, parity_follower
from migrations_app.kernel.errors import Conflict
from migrations_app.ports.fence import FenceState, Mode


class DrySteps:
    """`engine.switch.steps.Steps` in words. The states it returns are the ones that stand."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard

    def freeze(self, passage: Passage, expected: FenceState) -> tuple[FenceState, Told]:
        """Tell who would be stopped.

        Raises: Conflict (`fence-not-open`).
        """
        if expected.mode is not Mode.OPEN or expected.active_version != passage.origin.version:
            raise Conflict(
                f"{expected.active_version} is {expected.mode} at epoch {expected.epoch}.",
                code="fence-not-open",
            )
        bound = passage.record.freeze_seconds
        words = (
            f"Would stop the writers of {passage.origin.version} at epoch {expected.epoch + 1}, "
            f"for at most {bound:g} s."
        )
        return expected, Told("freeze", words)

    def catch_up(self, passage: Passage, frozen: FenceState) -> Told:
        """Tell how many changes would still have to be carried."""
        if passage.blind:
            return Told("catch-up", "Would carry nothing: the old database was not kept in step.")
        behind = self._behind(passage, passage.follower)
        return Told("catch-up", f"Would carry {behind} last changes in {passage.record.ring} shards.")

    def prove(self, passage: Passage, frozen: FenceState) -> tuple[FenceState, Told]:
        """Tell how many keys would be compared."""
        if passage.blind:
            return frozen, Told("parity", "Would compare nothing: the old data stand as of the switch.")
        keys = self._behind(passage, parity_follower(passage.record.id, passage.direction))
        return frozen, Told("parity", f"Would compare the resources of {keys} changes.")

    def flip(self, passage: Passage, frozen: FenceState) -> tuple[FenceState, Told]:
        """Tell what would be opened."""
        if passage.split:
            words = (
                f"Would close {passage.origin.database} for good and open {passage.passive.version} in "
                f"{passage.passive.database}."
            )
        else:
            words = f"Would open {passage.passive.version} at epoch {frozen.epoch + 2}."
        return frozen, Told("flip", words)

    def abort(self, passage: Passage, frozen: FenceState) -> tuple[FenceState, Told]:
        """Tell what would be opened again."""
        return frozen, Told("abort", f"Would open {passage.origin.version} again.")

    def publish(self, passage: Passage, state: FenceState) -> Told:
        """Tell what would be shown."""
        return Told("publish", f"Would show {passage.passive.version} as the current version.")

    def follow_back(self, passage: Passage, state: FenceState) -> Told:
        """Tell what would be kept in step."""
        if not passage.record.enable_downgrade_sync:
            return Told("follow-back", f"Would leave {passage.origin.version} as it is.")
        return Told("follow-back", f"Would keep {passage.origin.version} in step.")

    def _behind(self, passage: Passage, follower: str) -> int:
        feed = self._yard.feed
        return sum(
            feed.backlog(passage.origin, cursor.position, shards=[cursor.shard]).entries
            for cursor in feed.cursors(passage.origin, follower)
        )

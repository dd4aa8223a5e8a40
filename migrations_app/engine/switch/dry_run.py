"""The steps of a switch, rehearsed: they read, they tell what they would do, they change nothing."""

from __future__ import annotations

from migrations_app.engine.switch.steps import StepResult
from migrations_app.engine.switch.switchover import Switchover
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, parity_follower
from migrations_app.kernel.errors import Conflict
from migrations_app.ports.fence import FenceState, Mode


class DrySteps:
    """`engine.switch.steps.Steps` in words. The states it returns are the ones that stand."""

    def __init__(self, ports: PipelinePorts) -> None:
        self._ports = ports

    def freeze(self, switchover: Switchover, expected: FenceState) -> tuple[FenceState, StepResult]:
        """Tell who would be stopped.

        Raises: Conflict (`fence-not-open`).
        """
        if expected.mode is not Mode.OPEN or expected.active_version != switchover.origin.version:
            raise Conflict(
                f"{expected.active_version} is {expected.mode} at epoch {expected.epoch}.",
                code="fence-not-open",
            )
        bound = switchover.record.freeze_seconds
        words = (
            f"Would stop the writers of {switchover.origin.version} at epoch {expected.epoch + 1}, "
            f"for at most {bound:g} s."
        )
        return expected, StepResult("freeze", words)

    def catch_up(self, switchover: Switchover, frozen: FenceState) -> StepResult:
        """Tell how many changes would still have to be carried."""
        if switchover.blind:
            return StepResult("catch-up", "Would carry nothing: the old database was not kept in step.")
        behind = self._behind(switchover, switchover.follower)
        return StepResult("catch-up", f"Would carry {behind} last changes in {switchover.ring} shards.")

    def prove(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Tell how many keys would be compared."""
        if switchover.blind:
            return frozen, StepResult("parity", "Would compare nothing: the old data stand as of the switch.")
        keys = self._behind(switchover, parity_follower(switchover.record.id, switchover.direction))
        return frozen, StepResult("parity", f"Would compare the resources of {keys} changes.")

    def flip(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Tell what would be opened."""
        if switchover.split:
            words = (
                f"Would close {switchover.origin.database} for good and open {switchover.passive.version} in "
                f"{switchover.passive.database}."
            )
        else:
            words = f"Would open {switchover.passive.version} at epoch {frozen.epoch + 2}."
        return frozen, StepResult("flip", words)

    def abort(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Tell what would be opened again."""
        return frozen, StepResult("abort", f"Would open {switchover.origin.version} again.")

    def publish(self, switchover: Switchover, state: FenceState) -> StepResult:
        """Tell what would be shown."""
        return StepResult("publish", f"Would show {switchover.passive.version} as the current version.")

    def reverse_replication(self, switchover: Switchover, state: FenceState) -> StepResult:
        """Tell what would be kept in step."""
        if not switchover.record.enable_downgrade_sync:
            return StepResult("reverse-replication", f"Would leave {switchover.origin.version} as it is.")
        return StepResult("reverse-replication", f"Would keep {switchover.origin.version} in step.")

    def _behind(self, switchover: Switchover, follower: str) -> int:
        feed = self._ports.feed
        return sum(
            feed.backlog(switchover.origin, cursor.position, shards=[cursor.shard]).entries
            for cursor in feed.cursors(switchover.origin, follower)
        )

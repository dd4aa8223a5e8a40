"""The steps of a switch, rehearsed: they read, they tell what they would do, they change nothing."""

from __future__ import annotations

from migrations_app.engine.switch.steps import StepResult
from migrations_app.engine.switch.switchover import Switchover
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, parity_follower
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.messages import WordedMessage, counted, message
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
                message(
                    "{version} is {mode} at epoch {epoch}.",
                    version=expected.active_version,
                    mode=expected.mode.value,
                    epoch=expected.epoch,
                ),
                code="fence-not-open",
            )
        bound = switchover.record.freeze_seconds
        words = message(
            "Would stop the writers of {version} at epoch {epoch}, for at most {bound} s.",
            version=switchover.origin.version,
            epoch=expected.epoch + 1,
            bound=f"{bound:g}",
        )
        return expected, StepResult("freeze", words)

    def catch_up(self, switchover: Switchover, frozen: FenceState) -> StepResult:
        """Tell how many changes would still have to be carried."""
        if switchover.blind:
            words = message("Would replicate nothing: the old database was not kept current.")
            return StepResult("catch-up", words)
        words = counted(
            self._behind(switchover, switchover.follower),
            "Would replicate {count} last change (shards: {shards}).",
            "Would replicate {count} last changes (shards: {shards}).",
            shards=switchover.ring,
        )
        return StepResult("catch-up", words)

    def prove(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Tell how many keys would be compared."""
        if switchover.blind:
            words = message("Would compare nothing: the old data stand as of the switch.")
            return frozen, StepResult("parity", words)
        words = counted(
            self._behind(switchover, parity_follower(switchover.record.id, switchover.direction)),
            "Would compare the resources of {count} change.",
            "Would compare the resources of {count} changes.",
        )
        return frozen, StepResult("parity", words)

    def flip(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Tell what would be opened."""
        if switchover.split:
            return frozen, StepResult("flip", _closing(switchover))
        words = message(
            "Would open {version} at epoch {epoch}.",
            version=switchover.passive.version,
            epoch=frozen.epoch + 2,
        )
        return frozen, StepResult("flip", words)

    def abort(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Tell what would be opened again."""
        words = message("Would open {version} again.", version=switchover.origin.version)
        return frozen, StepResult("abort", words)

    def publish(self, switchover: Switchover, state: FenceState) -> StepResult:
        """Tell what would be shown."""
        version = switchover.passive.version
        return StepResult("publish", message("Would show {version} as the current version.", version=version))

    def reverse_replication(self, switchover: Switchover, state: FenceState) -> StepResult:
        """Tell what would be kept in step."""
        version = switchover.origin.version
        if not switchover.record.enable_downgrade_sync:
            words = message("Would leave {version} as it is.", version=version)
        else:
            words = message("Would keep {version} current.", version=version)
        return StepResult("reverse-replication", words)

    def _behind(self, switchover: Switchover, follower: str) -> int:
        feed = self._ports.feed
        return sum(
            feed.backlog(switchover.origin, cursor.position, shards=[cursor.shard]).entries
            for cursor in feed.cursors(switchover.origin, follower)
        )


def _closing(switchover: Switchover) -> WordedMessage:
    """Tell what would be closed for good where the two sides have a fence each."""
    left, entered = switchover.origin, switchover.entered
    if switchover.crosses_databases:
        return message(
            "Would close {database} for good and open {entered}.", database=left.database, entered=entered
        )
    return counted(
        left.ring,
        "Would close {version} with {count} shard for good and open {entered}.",
        "Would close {version} with {count} shards for good and open {entered}.",
        version=left.version,
        entered=entered,
    )

"""Going through the fence, and finding out after any interruption how far it went."""

from __future__ import annotations

from migrations_app.domain.switch.states import State, UpgradeEvent
from migrations_app.engine.controller import Again, Outcome
from migrations_app.engine.parity.reference_digests import index_differences, mend_indexes
from migrations_app.engine.switch import preparing
from migrations_app.engine.switch.live import LiveSteps
from migrations_app.engine.switch.steps import StepResult
from migrations_app.engine.switch.switch_attempt import SwitchAttempt, cross
from migrations_app.engine.switch.switchover import Switchover, switchover_of
from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.kernel.errors import Busy, Stale, SwitchyardError
from migrations_app.kernel.failpoints import reach
from migrations_app.kernel.messages import NOTHING, WordedMessage, as_message, message
from migrations_app.kernel.unexpected_errors import UNEXPECTED
from migrations_app.ports.fence import FenceState, Mode
from migrations_app.ports.upgrades import Direction, DirectorRequest, StepMark, TimelineEntry, UpgradeRecord


class Switching:
    """Begins, resumes and settles the passage of an upgrade through the fence."""

    def __init__(self, ports: PipelinePorts) -> None:
        self._ports = ports
        self._steps = LiveSteps(ports)

    def switchover(self, record: UpgradeRecord, direction: Direction) -> Switchover:
        """Put the passage of an upgrade together."""
        return switchover_of(self._ports, record, direction)

    def index_fault(self, switchover: Switchover) -> str | None:
        """Say what reference rows of either side are not what the documents say, and have them mended."""
        if switchover.blind:
            return None
        found = index_differences(self._ports, switchover.pipelines[0])
        if not found:
            return None
        mend_indexes(self._ports, switchover.pipelines[0], found)
        return f"{'; '.join(each.sentence for each in found)}. It is mended now."

    def begin(self, record: UpgradeRecord, switchover: Switchover) -> Outcome:
        """Write down the epoch of the freeze that is to be made, then make it.

        The epoch is written first: a process that resumes can tell a freeze not yet made from one that was aborted.
        """
        self._steps.approach(switchover)
        state = self._ports.fence.state(switchover.site)
        reach("begin.before")
        event = UpgradeEvent.FREEZE if switchover.direction is Direction.FORWARD else UpgradeEvent.REVERT
        words = message("Writers of {version} are asked to pause.", version=switchover.origin.version)
        moved = self._ports.upgrades.transition(
            record, event, TimelineEntry("freeze", words), freeze_epoch=state.epoch + 1
        )
        reach("begin.after")
        return self._cross(moved, switchover, state)

    def resume(self, record: UpgradeRecord) -> Outcome:
        """Find out from the fence how far an interrupted switch went, and go on from there."""
        direction = Direction.FORWARD if record.state is State.SWITCHING else Direction.REVERSE
        switchover = self.switchover(record, direction)
        state = self._ports.fence.state(switchover.site)
        mine = record.freeze_epoch
        if state.mode is Mode.CLOSED and switchover.split and state.epoch > mine:
            opened, _ = self._steps.open_other(switchover, state, self._ports.clock.monotonic())
            return self._settle_new(record, switchover, opened, state.freeze_milliseconds)
        if switchover.passed(self._ports, state):
            return self._settle_new(record, switchover, state, state.freeze_milliseconds)
        if state.active_version != switchover.origin.version or state.epoch > mine + 1:
            return self._doubt(record, state)
        if state.mode is Mode.OPEN and state.epoch >= mine:
            return self._settle_old(
                record, state, message("The freeze was ended before the switch was done.")
            )
        if state.mode is Mode.OPEN and record.request is DirectorRequest.ABORT:
            return self._give_up(record, switchover, message("It was aborted before writers were stopped."))
        return self._cross(record, switchover, state)

    def _cross(self, record: UpgradeRecord, switchover: Switchover, state: FenceState) -> Outcome:
        try:
            crossed = cross(
                self._ports,
                self._steps,
                switchover,
                state,
                lambda: self._stopped(record),
            )
        except Busy as error:
            # Writers would have waited too long; or the freeze was made and only its answer was lost.
            return self._give_up(record, switchover, error.message)
        except Stale:
            return Again(0.0)
        # Told only now: every word written before would have made writers wait.
        for told in crossed.results:
            self._mark(record, told)
        if not crossed.passed:
            return self._settle_old(record, crossed.state, crossed.reason)
        return self._settle_crossed(record, switchover, crossed)

    def _give_up(self, record: UpgradeRecord, switchover: Switchover, reason: WordedMessage | str) -> Outcome:
        """End this very freeze, or ensure that no process makes it any more; then settle on the origin.

        Another director may stand right before its freeze: without a lease any more, and not knowing it. Were this
        one to settle while that one could still freeze, it would flip behind a row that says nothing was done.
        """
        state = self._ports.fence.state(switchover.site)
        if state.mode is Mode.FROZEN and state.epoch == record.freeze_epoch:
            state, told = self._steps.abort(switchover, state)
            self._mark(record, told)
        elif state.mode is Mode.OPEN and state.epoch < record.freeze_epoch:
            try:
                state = self._ports.fence.withdraw(state)
            except Stale:
                return Again(0.0)
        if state.mode is not Mode.OPEN or state.active_version != switchover.origin.version:
            # Another process was faster, and went on: the fence tells how far.
            return Again(0.0)
        return self._settle_old(record, state, as_message(reason))

    def _settle_crossed(
        self, record: UpgradeRecord, switchover: Switchover, crossed: SwitchAttempt
    ) -> Outcome:
        near = crossed.state
        if switchover.split and near.mode is Mode.CLOSED:
            near, _ = self._steps.open_other(switchover, near, self._ports.clock.monotonic())
        return self._settle_new(record, switchover, near, crossed.gap_milliseconds)

    def _settle_new(
        self, record: UpgradeRecord, switchover: Switchover, opened: FenceState, gap_ms: float | None
    ) -> Outcome:
        """The other side is open: publish, follow back, and say so. Nothing here can undo the switch."""
        if switchover.split:
            opened = self._ports.fence.state(switchover.far_site)
        self._mark(record, self._steps.publish(switchover, opened))
        if switchover.direction is Direction.REVERSE:
            preparing.close(self._ports, record)
        elif record.enable_downgrade_sync:
            self._mark(record, self._steps.reverse_replication(switchover, opened))
        else:
            preparing.close(self._ports, record)
        reach("settle.before")
        words = message(
            "{version} is the current version since epoch {epoch}.",
            version=switchover.passive.version,
            epoch=opened.epoch,
        )
        if gap_ms is not None:
            words += message("Writers waited {freeze} ms.", freeze=f"{gap_ms:.0f}")
        if record.request is DirectorRequest.ABORT:
            words += message("The abort came too late.")
        self._ports.upgrades.transition(
            record,
            UpgradeEvent.FLIP,
            TimelineEntry("flip", words, {"epoch": opened.epoch, "freeze_ms": gap_ms}),
            clear_request=True,
            freeze_ms=gap_ms,
        )
        return Again(0.0)

    def _settle_old(self, record: UpgradeRecord, state: FenceState, reason: WordedMessage) -> Outcome:
        """The origin is open again: back to ready, or to the end if that was asked for."""
        aborted = record.request is DirectorRequest.ABORT or bool(self._stopped(record))
        if aborted and record.state is State.SWITCHING:
            preparing.close(self._ports, record)
            words = reason + message("{version} goes on.", version=state.active_version)
            line = TimelineEntry("abort", words, {"epoch": state.epoch})
            self._ports.upgrades.transition(record, UpgradeEvent.ABORT, line, clear_request=True)
            return Again(0.0)
        words = message("{version} goes on:", version=state.active_version) + reason
        line = TimelineEntry("writes-resumed", words, {"epoch": state.epoch})
        self._ports.upgrades.transition(record, UpgradeEvent.RESUME, line, clear_request=True)
        return Again(0.0)

    def _doubt(self, record: UpgradeRecord, state: FenceState) -> Outcome:
        words = message(
            "The fence is {mode} for {version} at epoch {epoch}, which this upgrade (freeze at epoch {freeze}) did not"
            " do. A person must look.",
            mode=state.mode.value,
            version=state.active_version,
            epoch=state.epoch,
            freeze=record.freeze_epoch,
        )
        self._ports.upgrades.transition(
            record, UpgradeEvent.LOSE_TRACK, TimelineEntry("outcome-unknown", words), clear_request=True
        )
        return Again(0.0)

    def _stopped(self, record: UpgradeRecord) -> WordedMessage:
        """Ask whether an abort was requested; the switch goes on when that is unknown."""
        try:
            wanted = self._ports.upgrades.load(record.id).request
        except Exception:
            # The control database is away. The fence alone decides, and its deadline holds.
            UNEXPECTED.note("asking whether a switch was aborted")
            return NOTHING
        return message("It was aborted.") if wanted is DirectorRequest.ABORT else NOTHING

    def _mark(self, record: UpgradeRecord, told: StepResult) -> None:
        mark = StepMark(told.step, "done", told.milliseconds / 1000, told.words)
        try:
            self._ports.upgrades.mark_step(record.id, mark)
        except SwitchyardError:
            # Telling is no part of the switch.
            return

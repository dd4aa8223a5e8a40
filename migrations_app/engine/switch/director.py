"""The director: looks at an upgrade and at its fence, and takes the next step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from migrations_app.domain.switch.facts import CheckVerdict
from migrations_app.domain.switch.guards import PASSING, STOPPING
from migrations_app.domain.switch.states import FINAL, STATE_SENTENCES, State, UpgradeEvent
from migrations_app.engine.controller import Again, Budget, Done, Lease, Outcome, WorkClass
from migrations_app.engine.switch import late_reverse, preparing
from migrations_app.engine.switch.preflight import checks, first_blocker, measure
from migrations_app.engine.switch.switching import Switching
from migrations_app.engine.sync.recopy import LOSSES
from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.kernel.messages import WordedMessage, as_message, message
from migrations_app.kernel.recent_map import RecentMap
from migrations_app.ports.upgrades import (
    CheckResult,
    Direction,
    DirectorRequest,
    ShardState,
    TimelineEntry,
    UpgradeKind,
    UpgradeRecord,
)

TICK_SECONDS = 1.0
PATIENCE_SECONDS = 30.0
MEASURE_SECONDS = 5.0
"""So often the checks are measured; more often while one is pending, which people and automation wait for."""
PENDING_SHARE = 10.0
"""Pending checks are measured so that at most this part, one in so many, of the time goes into it."""
READY = frozenset({ShardState.READY, ShardState.SWITCHED})


class Director:
    """Advances upgrades. It keeps nothing: the rows and the fence say where an upgrade stands."""

    name = "switch"
    queue = "switch"
    work_class = WorkClass.SWITCH

    def __init__(self, ports: PipelinePorts) -> None:
        self._ports = ports
        self._switching = Switching(ports)
        # A hint only: when this process last measured an upgrade, so that it does so every few seconds.
        # When the checks of an upgrade are measured next.
        self._measure_at = RecentMap[str, float]()
        # A hint too: when this process began to prepare an upgrade.
        self._began = RecentMap[str, datetime]()
        # A hint too: since when an asked-for switch waits for a check that comes and goes.
        self._waiting = RecentMap[str, float]()

    def due(self) -> Iterable[str]:
        """List the upgrades that are under way or asked for something."""
        return self._ports.upgrades.due()

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Take the next step of an upgrade."""
        try:
            return self.advance(key, budget, lease)
        except LOSSES:
            # The shard itself copies again; nothing is decided meanwhile.
            return Again(TICK_SECONDS)

    def advance(self, upgrade_id: str, budget: Budget, lease: Lease) -> Outcome:
        """Take the next step of an upgrade.

        Once: each step may be taken again; two directors cannot both act, since the fence and the upgrade's
        state are compared and set.
        Raises: Stale when another director or a person was faster.
        """
        record = self._ports.upgrades.claim(upgrade_id, lease.epoch)
        if record.request is DirectorRequest.ABORT:
            return self._abort(record)
        if record.paused or record.state is State.PLANNED:
            return Done()
        if record.state in (State.SYNCING, State.READY):
            return self._before(record, budget, lease)
        if record.state in (State.SWITCHING, State.REVERTING):
            return self._switching.resume(record)
        if record.state is State.REVERSIBLE:
            return self._after(record, budget, lease)
        return Done(for_good=record.state in FINAL)

    def _before(self, record: UpgradeRecord, budget: Budget, lease: Lease) -> Outcome:
        """Copying or ready: prepare, beat, watch the shards, and begin the switch when it is asked for."""
        if not preparing.prepared(self._ports, record):
            began_at = self._began.setdefault(record.id, self._ports.clock.now())
            if not preparing.prepare(self._ports, record, budget, lease, began_at):
                return Again(0.0)
            self._began.discard(record.id)
        preparing.beat(self._ports, record, Direction.FORWARD)
        reports = self._ports.upgrades.shards(record.id)
        level = len(reports) == record.ring and all(report.state in READY for report in reports)
        if record.state is State.SYNCING:
            if level:
                words = message("All {total} shards are caught up.", total=record.ring)
                self._ports.upgrades.transition(
                    record, UpgradeEvent.CATCH_UP, TimelineEntry("caught-up", words)
                )
                return Again(0.0)
            return Again(TICK_SECONDS)
        if not level:
            behind = [str(report.shard) for report in reports if report.state not in READY]
            words = message("Not caught up any more: shard {shards}.", shards=", ".join(behind))
            self._ports.upgrades.transition(record, UpgradeEvent.REGRESS, TimelineEntry("regress", words))
            return Again(TICK_SECONDS)
        return self._gate(record, DirectorRequest.SWITCH)

    def _after(self, record: UpgradeRecord, budget: Budget, lease: Lease) -> Outcome:
        """The rollback window: keep both sides in step until it is closed or used."""
        preparing.keep_rollback(self._ports, record)
        over = record.reversible_until is not None and self._ports.clock.now() >= record.reversible_until
        if over and record.request is None:
            # Asked for first, so that no rollback is promised while it is being closed.
            words = message("The time for rolling back to {version} is over.", version=record.source_version)
            self._ports.upgrades.run_out(record, TimelineEntry("complete-asked", words))
            return Again(0.0)
        if record.request is DirectorRequest.COMPLETE:
            preparing.close(self._ports, record)
            words = message(
                "{new} stays; the rollback to {old} is closed.",
                new=record.target_version,
                old=record.source_version,
            )
            self._ports.upgrades.transition(
                record, UpgradeEvent.COMPLETE, TimelineEntry("complete", words), clear_request=True
            )
            return Done()
        late = record.reverse_late and not late_reverse.begun(self._ports, record)
        if late and not late_reverse.begin(self._ports, record, budget, lease):
            return Again(0.0)
        return self._gate(record, DirectorRequest.REVERT)

    def _gate(self, record: UpgradeRecord, wanted: DirectorRequest) -> Outcome:
        """Measure now and then; when the switch is asked for (or automatic), go through or say why not."""
        asked = record.request is wanted
        automatic = record.automatic and wanted is DirectorRequest.SWITCH and record.request is None
        now = self._ports.clock.monotonic()
        if not asked and now < self._measure_at.get(record.id, now):
            return self._until_next(record)
        direction = Direction.FORWARD if wanted is DirectorRequest.SWITCH else Direction.REVERSE
        switchover = self._switching.switchover(record, direction)
        results = checks(measure(self._ports, switchover), direction)
        self._ports.upgrades.record_checks(record.id, results)
        self._measure_at[record.id] = now + self._until_measured(results, self._ports.clock.monotonic() - now)
        if not asked and not automatic:
            return self._until_next(record)
        if asked and self._waits(record, results, now):
            return Again(TICK_SECONDS)
        reason: WordedMessage | str | None = (
            first_blocker(results)
            or self._ports.upgrades.refusal(record, wanted)
            or self._switching.index_fault(switchover)
        )
        if reason is None and record.kind is UpgradeKind.DATA:
            return self._renewed(record)
        if reason is None:
            return self._switching.begin(record, switchover)
        if asked:
            words = as_message(reason) + message("It was not done, and is no longer asked for.")
            self._ports.upgrades.clear_request(record, TimelineEntry("refused", words))
        return Again(TICK_SECONDS)

    def _until_next(self, record: UpgradeRecord) -> Again:
        """Wait until the checks are measured again: what people ask for wakes the key, and nothing else is decided."""
        left = self._measure_at.get(record.id, 0.0) - self._ports.clock.monotonic()
        return Again(max(TICK_SECONDS, left))

    def _until_measured(self, results: Sequence[CheckResult], took: float) -> float:
        """Tell in how many seconds to measure again, by what measuring took."""
        if all(check.verdict != CheckVerdict.PENDING for check in results):
            return MEASURE_SECONDS
        return min(MEASURE_SECONDS, max(TICK_SECONDS / 2, PENDING_SHARE * took))

    def _waits(self, record: UpgradeRecord, results: Sequence[CheckResult], now: float) -> bool:
        """Tell whether all that stands against what was asked for may pass in a moment; say so once."""
        blocking = [check for check in results if check.verdict in STOPPING]
        if not blocking or any(check.check not in PASSING for check in blocking):
            self._waiting.discard(record.id)
            return False
        since = self._waiting.find(record.id)
        if since is None:
            self._waiting[record.id] = since = now
            words = message("Waits up to {seconds} s for this to pass:", seconds=f"{PATIENCE_SECONDS:.0f}")
            words += as_message(blocking[0].sentence, blocking[0].phrases)
            self._ports.upgrades.note(record.id, TimelineEntry("waiting", words))
        if now - since < PATIENCE_SECONDS:
            return True
        self._waiting.discard(record.id)
        return False

    def _renewed(self, record: UpgradeRecord) -> Outcome:
        """Say that all data are of the new data version; no fence is passed, no client waits."""
        preparing.close(self._ports, record)
        words = message(
            "The data of {version} are of data version {data}.",
            version=record.source_version,
            data=record.data_version,
        )
        self._ports.upgrades.transition(
            record, UpgradeEvent.RENEW, TimelineEntry("renew", words), clear_request=True
        )
        return Done()

    def _abort(self, record: UpgradeRecord) -> Outcome:
        """End an upgrade that has not switched; one that has says so."""
        if record.state is State.SWITCHING:
            return self._switching.resume(record)
        if record.state in (State.PLANNED, State.SYNCING, State.READY):
            preparing.close(self._ports, record)
            words = message("{version} goes on as before.", version=record.source_version)
            self._ports.upgrades.transition(
                record, UpgradeEvent.ABORT, TimelineEntry("abort", words), clear_request=True
            )
            return Done()
        words = STATE_SENTENCES[record.state] + message("It cannot be aborted any more.")
        self._ports.upgrades.clear_request(record, TimelineEntry("refused", words))
        return Again(0.0)

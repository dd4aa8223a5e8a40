"""Upgrades in memory, for simulation: the rows the engine moves, and the story it tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from migrations_app.domain.switch.progress import CAUGHT_UP
from migrations_app.domain.switch.states import FINAL, SHARD, STATE_SENTENCES, State, UpgradeEvent, transition
from migrations_app.kernel.errors import Missing, Stale
from migrations_app.kernel.messages import message
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import (
    CheckResult,
    DirectorRequest,
    ShardReport,
    ShardState,
    StepMark,
    TimelineEntry,
    UpgradeRecord,
)

_MOVING = frozenset(State) - FINAL - {State.PLANNED, State.HALTED}


class MemoryUpgrades:
    """`ports.upgrades.Upgrades` in dictionaries."""

    def __init__(self) -> None:
        self.records: dict[str, UpgradeRecord] = {}
        self.lines: list[tuple[str, TimelineEntry]] = []
        self.moves: list[tuple[str, State, State]] = []
        self.marks: list[tuple[str, StepMark]] = []
        self.checks: dict[str, Sequence[CheckResult]] = {}
        self.reports: dict[tuple[str, int], ShardReport] = {}
        self.published: dict[str, tuple[str, int]] = {}
        self.places: dict[str, Namespace] = {}
        self.refusals: dict[DirectorRequest, str] = {}

    def add(self, record: UpgradeRecord) -> UpgradeRecord:
        """Plan an upgrade."""
        self.records[record.id] = record
        return record

    def ask(self, upgrade_id: str, request: DirectorRequest) -> None:
        """Ask for something, as a person's action does."""
        record = self.load(upgrade_id)
        self.records[upgrade_id] = replace(record, request=request, rev=record.rev + 1)

    def load(self, upgrade_id: str) -> UpgradeRecord:
        if upgrade_id not in self.records:
            raise Missing(
                message("There is no upgrade {upgrade_id}.", upgrade_id=upgrade_id), code="upgrade-missing"
            )
        return self.records[upgrade_id]

    def live(self, deployment: str) -> UpgradeRecord | None:
        found = (record for record in self.records.values() if record.deployment == deployment)
        return next((record for record in found if record.state not in FINAL), None)

    def due(self) -> Sequence[str]:
        return [
            record.id
            for record in self.records.values()
            if (record.state in _MOVING and not record.paused)
            or (record.state not in FINAL and record.request is not None)
        ]

    def syncing(self) -> Sequence[UpgradeRecord]:
        return [record for record in self.records.values() if record.state in _MOVING and not record.paused]

    def claim(self, upgrade_id: str, epoch: int) -> UpgradeRecord:
        known = self.load(upgrade_id)
        if known.director > epoch:
            raise _overtaken(known)
        self.records[upgrade_id] = replace(known, director=epoch)
        return self.records[upgrade_id]

    def refusal(self, record: UpgradeRecord, request: DirectorRequest) -> str | None:
        return self.refusals.get(request)

    def transition(
        self,
        record: UpgradeRecord,
        event: UpgradeEvent,
        line: TimelineEntry,
        *,
        clear_request: bool = False,
        freeze_epoch: int | None = None,
        freeze_ms: float | None = None,
    ) -> UpgradeRecord:
        known = self._as_read(record)
        row = transition(known.state, event)
        moved = replace(
            known,
            state=row.target,
            rev=known.rev + 1,
            request=None if clear_request else known.request,
            freeze_epoch=known.freeze_epoch if freeze_epoch is None else freeze_epoch,
        )
        self.records[record.id] = moved
        self.moves.append((record.id, row.source, row.target))
        self.lines.append((record.id, line))
        return moved

    def clear_request(self, record: UpgradeRecord, line: TimelineEntry) -> UpgradeRecord:
        known = replace(self._as_read(record), request=None)
        self.records[record.id] = known
        self.lines.append((record.id, line))
        return known

    def run_out(self, record: UpgradeRecord, line: TimelineEntry) -> UpgradeRecord:
        known = self._as_read(record)
        if known.request is not None:
            raise Stale(message("Upgrade {id} changed meanwhile.", id=record.id), code="upgrade-stale")
        self.records[record.id] = replace(known, request=DirectorRequest.COMPLETE, rev=known.rev + 1)
        self.lines.append((record.id, line))
        return self.records[record.id]

    def note(self, upgrade_id: str, line: TimelineEntry) -> None:
        self.lines.append((upgrade_id, line))

    def mark_step(self, upgrade_id: str, mark: StepMark) -> None:
        self.marks.append((upgrade_id, mark))

    def record_checks(self, upgrade_id: str, checks: Sequence[CheckResult]) -> None:
        self.checks[upgrade_id] = checks

    def report_shard(self, upgrade_id: str, report: ShardReport) -> None:
        before = self.reports.get((upgrade_id, report.shard))
        SHARD.check_step(before.state if before else ShardState.PENDING, report.state)
        self.reports[upgrade_id, report.shard] = report

    def report_resting(self, upgrade_id: str, shards: Sequence[int], lag_seconds: float) -> Sequence[int]:
        reported: list[int] = []
        for shard in shards:
            known = self.reports.get((upgrade_id, shard))
            if known is not None and known.state in CAUGHT_UP:
                self.reports[upgrade_id, shard] = replace(known, lag_seconds=lag_seconds, rate_per_second=0.0)
                reported.append(shard)
        return reported

    def expect_shards(self, upgrade_id: str, totals: Mapping[int, int]) -> None:
        for shard, total in totals.items():
            pending = ShardReport(shard, ShardState.PENDING, "", total=total)
            self.reports.setdefault((upgrade_id, shard), pending)

    def shards(self, upgrade_id: str) -> Sequence[ShardReport]:
        ring = self.load(upgrade_id).ring
        pending = ShardState.PENDING
        return [self.reports.get((upgrade_id, n), ShardReport(n, pending, "")) for n in range(ring)]

    def publish(self, place: Namespace, epoch: int) -> bool:
        known = self.published.get(place.deployment, ("", 0))
        if epoch <= known[1]:
            return False
        self.published[place.deployment] = (place.version, epoch)
        self.places[place.deployment] = place
        return True

    def _as_read(self, record: UpgradeRecord) -> UpgradeRecord:
        known = self.load(record.id)
        if known.state is not record.state:
            raise Stale(
                message("Upgrade {id} has changed since it was read.", id=record.id)
                + STATE_SENTENCES[known.state],
                code="upgrade-stale",
            )
        if known.director != record.director:
            raise _overtaken(known)
        return known


def _overtaken(known: UpgradeRecord) -> Stale:
    return Stale(message("Another process works on upgrade {id}.", id=known.id), code="director-stale")

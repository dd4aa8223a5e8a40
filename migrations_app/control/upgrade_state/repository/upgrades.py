"""Upgrades in the control database, as the engine may read and move them."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from migrations_app.adapters.repositories.places import ends_of
from migrations_app.control.events.outbox import publish, publish_each
from migrations_app.control.registry.repository import mirror as registry_mirror
from migrations_app.control.registry.repository.shards import keep_shards
from migrations_app.control.upgrade_state.repository.evidence import checks_of
from migrations_app.control.upgrade_state.repository.moves import move, write
from migrations_app.control.upgrade_state.repository.progress import (
    blockage_as_json,
    figures_as_json,
    progress_as_json,
    stall_as_json,
)
from migrations_app.control.upgrade_state.repository.snapshots import snapshot_of
from migrations_app.control.upgrade_state.repository.upgrade_rows import add_line, locked
from migrations_app.control.upgrade_state.repository.words import message_of
from migrations_app.control.upgrade_state.repository.write_latency import write_p95
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.switch.guards import blockers
from migrations_app.domain.switch.progress import CAUGHT_UP
from migrations_app.domain.switch.states import LIVE, STATE_SENTENCES, State, UpgradeEvent
from migrations_app.domain.sync.throttle_reasons import rest_message
from migrations_app.kernel.errors import Missing, Stale
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message, phrases_of
from migrations_app.kernel.wordings import phrases_as_json, sentence_as_json
from migrations_app.models.upgrades import (
    LIVE_STATES,
    RecordedShardTransition,
    Upgrade,
    UpgradeSample,
    UpgradeShard,
    UpgradeStep,
)
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import (
    CheckResult,
    DirectorRequest,
    ShardReport,
    ShardState,
    StepMark,
    TimelineEntry,
    UpgradeKind,
    UpgradeRecord,
)

SAMPLE_EVERY = timedelta(seconds=2)
TELL_EVERY = timedelta(seconds=1)
TURNS_KEPT = 100
"""So many turns are kept of each shard, and shown."""
_HOST = socket.gethostname()[:180]
_MOVING = sorted(state.value for state in LIVE - {State.PLANNED, State.HALTED})
_STEP_OF = {DirectorRequest.SWITCH: "switch", DirectorRequest.REVERT: "rollback"}


class DjangoUpgrades:
    """`ports.upgrades.Upgrades` over the control database."""

    def load(self, upgrade_id: str) -> UpgradeRecord:
        row = Upgrade.objects.filter(pk=upgrade_id).first()
        if row is None:
            raise Missing(
                message("There is no upgrade {upgrade_id}.", upgrade_id=upgrade_id), code="upgrade-missing"
            )
        return record_of(row)

    def live(self, deployment: str) -> UpgradeRecord | None:
        row = Upgrade.objects.filter(deployment=deployment, state__in=LIVE_STATES).first()
        return record_of(row) if row else None

    def due(self) -> Sequence[str]:
        working = Q(state__in=_MOVING, paused=False)
        asked = Q(state__in=LIVE_STATES) & ~Q(request="")
        return list(Upgrade.objects.filter(working | asked).values_list("id", flat=True))

    def syncing(self) -> Sequence[UpgradeRecord]:
        return [record_of(row) for row in Upgrade.objects.filter(state__in=_MOVING, paused=False)]

    def claim(self, upgrade_id: str, epoch: int) -> UpgradeRecord:
        changed = Upgrade.objects.filter(pk=upgrade_id, director_epoch__lte=epoch).update(
            director_epoch=epoch
        )
        found = self.load(upgrade_id)
        if not changed:
            raise Stale(
                message("Another process works on upgrade {upgrade_id}.", upgrade_id=upgrade_id),
                code="director-stale",
            )
        return found

    def refusal(self, record: UpgradeRecord, request: DirectorRequest) -> str | None:
        step = _STEP_OF.get(request)
        if step is None:
            return None
        row = Upgrade.objects.get(pk=record.id)
        found = [check for check in blockers(checks_of(row, step, row.request_by)) if check.check in GOVERNED]
        return found[0].sentence if found else None

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
        with transaction.atomic():
            row = self._as_read(record)
            changes: dict[str, Any] = {}
            if freeze_epoch is not None:
                changes["freeze_epoch"] = freeze_epoch
            if freeze_ms is not None:
                rolled_back = record.state is State.REVERTING
                changes["rollback_freeze_ms" if rolled_back else "freeze_ms"] = freeze_ms
            if clear_request:
                changes["request"] = ""
            move(row, event, SYSTEM, line, **changes)
            registry_mirror.show(row)
            if event is UpgradeEvent.RENEW:
                registry_mirror.renewed(row)
        return record_of(row)

    def clear_request(self, record: UpgradeRecord, line: TimelineEntry) -> UpgradeRecord:
        with transaction.atomic():
            row = self._as_read(record)
            if row.request:
                row.request = ""
                write(row, SYSTEM, line)
        return record_of(row)

    def run_out(self, record: UpgradeRecord, line: TimelineEntry) -> UpgradeRecord:
        with transaction.atomic():
            row = self._as_read(record)
            if row.request or row.reversible_until != record.reversible_until:
                raise Stale(message("Upgrade {id} changed meanwhile.", id=record.id), code="upgrade-stale")
            row.request, row.request_by = DirectorRequest.COMPLETE.value, SYSTEM.name
            write(row, SYSTEM, line)
        return record_of(row)

    def note(self, upgrade_id: str, line: TimelineEntry) -> None:
        with transaction.atomic():
            add_line(upgrade_id, SYSTEM.name, line)

    def mark_step(self, upgrade_id: str, mark: StepMark) -> None:
        said: JsonObject = {
            "state": mark.state,
            "text": mark.text,
            "phrases": phrases_as_json(phrases_of(mark.words)),
            "took_seconds": mark.took_seconds,
        }
        values = said | {"at": timezone.now()}
        with transaction.atomic():
            UpgradeStep.objects.update_or_create(upgrade_id=upgrade_id, step=mark.step, defaults=values)
            publish(
                f"upgrade:{upgrade_id}", "step", f"{upgrade_id}/{mark.step}", full=said | {"step": mark.step}
            )

    def record_checks(self, upgrade_id: str, checks: Sequence[CheckResult]) -> None:
        kept: list[Json] = [asdict(check) for check in checks]
        with transaction.atomic():
            before = locked(upgrade_id)
            Upgrade.objects.filter(pk=upgrade_id).update(checks=kept, checks_at=timezone.now())
            if _verdicts(before.checks) != _verdicts(kept):
                publish(f"upgrade:{upgrade_id}", "checks", upgrade_id, full={"checks": kept})

    def report_shard(self, upgrade_id: str, report: ShardReport) -> None:
        now = timezone.now()
        try:
            with transaction.atomic():
                known = UpgradeShard.objects.select_for_update().filter(
                    upgrade_id=upgrade_id, shard=report.shard
                )
                _keep_shard(known.first(), upgrade_id, report)
                keep_shards(upgrade_id, [report.shard])
        except IntegrityError:
            # Two first reports of one shard: the other one stands, ours is as old.
            return
        _sample(upgrade_id, now - SAMPLE_EVERY)

    def report_resting(self, upgrade_id: str, shards: Sequence[int], lag_seconds: float) -> Sequence[int]:
        now = timezone.now()
        with transaction.atomic():
            ready = UpgradeShard.objects.select_for_update().filter(
                upgrade_id=upgrade_id, shard__in=[*shards], state__in=[each.value for each in CAUGHT_UP]
            )
            rows = list(ready.order_by("shard"))
            for row in rows:
                row.lag_seconds, row.rate_per_second = lag_seconds, 0.0
                row.reported_at, row.node = now, f"{_HOST}:{os.getpid()}"
            UpgradeShard.objects.bulk_update(rows, [*_GAUGES, "reported_at", "node"])
            keep_shards(upgrade_id, [row.shard for row in rows])
            told = {f"{upgrade_id}/{row.shard}": shard_as_json(row) for row in rows}
            publish_each(f"upgrade:{upgrade_id}", "shard", told)
        _sample(upgrade_id, now - SAMPLE_EVERY)
        return [row.shard for row in rows]

    def expect_shards(self, upgrade_id: str, totals: Mapping[int, int]) -> None:
        now = timezone.now()
        rows = [
            UpgradeShard(
                upgrade_id=upgrade_id,
                shard=shard,
                state=ShardState.PENDING.value,
                total=total,
                reported_at=now,
                changed_at=now,
            )
            for shard, total in sorted(totals.items())
        ]
        words = message("Resources to copy: {total}.", total=f"{sum(totals.values()):,}")
        with transaction.atomic():
            # Several threads begin at once: one of them says it.
            locked(upgrade_id)
            if not UpgradeShard.objects.filter(upgrade_id=upgrade_id).exists():
                add_line(upgrade_id, SYSTEM.name, TimelineEntry("counted", words))
            UpgradeShard.objects.bulk_create(rows, ignore_conflicts=True)

    def shards(self, upgrade_id: str) -> Sequence[ShardReport]:
        count = Upgrade.objects.get(pk=upgrade_id).shard_count
        known = {row.shard: row for row in UpgradeShard.objects.filter(upgrade_id=upgrade_id)}
        return [
            report_of(known[shard]) if shard in known else ShardReport(shard, ShardState.PENDING, "")
            for shard in range(count)
        ]

    def publish(self, place: Namespace, epoch: int) -> bool:
        with transaction.atomic():
            return registry_mirror.publish(place, epoch)

    def _as_read(self, record: UpgradeRecord) -> Upgrade:
        row = locked(record.id)
        if row.state != record.state.value:
            raise Stale(
                message("Upgrade {id} has changed since it was read.", id=record.id)
                + STATE_SENTENCES[State(row.state)],
                code="upgrade-stale",
            )
        if row.director_epoch != record.director:
            raise Stale(
                message("Another process works on upgrade {id}.", id=record.id), code="director-stale"
            )
        return row


GOVERNED = frozenset(
    {"current-version", "enabled", "regions", "plan", "removals", "window", "approval", "shards-caught-up"}
)
"""What only the control database knows; the rest of a preflight is the director's own."""


def record_of(row: Upgrade) -> UpgradeRecord:
    """Read a row as the engine meets it."""
    source, target = ends_of(row)
    return UpgradeRecord(
        id=row.id,
        rev=row.rev,
        deployment=row.deployment,
        source_version=row.from_version,
        target_version=row.to_version,
        source=source,
        target=target,
        state=State(row.state),
        kind=UpgradeKind(row.kind),
        paused=row.paused,
        request=DirectorRequest(row.request) if row.request else None,
        requested_by=row.request_by,
        plan_digest=row.plan_digest,
        freeze_epoch=row.freeze_epoch,
        director=row.director_epoch,
        freeze_seconds=row.freeze_seconds,
        enable_downgrade_sync=row.downgrade_sync,
        reverse_late=row.reverse_asked_at is not None,
        automatic=row.automatic,
        data_version=str(row.plan.get("target_data_version", "")),
        reversible_until=row.reversible_until,
        copy_limit=row.copy_limit,
        waived=frozenset(row.waived),
    )


_COUNTS = ("stage", "copied", "total", "applied", "failed", "error", "throttled")
_GAUGES = ("lag_seconds", "rate_per_second")


def report_of(row: UpgradeShard) -> ShardReport:
    """Read a shard's row."""
    values = {name: getattr(row, name) for name in (*_COUNTS, *_GAUGES)}
    return ShardReport(row.shard, ShardState(row.state), **values)


def shard_as_json(row: UpgradeShard) -> dict[str, Any]:
    """Give a shard as the API and the stream show it."""
    values = {name: getattr(row, name) for name in (*_COUNTS, *_GAUGES)}
    reported = {"falls": row.falls, "node": row.node, "reported_at": _iso(row.reported_at)}
    rest = rest_message(row.throttled, row.reported_at)
    phrases = {"throttled_phrases": phrases_as_json(rest.phrases)} if rest else {}
    return {"shard": row.shard, "state": row.state, **values, **phrases, **reported}


def _iso(at: Any) -> str:
    return str(at.isoformat().replace("+00:00", "Z"))


def _keep_shard(row: UpgradeShard | None, upgrade_id: str, report: ShardReport) -> None:
    now = timezone.now()
    values = {name: getattr(report, name) for name in (*_COUNTS, *_GAUGES)}
    if row is None:
        row = UpgradeShard(upgrade_id=upgrade_id, shard=report.shard, changed_at=now, reported_at=now)
        news = turned = True
    else:
        turned = row.state != report.state.value
        row.falls += turned and report.state is ShardState.REGRESSED
        news = turned or any(getattr(row, name) != values[name] for name in _COUNTS)
        news = news or now - row.reported_at >= TELL_EVERY
    stage = row.stage
    for name, value in values.items():
        setattr(row, name, value)
    row.state, row.reported_at, row.node = report.state.value, now, f"{_HOST}:{os.getpid()}"
    row.changed_at = now if turned else row.changed_at
    row.save()
    if turned or stage != row.stage:
        kept = {name: values[name] for name in ("stage", "copied", "applied", "error")}
        RecordedShardTransition.objects.create(
            upgrade_id=upgrade_id, shard=row.shard, at=now, state=row.state, **kept
        )
        _forget_turns(upgrade_id, row.shard)
    if turned:
        registry_mirror.show_shard(row.upgrade)
        tell_progress(row.upgrade)
    if news:
        publish(f"upgrade:{upgrade_id}", "shard", f"{upgrade_id}/{report.shard}", full=shard_as_json(row))


def _forget_turns(upgrade_id: str, shard: int) -> None:
    """Keep the newest turns of a shard: one that flips all day must not fill the table."""
    turns = RecordedShardTransition.objects.filter(upgrade_id=upgrade_id, shard=shard)
    oldest = turns.order_by("-id").values_list("id", flat=True)[TURNS_KEPT : TURNS_KEPT + 1].first()
    if oldest is not None:
        turns.filter(id__lte=oldest).delete()


def tell_progress(row: Upgrade) -> None:
    """Tell watchers of an upgrade and of the fleet how far it is and what holds it up."""
    snapshot = snapshot_of(row)
    progress = snapshot.progress
    patch: JsonObject = {
        **sentence_as_json(message_of(snapshot)),
        "progress": progress_as_json(progress),
        "shards_ready": progress.ready,
        "stall": stall_as_json(snapshot.stall),
        "blockages": [blockage_as_json(cause) for cause in snapshot.blockages],
    }
    publish(f"upgrade:{row.id}", "upgrade", row.id, patch=patch, rev=row.rev)
    publish(
        "fleet", "cell", row.deployment, patch=figures_as_json(snapshot), places=[(row.service, row.region)]
    )


def _sample(upgrade_id: str, before: Any) -> None:
    if UpgradeSample.objects.filter(upgrade_id=upgrade_id, at__gt=before).exists():
        return
    row, now = Upgrade.objects.get(pk=upgrade_id), timezone.now()
    snapshot = snapshot_of(row)
    progress = snapshot.progress
    known = sorted(row.lag_seconds for row in snapshot.shards if row.lag_seconds is not None)
    # As on the page: there is one lag of an upgrade once every shard has measured its own.
    lags = [] if progress.lag_seconds is None else known
    UpgradeSample.objects.create(
        upgrade_id=upgrade_id,
        at=now,
        ready=progress.ready,
        lag_p50=lags[len(lags) // 2] if lags else None,
        lag_p95=lags[min(len(lags) - 1, len(lags) * 95 // 100)] if lags else None,
        lag_max=lags[-1] if lags else None,
        rate=progress.rate_per_second,
        write_p95=write_p95(row.deployment, now),
    )


def _verdicts(checks: list[Any]) -> list[tuple[Any, Any]]:
    return [(check["check"], check["verdict"]) for check in checks]

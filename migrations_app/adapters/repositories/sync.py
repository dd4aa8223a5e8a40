"""Checkpoints and quarantined resources in the control database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from migrations_app.domain.parity import ComparedSide, Mismatch, MismatchKind
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.sync import (
    DowngradeLossProgress,
    QuarantineEntry,
    SyncCheckpoint,
    SyncDifference,
    SyncScan,
    TombstoneProgress,
)
from migrations_app.ports.checkpoints import (
    Brought,
    Checkpoint,
    Price,
    QuarantinedResource,
    QuarantineState,
    Scan,
    ShardKey,
    ShardStage,
)
from migrations_app.ports.upgrades import Direction

_FIELDS = (
    "type",
    "name",
    "upper",
    "copied",
    "total",
    "applied",
    "level",
    "lag_seconds",
    "rate_per_second",
    "throttled",
    "error",
)
_SCAN_FIELDS = (
    "backwards",
    "type",
    "name",
    "scanned",
    "failed",
    "repaired",
    "started_at",
    "passed_at",
    "ended_at",
)


_PRICE_FIELDS = (
    "type",
    "name",
    "looked",
    "losses",
    "error",
    "started_at",
    "ended_at",
    "counted",
    "counted_at",
)


_UNRESOLVED = [QuarantineState.QUARANTINED.value, QuarantineState.RETRY.value]


class DjangoCheckpoints:
    """`ports.checkpoints.Checkpoints` over the control database."""

    def load(self, key: ShardKey) -> Checkpoint:
        row = SyncCheckpoint.objects.filter(**_where(key)).first()
        return checkpoint_of(row) if row else Checkpoint(key)

    def caught_up_shards(self, upgrade: str, direction: Direction) -> Mapping[int, float | None]:
        quarantined = QuarantineEntry.objects.filter(
            upgrade=OuterRef("upgrade"), direction=OuterRef("direction"), shard=OuterRef("shard")
        )
        rows = SyncCheckpoint.objects.filter(
            ~Exists(quarantined),
            upgrade=upgrade,
            direction=direction.value,
            stage=ShardStage.FOLLOW.value,
            level=True,
        )
        return dict(rows.order_by("shard").values_list("shard", "lag_seconds"))

    def save(self, checkpoint: Checkpoint, epoch: int) -> Checkpoint:
        values = {name: getattr(checkpoint, name) for name in _FIELDS} | {"stage": checkpoint.stage.value}
        return replace(checkpoint, rev=_save(SyncCheckpoint, checkpoint.key, checkpoint.rev, epoch, values))

    def save_each(self, saved: Sequence[tuple[Checkpoint, int]]) -> list[Checkpoint | None]:
        kept: list[Checkpoint | None] = []
        # Always in the same order, so that two who save the same never wait for each other.
        with transaction.atomic():
            for checkpoint, epoch in sorted(saved, key=lambda each: each[0].key.shard):
                try:
                    kept.append(self.save(checkpoint, epoch))
                except Stale:
                    kept.append(None)
        known = {each.key: each for each in kept if each is not None}
        return [known.get(checkpoint.key) for checkpoint, _ in saved]

    def load_scan(self, key: ShardKey) -> Scan:
        row = SyncScan.objects.filter(**_where(key)).first()
        return scan_of(row) if row else Scan(key)

    def scans(self, upgrade: str, direction: Direction) -> Sequence[Scan]:
        rows = SyncScan.objects.filter(upgrade=upgrade, direction=direction.value)
        return [scan_of(row) for row in rows.order_by("shard")]

    def save_scan(self, scan: Scan, epoch: int) -> Scan:
        values = {name: getattr(scan, name) for name in _SCAN_FIELDS}
        # A worker of an earlier release raises the rev and leaves this as it is: then it holds no more.
        values["both_ways_rev"] = scan.rev + 1 if scan.both_ways else None
        return replace(scan, rev=_save(SyncScan, scan.key, scan.rev, epoch, values))

    def void_proof(self, key: ShardKey) -> None:
        with transaction.atomic():
            for model in (SyncScan, DowngradeLossProgress):
                model._default_manager.filter(**_where(key)).delete()

    def load_price(self, key: ShardKey) -> Price:
        row = DowngradeLossProgress.objects.filter(**_where(key)).first()
        return price_of(row) if row else Price(key)

    def save_price(self, price: Price, epoch: int) -> Price:
        values = {name: getattr(price, name) for name in _PRICE_FIELDS}
        return replace(price, rev=_save(DowngradeLossProgress, price.key, price.rev, epoch, values))

    def prices(self, upgrade: str, direction: Direction) -> Sequence[Price]:
        rows = DowngradeLossProgress.objects.filter(upgrade=upgrade, direction=direction.value)
        return [price_of(row) for row in rows.order_by("shard")]

    def load_brought(self, key: ShardKey) -> Brought:
        row = TombstoneProgress.objects.filter(**_where(key)).first()
        return Brought(key, row.type, row.name, row.read, row.rev) if row else Brought(key)

    def save_brought(self, brought: Brought, epoch: int) -> Brought:
        values = {"type": brought.type, "name": brought.name, "read": brought.read}
        return replace(brought, rev=_save(TombstoneProgress, brought.key, brought.rev, epoch, values))

    def differ(self, key: ShardKey, mismatch: Mismatch, repair: str) -> None:
        values = _where(key) | {
            "kind": mismatch.kind.value,
            "source_name": mismatch.source_name,
            "expected": _side_as_json(mismatch.expected),
            "actual": _side_as_json(mismatch.actual),
            "repair": repair,
        }
        with transaction.atomic():
            row, created = SyncDifference.objects.update_or_create(
                upgrade=key.upgrade, type=mismatch.type, name=mismatch.name, defaults=values
            )
            if not created:
                SyncDifference.objects.filter(pk=row.pk).update(times=F("times") + 1)

    def differences(self, upgrade: str, limit: int = 100) -> Sequence[tuple[Mismatch, str]]:
        rows = SyncDifference.objects.filter(upgrade=upgrade).order_by("-found_at")[:limit]
        return [(mismatch_of(row), row.repair) for row in rows]

    def forget(self, upgrade: str) -> None:
        with transaction.atomic():
            for model in (
                SyncCheckpoint,
                SyncScan,
                DowngradeLossProgress,
                TombstoneProgress,
                SyncDifference,
                QuarantineEntry,
            ):
                model.objects.filter(upgrade=upgrade).delete()

    def quarantine(self, quarantined: QuarantinedResource) -> None:
        where = _where(quarantined.key) | {"type": quarantined.type, "name": quarantined.name}
        values = {
            "revision": quarantined.revision,
            "error": quarantined.error,
            "code": quarantined.code,
            "attempts": quarantined.attempts,
            "retry_at": quarantined.retry_at,
            "changes_behind": quarantined.changes_behind,
            "state": quarantined.state.value,
        }
        with transaction.atomic():
            QuarantineEntry.objects.update_or_create(**where, defaults=values)

    def lift_quarantine(self, key: ShardKey, type_: str, name: str) -> None:
        QuarantineEntry.objects.filter(**_where(key), type=type_, name=name).delete()

    def quarantined(self, key: ShardKey) -> Sequence[QuarantinedResource]:
        rows = QuarantineEntry.objects.filter(**_where(key)).order_by("type", "name")
        return [quarantined_of(row) for row in rows]

    def unresolved(self, upgrade: str) -> int:
        return QuarantineEntry.objects.filter(upgrade=upgrade, state__in=_UNRESOLVED).count()


def checkpoint_of(row: SyncCheckpoint) -> Checkpoint:
    """Read a row as a value."""
    key = ShardKey(row.upgrade, Direction(row.direction), row.shard)
    values = {name: getattr(row, name) for name in _FIELDS}
    return Checkpoint(key, stage=ShardStage(row.stage), rev=row.rev, **values)


def quarantined_of(row: QuarantineEntry) -> QuarantinedResource:
    """Read a row as a value."""
    return QuarantinedResource(
        key=ShardKey(row.upgrade, Direction(row.direction), row.shard),
        type=row.type,
        name=row.name,
        revision=row.revision,
        error=row.error,
        code=row.code,
        attempts=row.attempts,
        retry_at=row.retry_at,
        state=QuarantineState(row.state),
        changes_behind=row.changes_behind,
    )


def scan_of(row: SyncScan) -> Scan:
    """Read a row as a value."""
    key = ShardKey(row.upgrade, Direction(row.direction), row.shard)
    values = {name: getattr(row, name) for name in _SCAN_FIELDS}
    return Scan(key, both_ways=row.both_ways_rev == row.rev, rev=row.rev, **values)


def price_of(row: DowngradeLossProgress) -> Price:
    """Read a row as a value."""
    key = ShardKey(row.upgrade, Direction(row.direction), row.shard)
    return Price(key, rev=row.rev, **{name: getattr(row, name) for name in _PRICE_FIELDS})


def mismatch_of(row: SyncDifference) -> Mismatch:
    """Read a row as a value."""
    expected, actual = _side_of(row.expected), _side_of(row.actual)
    return Mismatch(MismatchKind(row.kind), row.type, row.name, row.source_name, expected, actual)


def _save(
    model: type[SyncCheckpoint] | type[SyncScan] | type[DowngradeLossProgress] | type[TombstoneProgress],
    key: ShardKey,
    rev: int,
    epoch: int,
    values: dict[str, Any],
) -> int:
    """Write a row if no worker wrote it since it was read, nor ever with a greater epoch; tell its new rev."""
    where = _where(key)
    rows = model._default_manager
    with transaction.atomic():
        if rev == 0:
            _, created = rows.get_or_create(**where, defaults={**values, "epoch": epoch, "rev": 1})
            if created:
                return 1
        changed = rows.filter(**where, rev=rev, epoch__lte=epoch).update(
            **values, epoch=epoch, rev=F("rev") + 1
        )
    if not changed:
        raise Stale(message("Another worker has advanced {key}.", key=str(key)), code="checkpoint-stale")
    return rev + 1


def _side_as_json(side: ComparedSide | None) -> JsonObject | None:
    return None if side is None else {"uid": side.uid, "revision": side.revision, "body": side.body}


def _side_of(kept: Any) -> ComparedSide | None:
    return None if kept is None else ComparedSide(kept["uid"], kept["revision"], kept["body"])


def _where(key: ShardKey) -> dict[str, Any]:
    return {"upgrade": key.upgrade, "direction": key.direction.value, "shard": key.shard}

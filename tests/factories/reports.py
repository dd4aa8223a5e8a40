"""Reports of workers on the shards of an upgrade, which stay new however long a test takes."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone

from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.models.upgrades import RecordedShardTransition, Upgrade, UpgradeShard
from migrations_app.ports.upgrades import ShardReport, ShardState

SHARDS = 16


def report_caught_up(upgrade_id: str, *, copied: int = 0, total: int = 0) -> None:
    """Let the last shard report that it is caught up, and give the others the rows that this left."""
    last = ShardReport(SHARDS - 1, ShardState.READY, "follow", copied=copied, total=total, lag_seconds=0.1)
    DjangoUpgrades().report_shard(upgrade_id, last)
    tables: tuple[type[models.Model], ...] = (UpgradeShard, RecordedShardTransition)
    for table in tables:
        (row,) = table.objects.filter(upgrade_id=upgrade_id, shard=SHARDS - 1).values()  # type: ignore[attr-defined]
        del row["id"]
        others = [table(**{**row, "shard": shard}) for shard in range(SHARDS - 1)]
        table.objects.bulk_create(others)  # type: ignore[attr-defined]


def keep_new() -> None:
    """Date all that was reported on upgrades so late that it does not become old while a test looks at it."""
    later = timezone.now() + timedelta(hours=1)
    UpgradeShard.objects.filter(reported_at__isnull=False).update(reported_at=later)
    Upgrade.objects.filter(checks_at__isnull=False).update(checks_at=later)

"""What metrics tell of each live upgrade, from the same snapshot as the pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db.models import Count, Min

from migrations_app.control.rows.within import within
from migrations_app.control.upgrade_state.repository.snapshots import UpgradeSnapshot, snapshot_of, with_facts
from migrations_app.domain.access import Actor, reach_of
from migrations_app.domain.switch.states import LIVE
from migrations_app.models.sync import SyncScan
from migrations_app.models.upgrades import Upgrade


@dataclass(frozen=True, slots=True)
class LabelledGauge:
    """A gauge with a value for each set of labels; what is not known has no value."""

    help_text: str
    labels: tuple[str, ...]
    values: Mapping[tuple[str, ...], float]


LABELS = ("upgrade", "deployment")
Measure = Callable[[UpgradeSnapshot], float | None]


def _report_age(snapshot: UpgradeSnapshot) -> float | None:
    at = snapshot.progress.reported_at
    return None if at is None else (snapshot.at - at).total_seconds()


MEASURES: Mapping[str, tuple[str, Measure]] = {
    "upgrade_shards": ("Shards of the upgrade.", lambda found: found.row.shard_count),
    "upgrade_shards_ready": ("Shards that are caught up and report.", lambda found: found.progress.ready),
    "upgrade_shards_unknown": (
        "Shards that should report and have not for too long.",
        lambda found: found.progress.unknown,
    ),
    "upgrade_progress_percent": ("Resources copied, in percent.", lambda found: found.progress.percent),
    "upgrade_lag_seconds": ("Lag of the slowest shard.", lambda found: found.progress.lag_seconds),
    "upgrade_report_age_seconds": ("Age of the oldest report of the shards that count.", _report_age),
    "upgrade_quarantined_resources": (
        "Resources that could not be carried over.",
        lambda found: found.quarantined_resources,
    ),
    "upgrade_freeze_seconds": (
        "For how long the switch of the upgrade held writes.",
        lambda found: None if found.row.freeze_ms is None else found.row.freeze_ms / 1000,
    ),
    "upgrade_blockages": ("Causes that hold the upgrade up.", lambda found: len(found.blockages)),
}


def upgrade_gauges(actor: Actor) -> dict[str, LabelledGauge]:
    """Give the numbers of the live upgrades that an actor may read."""
    seen = within(reach_of(actor, "upgrade.read"))
    live = with_facts(Upgrade.objects.filter(seen, state__in=[state.value for state in LIVE]))
    found = [snapshot_of(row) for row in live.order_by("id")]
    gauges = {
        name: LabelledGauge(help_text, LABELS, _values(found, measure))
        for name, (help_text, measure) in MEASURES.items()
    }
    help_text = (
        "Since when all resources of both versions were last found equal; no value before the first time."
    )
    gauges["upgrade_compared_age_seconds"] = LabelledGauge(help_text, LABELS, _compared_ages(found))
    return gauges


def _compared_ages(found: list[UpgradeSnapshot]) -> dict[tuple[str, ...], float]:
    """Give the age of the oldest clean comparison among an upgrade's shards, where all of them have one."""
    rows = SyncScan.objects.filter(upgrade__in=[each.row.id for each in found], passed_at__isnull=False)
    oldest = rows.values("upgrade").annotate(oldest=Min("passed_at"), shards=Count("shard", distinct=True))
    by_upgrade = {row["upgrade"]: row for row in oldest}
    return {
        (each.row.id, each.row.deployment): (each.at - row["oldest"]).total_seconds()
        for each in found
        if (row := by_upgrade.get(each.row.id)) is not None and row["shards"] >= each.row.shard_count
    }


def _values(found: list[UpgradeSnapshot], measure: Measure) -> dict[tuple[str, ...], float]:
    values = {(each.row.id, each.row.deployment): measure(each) for each in found}
    return {labels: float(value) for labels, value in values.items() if value is not None}

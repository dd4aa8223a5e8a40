"""How fast an upgrade copies when a person set a bound: each shard that still copies gets an equal share of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from migrations_app.domain.sync.throttle_reasons import SINCE, held, text_of
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.recent_map import SHARDS, RecentMap
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.upgrades import UpgradeRecord, Upgrades

COPYING = frozenset({"prepare", "backfill", ""})
"""Stages of shards that have something left to copy; those that never reported count as well."""
LOOK_SECONDS = 2.0


@dataclass(slots=True)
class _Shares:
    at: float
    copying: int


def resting(before: str, reason: str, now: datetime) -> str:
    """Say why a shard rests and since when: as long as it has rested without a page, for whatever reason."""
    since = before.rpartition(SINCE)[2] if SINCE in before else f"{now:%H:%M:%S} UTC"
    return f"{reason}{SINCE}{since}"


class CopyPace:
    """Keeps the pages of an upgrade below what a person allowed it in a second; following is never held.

    What it remembers is this process's own: a shard that moves to another process may copy one page early.
    """

    def __init__(self, upgrades: Upgrades, clock: Clock) -> None:
        self._upgrades = upgrades
        self._clock = clock
        self._next = RecentMap[ShardKey, float](SHARDS)
        self._shares = RecentMap[str, _Shares]()

    def page(self, record: UpgradeRecord, most: int) -> int:
        """Tell how many resources a page may have: what the shard's share is in a second, one at least."""
        if record.copy_limit is None:
            return most
        return max(1, min(most, int(self._share(record))))

    def held(self, record: UpgradeRecord, key: ShardKey) -> str:
        """Say why the shard must wait with its next page; empty when it need not."""
        if record.copy_limit is None or self._clock.monotonic() >= self._next.get(key, 0.0):
            return ""
        return text_of(held(record.copy_limit))

    def copied(self, record: UpgradeRecord, key: ShardKey, resources: int) -> None:
        """Note a page, so that the next one comes when its share allows it."""
        if record.copy_limit is None:
            self._next.discard(key)
            return
        self._next[key] = self._clock.monotonic() + resources / self._share(record)

    def _share(self, record: UpgradeRecord) -> float:
        now, known = self._clock.monotonic(), self._shares.find(record.id)
        if known is None or now - known.at >= LOOK_SECONDS:
            stages = [report.stage for report in self._upgrades.shards(record.id)]
            known = _Shares(now, max(1, sum(stage in COPYING for stage in stages)))
            self._shares[record.id] = known
        return (record.copy_limit or 0) / known.copying

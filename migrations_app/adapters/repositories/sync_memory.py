"""Checkpoints and parked resources in memory, for simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrations_app.domain.parity import Mismatch
from migrations_app.kernel.errors import Stale
from migrations_app.ports.checkpoints import Checkpoint, Parked, ParkedState, Price, Scan, ShardKey
from migrations_app.ports.upgrades import Direction


class MemoryCheckpoints:
    """`ports.checkpoints.Checkpoints` in dictionaries."""

    def __init__(self) -> None:
        self._rows: dict[ShardKey, tuple[Checkpoint, int]] = {}
        self._scans: dict[ShardKey, tuple[Scan, int]] = {}
        self._prices: dict[ShardKey, tuple[Price, int]] = {}
        self._parked: dict[tuple[ShardKey, str, str], Parked] = {}
        self._differences: dict[tuple[str, str, str], tuple[Mismatch, str]] = {}

    def load(self, key: ShardKey) -> Checkpoint:
        row = self._rows.get(key)
        return row[0] if row else Checkpoint(key)

    def save(self, checkpoint: Checkpoint, epoch: int) -> Checkpoint:
        known, greatest = self._rows.get(checkpoint.key, (Checkpoint(checkpoint.key), 0))
        if known.rev != checkpoint.rev or epoch < greatest:
            raise Stale(f"Another worker has carried {checkpoint.key} further.", code="checkpoint-stale")
        saved = replace(checkpoint, rev=checkpoint.rev + 1)
        self._rows[checkpoint.key] = (saved, epoch)
        return saved

    def forget(self, upgrade: str) -> None:
        self._rows = {key: row for key, row in self._rows.items() if key.upgrade != upgrade}
        self._scans = {key: row for key, row in self._scans.items() if key.upgrade != upgrade}
        self._prices = {key: row for key, row in self._prices.items() if key.upgrade != upgrade}
        self._parked = {key: row for key, row in self._parked.items() if key[0].upgrade != upgrade}

    def park(self, parked: Parked) -> None:
        self._parked[parked.key, parked.type, parked.name] = parked

    def unpark(self, key: ShardKey, type_: str, name: str) -> None:
        self._parked.pop((key, type_, name), None)

    def parked(self, key: ShardKey) -> Sequence[Parked]:
        rows = (row for row in self._parked.values() if row.key == key)
        return sorted(rows, key=lambda row: (row.type, row.name))

    def load_scan(self, key: ShardKey) -> Scan:
        row = self._scans.get(key)
        return row[0] if row else Scan(key)

    def save_scan(self, scan: Scan, epoch: int) -> Scan:
        known, greatest = self._scans.get(scan.key, (Scan(scan.key), 0))
        if known.rev != scan.rev or epoch < greatest:
            raise Stale(f"Another worker has carried {scan.key} further.", code="checkpoint-stale")
        saved = replace(scan, rev=scan.rev + 1)
        self._scans[scan.key] = (saved, epoch)
        return saved

    def load_price(self, key: ShardKey) -> Price:
        row = self._prices.get(key)
        return row[0] if row else Price(key)

    def save_price(self, price: Price, epoch: int) -> Price:
        known, greatest = self._prices.get(price.key, (Price(price.key), 0))
        if known.rev != price.rev or epoch < greatest:
            raise Stale(f"Another worker has carried {price.key} further.", code="checkpoint-stale")
        saved = replace(price, rev=price.rev + 1)
        self._prices[price.key] = (saved, epoch)
        return saved

    def prices(self, upgrade: str, direction: Direction) -> Sequence[Price]:
        found = [price for price, _ in self._prices.values() if price.key.upgrade == upgrade]
        mine = [price for price in found if price.key.direction is direction]
        return sorted(mine, key=lambda price: price.key.shard)

    def differ(self, key: ShardKey, mismatch: Mismatch, repair: str) -> None:
        self._differences[key.upgrade, mismatch.type, mismatch.name] = (mismatch, repair)

    def differences(self, upgrade: str, limit: int = 100) -> Sequence[tuple[Mismatch, str]]:
        found = [kept for (of, _, _), kept in self._differences.items() if of == upgrade]
        return found[::-1][:limit]

    def unresolved(self, upgrade: str) -> int:
        return sum(
            1
            for row in self._parked.values()
            if row.key.upgrade == upgrade and row.state not in (ParkedState.WAIVED, ParkedState.HIDDEN)
        )

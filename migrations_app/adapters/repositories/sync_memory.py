"""Checkpoints and quarantined resources in memory, for simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from migrations_app.domain.parity import Mismatch
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.messages import message
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

T = TypeVar("T", Checkpoint, Scan, Price, Brought)


class _Kept(Generic[T]):
    """One row a shard, saved only by who has the newest of it and a lease that is still valid."""

    def __init__(self, empty: Callable[[ShardKey], T]) -> None:
        self._empty: Callable[[ShardKey], T] = empty
        self._rows: dict[ShardKey, tuple[T, int]] = {}

    def load(self, key: ShardKey) -> T:
        row = self._rows.get(key)
        return row[0] if row else self._empty(key)

    def save(self, given: T, epoch: int) -> T:
        known, greatest = self._rows.get(given.key) or (self._empty(given.key), 0)
        if known.rev != given.rev or epoch < greatest:
            raise Stale(
                message("Another worker has advanced {key}.", key=str(given.key)),
                code="checkpoint-stale",
            )
        saved = replace(given, rev=given.rev + 1)
        self._rows[given.key] = (saved, epoch)
        return saved

    def forget(self, upgrade: str) -> None:
        self._rows = {key: row for key, row in self._rows.items() if key.upgrade != upgrade}

    def drop(self, key: ShardKey) -> None:
        self._rows.pop(key, None)

    def clear(self) -> None:
        self._rows = {}

    def all(self) -> list[T]:
        return [row for row, _ in self._rows.values()]


class MemoryCheckpoints:
    """`ports.checkpoints.Checkpoints` in dictionaries."""

    def __init__(self) -> None:
        self._rows = _Kept(Checkpoint)
        self._scans = _Kept(Scan)
        self._prices = _Kept(Price)
        self._brought = _Kept(Brought)
        self._quarantined: dict[tuple[ShardKey, str, str], QuarantinedResource] = {}
        self._differences: dict[tuple[str, str, str], tuple[Mismatch, str]] = {}

    def load(self, key: ShardKey) -> Checkpoint:
        return self._rows.load(key)

    def caught_up_shards(self, upgrade: str, direction: Direction) -> Mapping[int, float | None]:
        quarantined = {key for key, _, _ in self._quarantined}
        return {
            each.key.shard: each.lag_seconds
            for each in sorted(self._rows.all(), key=lambda each: each.key.shard)
            if (each.key.upgrade, each.key.direction) == (upgrade, direction)
            and each.stage is ShardStage.FOLLOW
            and each.level
            and each.key not in quarantined
        }

    def save(self, checkpoint: Checkpoint, epoch: int) -> Checkpoint:
        return self._rows.save(checkpoint, epoch)

    def save_each(self, saved: Sequence[tuple[Checkpoint, int]]) -> list[Checkpoint | None]:
        kept: list[Checkpoint | None] = []
        for checkpoint, epoch in saved:
            try:
                kept.append(self.save(checkpoint, epoch))
            except Stale:
                kept.append(None)
        return kept

    def forget(self, upgrade: str) -> None:
        for kept in (self._rows, self._scans, self._prices, self._brought):
            kept.forget(upgrade)
        self._quarantined = {key: row for key, row in self._quarantined.items() if key[0].upgrade != upgrade}

    def quarantine(self, quarantined: QuarantinedResource) -> None:
        self._quarantined[quarantined.key, quarantined.type, quarantined.name] = quarantined

    def lift_quarantine(self, key: ShardKey, type_: str, name: str) -> None:
        self._quarantined.pop((key, type_, name), None)

    def quarantined(self, key: ShardKey) -> Sequence[QuarantinedResource]:
        rows = (row for row in self._quarantined.values() if row.key == key)
        return sorted(rows, key=lambda row: (row.type, row.name))

    def load_scan(self, key: ShardKey) -> Scan:
        return self._scans.load(key)

    def scans(self, upgrade: str, direction: Direction) -> Sequence[Scan]:
        of = (upgrade, direction)
        found = [each for each in self._scans.all() if (each.key.upgrade, each.key.direction) == of]
        return sorted(found, key=lambda each: each.key.shard)

    def save_scan(self, scan: Scan, epoch: int) -> Scan:
        return self._scans.save(scan, epoch)

    def void_proof(self, key: ShardKey) -> None:
        self._scans.drop(key)
        self._prices.drop(key)

    def load_price(self, key: ShardKey) -> Price:
        return self._prices.load(key)

    def save_price(self, price: Price, epoch: int) -> Price:
        return self._prices.save(price, epoch)

    def prices(self, upgrade: str, direction: Direction) -> Sequence[Price]:
        found = [price for price in self._prices.all() if price.key.upgrade == upgrade]
        mine = [price for price in found if price.key.direction is direction]
        return sorted(mine, key=lambda price: price.key.shard)

    def load_brought(self, key: ShardKey) -> Brought:
        return self._brought.load(key)

    def save_brought(self, brought: Brought, epoch: int) -> Brought:
        return self._brought.save(brought, epoch)

    def differ(self, key: ShardKey, mismatch: Mismatch, repair: str) -> None:
        self._differences[key.upgrade, mismatch.type, mismatch.name] = (mismatch, repair)

    def differences(self, upgrade: str, limit: int = 100) -> Sequence[tuple[Mismatch, str]]:
        found = [kept for (of, _, _), kept in self._differences.items() if of == upgrade]
        return found[::-1][:limit]

    def unresolved(self, upgrade: str) -> int:
        return sum(
            1
            for row in self._quarantined.values()
            if row.key.upgrade == upgrade
            and row.state not in (QuarantineState.WAIVED, QuarantineState.HIDDEN)
        )

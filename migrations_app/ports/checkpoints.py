"""Checkpoints: where the work on each shard stands, and the resources it had to set aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Protocol

from migrations_app.domain.parity import Mismatch
from migrations_app.domain.sync.quarantine import QuarantineState as QuarantineState
from migrations_app.ports.upgrades import Direction


class ShardStage(StrEnum):
    """What a shard does now."""

    PREPARE = "prepare"
    BACKFILL = "backfill"
    FOLLOW = "follow"


@dataclass(frozen=True, slots=True)
class ShardKey:
    """One shard of one upgrade in one direction: the unit of work."""

    upgrade: str
    direction: Direction
    shard: int

    def __str__(self) -> str:
        return f"{self.upgrade}/{self.direction}/{self.shard}"

    @staticmethod
    @lru_cache(maxsize=4096)
    def parse(text: str) -> ShardKey:
        """Read back what `str` wrote."""
        upgrade, direction, shard = text.rsplit("/", 2)
        return ShardKey(upgrade, Direction(direction), int(shard))


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where one shard stands.

    The backfill stands after `name` of `type`; `upper` is the last name of that type when its copy began.
    The position in the feed is not here but beside the target's data, because it must commit with them.
    """

    key: ShardKey
    stage: ShardStage = ShardStage.PREPARE
    type: str = ""
    name: str = ""
    upper: str | None = None
    copied: int = 0
    total: int = 0
    applied: int = 0
    level: bool = False
    lag_seconds: float | None = None
    rate_per_second: float = 0.0
    throttled: str = ""
    error: str = ""
    rev: int = 0

    def moved(self, **changes: object) -> Checkpoint:
        """The same checkpoint with some of its fields changed."""
        if all(getattr(self, name) == value for name, value in changes.items()):
            return self
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class QuarantinedResource:
    """One resource that could not be converted or applied; its later changes wait behind it."""

    key: ShardKey
    type: str
    name: str
    revision: int
    error: str
    code: str = ""
    attempts: int = 1
    retry_at: datetime | None = None
    state: QuarantineState = QuarantineState.QUARANTINED
    changes_behind: int = 0


@dataclass(frozen=True, slots=True)
class Scan:
    """Where the full check of one shard stands: first every source resource, then every target resource.

    `passed_at` is the start of the last pass that ended without a difference; `failed` counts those of this one.
    `both_ways` says that every page of this pass that can be was looked at from both sides at once: what a worker of an
    earlier release saves ends it, because its pages look one way only.
    """

    key: ShardKey
    backwards: bool = False
    type: str = ""
    name: str = ""
    scanned: int = 0
    failed: int = 0
    repaired: int = 0
    started_at: datetime | None = None
    passed_at: datetime | None = None
    ended_at: datetime | None = None
    both_ways: bool = False
    rev: int = 0


@dataclass(frozen=True, slots=True)
class Price:
    """How far the counting is of what the older version cannot show, in one shard of the newer version.

    `looked` and `losses` are of the pass under way; `counted` is what the last whole pass, begun at `counted_at`,
    found. `error` is the first resource that would not roll back at all.
    """

    key: ShardKey
    type: str = ""
    name: str = ""
    looked: int = 0
    losses: int = 0
    error: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    counted: int | None = None
    counted_at: datetime | None = None
    rev: int = 0


@dataclass(frozen=True, slots=True)
class Brought:
    """How far the tombstones of an upgrade's source were brought to its target: up to `name` of `type`.

    They are kept without their shards, so there is one row for all of them, in the name of the first. `read` counts
    them.
    """

    key: ShardKey
    type: str = ""
    name: str = ""
    read: int = 0
    rev: int = 0


class Checkpoints(Protocol):
    """The rows of checkpoints, scans, quarantined and differing resources."""

    def load(self, key: ShardKey) -> Checkpoint:
        """Read a shard's checkpoint; a fresh one (`rev` 0) when it has none."""
        ...

    def caught_up_shards(self, upgrade: str, direction: Direction) -> Mapping[int, float | None]:
        """List the shards that follow, are caught up, and have no quarantined resources, waived ones neither.

        Shape: the seconds of lag that each of them measured last, by shard.
        """
        ...

    def save(self, checkpoint: Checkpoint, epoch: int) -> Checkpoint:
        """Keep the checkpoint; `epoch` is the lease's fencing token.

        Once: idempotent; the effect a checkpoint speaks of is durable before it is saved.
        Raises: Stale when a holder with a greater epoch, or a later `rev`, was here.
        """
        ...

    def save_each(self, saved: Sequence[tuple[Checkpoint, int]]) -> list[Checkpoint | None]:
        """Keep several checkpoints at once, each with its epoch; None for one that `save` would refuse.

        Once: as `save`; the others are kept whatever becomes of one.
        """
        ...

    def forget(self, upgrade: str) -> None:
        """Drop every checkpoint and quarantined resource of an upgrade."""
        ...

    def quarantine(self, quarantined: QuarantinedResource) -> None:
        """Keep (or renew, counting the attempt) a quarantined resource."""
        ...

    def lift_quarantine(self, key: ShardKey, type_: str, name: str) -> None:
        """Forget a quarantined resource: it went through."""
        ...

    def quarantined(self, key: ShardKey) -> Sequence[QuarantinedResource]:
        """List a shard's quarantined resources, waived ones too, by type and name."""
        ...

    def load_scan(self, key: ShardKey) -> Scan:
        """Read how far the full check of a shard is; a fresh one (`rev` 0) when there is none."""
        ...

    def scans(self, upgrade: str, direction: Direction) -> Sequence[Scan]:
        """List how far the full checks of all shards are, of those that were begun, by shard."""
        ...

    def save_scan(self, scan: Scan, epoch: int) -> Scan:
        """Keep it, as `save` keeps a checkpoint.

        Raises: Stale.
        """
        ...

    def void_proof(self, key: ShardKey) -> None:
        """Drop what was found out by comparing a shard and by counting its price: it holds no more.

        Once: a worker that is just at it gets Stale when saving.
        """
        ...

    def load_price(self, key: ShardKey) -> Price:
        """Read how far the price of a shard is counted; a fresh one (`rev` 0) when none began."""
        ...

    def save_price(self, price: Price, epoch: int) -> Price:
        """Keep it, as `save` keeps a checkpoint.

        Raises: Stale.
        """
        ...

    def prices(self, upgrade: str, direction: Direction) -> Sequence[Price]:
        """List the prices of all shards that were begun, by shard."""
        ...

    def load_brought(self, key: ShardKey) -> Brought:
        """Read how far tombstones were brought; a fresh one (`rev` 0) when none began."""
        ...

    def save_brought(self, brought: Brought, epoch: int) -> Brought:
        """Keep it, as `save` keeps a checkpoint.

        Raises: Stale.
        """
        ...

    def differ(self, key: ShardKey, mismatch: Mismatch, repair: str) -> None:
        """Keep a stable difference with both documents, and what was done about it; the newest per name."""
        ...

    def differences(self, upgrade: str, limit: int = 100) -> Sequence[tuple[Mismatch, str]]:
        """List the differences found, newest first, each with its repair."""
        ...

    def unresolved(self, upgrade: str) -> int:
        """Count the upgrade's quarantined resources that are neither waived nor hidden."""
        ...

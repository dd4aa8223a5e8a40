"""An upgrade's progress and its sentence of state, from its rows."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from migrations_app.adapters.repositories.upgrade_evidence import (
    READY_SHARDS,
    Approval,
    approval_of,
    slowest,
)
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.switch.plan import Kind
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.words import Situation, sentence, where
from migrations_app.domain.sync import HELD, Estimate, estimate, losing
from migrations_app.kernel.json import JsonObject
from migrations_app.models.upgrades import Upgrade, UpgradeSample, UpgradeShard
from migrations_app.ports.upgrades import ShardState

SILENT_SECONDS = 30.0
QUIET_SECONDS = 8.0
"""A level shard reports every three seconds, on a busy machine in five; the lag of one that does not is older than that."""
FOLLOWING = frozenset({State.SYNCING, State.READY, State.SWITCHING})
MOVING = frozenset({State.SYNCING, State.READY, State.SWITCHING, State.REVERTING})


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the shards of an upgrade are, all together."""

    ready: int
    copied: int
    total: int
    rate_per_second: float
    lag_seconds: float | None
    eta: Estimate

    def as_json(self) -> JsonObject:
        """Give the progress as the API shows it."""
        eta: JsonObject | None = None
        if self.eta.low_seconds is not None and self.eta.high_seconds is not None:
            eta = {"low_seconds": self.eta.low_seconds, "high_seconds": self.eta.high_seconds}
        return {
            "copied": self.copied,
            "total": self.total,
            "rate_per_second": self.rate_per_second,
            "eta": eta,
            "eta_reason": self.eta.reason,
            "lag_seconds": self.lag_seconds,
        }


def progress_of(
    row: Upgrade, shards: Sequence[UpgradeShard], samples: Sequence[UpgradeSample] = ()
) -> Progress:
    """Add the shards' reports up; with the samples of the last moments, see whether it can come to an end."""
    copied, total = sum(shard.copied for shard in shards), sum(shard.total for shard in shards)
    rate = sum(shard.rate_per_second for shard in shards)
    throttled = next(
        (each.throttled for each in shards if each.throttled and not each.throttled.startswith(HELD)), ""
    )
    lags = [(each.at.timestamp(), each.lag_max) for each in samples if each.lag_max is not None]
    beaten = losing(lags, rate)
    return Progress(
        ready=sum(shard.state in READY_SHARDS for shard in shards),
        copied=copied,
        total=total,
        rate_per_second=rate,
        lag_seconds=slowest(shards),
        eta=estimate(
            copied,
            total,
            rate,
            rate / 4,
            throttled=throttled,
            uncounted=row.ring - sum(shard.state != ShardState.PENDING.value for shard in shards),
            writes_per_second=beaten[0] if beaten else 0.0,
            follow_per_second=beaten[1] if beaten else None,
        ),
    )


def as_of_now(row: Upgrade, shards: Sequence[UpgradeShard], now: datetime) -> list[UpgradeShard]:
    """Let the lag of shards that fell silent grow: nobody follows them, whatever they reported last."""
    aged: list[UpgradeShard] = []
    for shard in shards:
        silent = (now - shard.reported_at).total_seconds()
        if State(row.state) in FOLLOWING and not row.paused and silent > QUIET_SECONDS:
            shard = copy(shard)
            shard.lag_seconds = (shard.lag_seconds or 0.0) + silent
        aged.append(shard)
    return aged


def sentence_of(
    row: Upgrade, shards: Sequence[UpgradeShard], approval: Approval | None = None, blocked_by: str = ""
) -> str:
    """Say where an upgrade is and what it waits for, the same at every door."""
    state = State(row.state)
    silent = stall_of(row, shards, timezone.now())
    if silent is not None:
        return str(silent["sentence"])
    if approval is None and state in (State.SYNCING, State.READY):
        approval = approval_of(row, Purpose.SWITCH, timezone.now())
    progress = progress_of(row, shards)
    low, high = progress.eta.low_seconds, progress.eta.high_seconds
    return sentence(
        Situation(
            service=row.service,
            region=row.region,
            from_version=row.from_version,
            to_version=_destination(row),
            state=state,
            paused=row.paused,
            ready=progress.ready,
            total=row.ring,
            eta=(low, high) if low is not None and high else None,
            eta_reason=progress.eta.reason,
            approvals_needed=approval.needed if approval else 0,
            approvals_given=approval.given if approval else 0,
            approval_state=approval.state if approval else "none",
            parked=sum(shard.failed for shard in shards),
            automatic=row.automatic,
            blocked_by=blocked_by,
            wanted=row.request,
            freeze_ms=row.freeze_ms,
            reversible_until=row.reversible_until,
            downgrade_sync=row.downgrade_sync,
        )
    )


def _destination(row: Upgrade) -> str:
    """Name what an upgrade brings a deployment to: a version, a data version, or a place."""
    if row.kind == Kind.DATA.value:
        return f"data version {row.plan.get('target_data_version', '')}"
    if row.kind == Kind.LOCATION.value:
        return f"{row.to_version} in {row.target_database}"
    return str(row.to_version)


def stall_of(row: Upgrade, shards: Sequence[UpgradeShard], now: datetime) -> JsonObject | None:
    """Tell since when nobody has reported, when that is too long."""
    if State(row.state) not in MOVING or row.paused or row.started_at is None:
        return None
    since = max((shard.reported_at for shard in shards), default=row.started_at)
    if (now - since).total_seconds() <= SILENT_SECONDS:
        return None
    place = where(row.service, row.region)
    return {
        "since": since.isoformat().replace("+00:00", "Z"),
        "shards": [shard.shard for shard in shards if shard.state not in READY_SHARDS],
        "sentence": f"No reports from {place} since {since:%H:%M:%S} UTC; what is shown may be old.",
        "causes": ["no worker runs", "the broker is away and the sweep is off", "a data database is away"],
    }

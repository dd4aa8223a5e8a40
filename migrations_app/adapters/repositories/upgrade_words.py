"""An upgrade's progress and its sentence of state, from its rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from migrations_app.adapters.repositories.upgrade_blockages import blockages_of
from migrations_app.adapters.repositories.upgrade_evidence import READY_SHARDS, Approval, approval_of
from migrations_app.adapters.repositories.upgrade_progress import is_reporting, progress_of
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.switch.plan import Kind
from migrations_app.domain.switch.progress import REPORT_LIMIT_SECONDS
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.words import Situation, sentence, where
from migrations_app.kernel.json import JsonObject
from migrations_app.models.upgrades import Upgrade, UpgradeShard


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
    if not is_reporting(row) or row.started_at is None:
        return None
    since = max((shard.reported_at for shard in shards), default=row.started_at)
    if (now - since).total_seconds() <= REPORT_LIMIT_SECONDS:
        return None
    place = where(row.service, row.region)
    causes = blockages_of(row, shards, now)
    why = causes[0].sentence if causes else "The cause is not known."
    return {
        "since": since.isoformat().replace("+00:00", "Z"),
        "shards": [shard.shard for shard in shards if shard.state not in READY_SHARDS],
        "sentence": f"No reports from {place} since {since:%H:%M:%S} UTC; what is shown is old. {why}",
        "causes": [cause.sentence for cause in causes],
    }

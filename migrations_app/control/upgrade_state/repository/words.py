"""An upgrade's progress and its sentence of state, from its rows."""

from __future__ import annotations

from migrations_app.control.upgrade_state.repository.evidence import approval_of
from migrations_app.control.upgrade_state.repository.snapshots import UpgradeSnapshot
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.standing import Approval
from migrations_app.domain.switch.plan import UpgradeKind
from migrations_app.domain.switch.state_messages import Situation, state_message
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.words import count
from migrations_app.kernel.messages import NOTHING, WordedMessage
from migrations_app.models.upgrades import Upgrade


def message_of(
    of: UpgradeSnapshot, approval: Approval | None = None, blocked_by: WordedMessage = NOTHING
) -> WordedMessage:
    """Say where an upgrade is and what it waits for, the same on every surface."""
    row, progress = of.row, of.progress
    state = State(row.state)
    if of.stall is not None:
        return WordedMessage(of.stall.phrases)
    if approval is None and state in (State.SYNCING, State.READY):
        approval = approval_of(row, Purpose.SWITCH, of.at)
    low, high = progress.eta.low_seconds, progress.eta.high_seconds
    return state_message(
        Situation(
            service=row.service,
            region=row.region,
            from_version=_origin(row),
            to_version=_destination(row),
            state=state,
            paused=row.paused,
            ready=progress.ready,
            total=row.shard_count,
            eta=(low, high) if low is not None and high else None,
            eta_reason=progress.eta.reason,
            approvals_needed=approval.needed if approval else 0,
            approvals_given=approval.votes_given if approval else 0,
            approval_state=approval.state if approval else "none",
            quarantined=of.quarantined_resources,
            automatic=row.automatic,
            blocked_by=blocked_by,
            requested=row.request,
            freeze_ms=row.freeze_ms,
            rollback_freeze_ms=row.rollback_freeze_ms,
            reversible_until=row.reversible_until,
            downgrade_sync=row.downgrade_sync,
            reverse_late=row.reverse_asked_at is not None,
            handed_over_to=row.handed_over_to,
        )
    )


def _origin(row: Upgrade) -> str:
    """Name what an upgrade leaves: a version, or a number of its shards."""
    if row.kind == UpgradeKind.SHARDS.value:
        return f"{row.from_version} with {count(row.ring, 'shard')}"
    return str(row.from_version)


def _destination(row: Upgrade) -> str:
    """Name what an upgrade brings a deployment to: a version, a data version, a place, or a number of shards."""
    if row.kind == UpgradeKind.DATA.value:
        return f"data version {row.plan.get('target_data_version', '')}"
    if row.kind == UpgradeKind.SHARDS.value:
        return f"{row.to_version} with {count(row.target_shard_count or row.ring, 'shard')}"
    if row.kind == UpgradeKind.LOCATION.value:
        return f"{row.to_version} in {row.target_database}"
    return str(row.to_version)

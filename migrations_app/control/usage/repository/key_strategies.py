"""Strategies of single unknown keys as rows: in force, ended, shown."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from migrations_app.control.approval_policies.repository.approvals import environment
from migrations_app.domain.access import Target
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models.evidence.retirements import KeyStrategy

KEY_STRATEGY_SENTENCES: Mapping[str, WordedMessage] = {
    "in-force": message("The strategy is in force."),
    "expired": message("The strategy has expired."),
    "ended": message("The strategy was ended."),
}
"""Each state as a sentence for people."""


def locked_key_strategy(strategy_id: str) -> KeyStrategy:
    """Read a strategy and keep others from changing it until the transaction ends.

    Raises: Missing (`key-strategy-missing`).
    """
    row = KeyStrategy.objects.select_for_update().filter(pk=strategy_id).first()
    if row is None:
        raise Missing(
            message("There is no key strategy {strategy_id}.", strategy_id=strategy_id),
            code="key-strategy-missing",
        )
    return row


def target_of_key_strategy(row: KeyStrategy) -> Target:
    """Name a strategy for decisions and the ledger: it counts in every region."""
    return Target("key-strategy", row.id, row.service, environment=environment())


def state_of_key_strategy(row: KeyStrategy, now: datetime) -> str:
    """Tell whether a strategy counts: in-force, expired or ended."""
    if row.ended_at is not None and row.ended_at < row.until:
        return "ended"
    return "expired" if row.until <= now else "in-force"


def key_strategy_as_json(row: KeyStrategy, now: datetime, *, is_known: bool) -> JsonObject:
    """Show a strategy; `is_known` says that the definition has the field, so that it does not count."""
    return {
        "id": row.id,
        "service": row.service,
        "version": row.version,
        "place": f"{row.type}.{row.path}",
        "strategy": row.strategy,
        "reason": row.reason,
        "until": _iso(row.until),
        "state": state_of_key_strategy(row, now),
        "is_known": is_known,
        "set_by": row.set_by,
        "set_at": _iso(row.set_at),
        "ended_by": row.ended_by,
        "ended_at": _iso(row.ended_at),
    }


def _iso(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None

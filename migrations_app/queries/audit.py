"""The audit ledger as it is read: filtered, newest first, and verified."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.adapters import ledger
from migrations_app.adapters.repositories.within import within
from migrations_app.domain.access import Actor, require, require_reach
from migrations_app.kernel.json import JsonObject


def entries(
    actor: Actor, filters: Mapping[str, str], *, before: int | None = None, limit: int = 51
) -> list[JsonObject]:
    """List entries, newest first; `action` may end in a star.

    Raises: Denied, Invalid (`filter`).
    """
    seen = within(require_reach(actor, "audit.read"))
    rows = ledger.matching(filters).filter(seen)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return [ledger.sealed_as_json(row) for row in rows[:limit]]


def chain(actor: Actor) -> JsonObject:
    """Verify the whole chain and tell how it stands."""
    require(actor, "audit.read")
    found = ledger.verify()
    return {
        "intact": found.broken_at is None and found.unsealed == 0,
        "length": found.length,
        "unsealed": found.unsealed,
        "digest": found.digest,
        "broken_at": found.broken_at,
        "entry": found.entry,
        "reason": found.reason,
    }

"""The audit ledger as it is read: filtered, newest first, and verified."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.adapters import ledger
from migrations_app.domain.access import Actor, require
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.models.ledger import LedgerEntry

FILTERS = {
    "actor": "actor",
    "outcome": "outcome",
    "service": "service",
    "region": "region",
    "target": "target",
}


def entries(
    actor: Actor, filters: Mapping[str, str], *, before: int | None = None, limit: int = 51
) -> list[JsonObject]:
    """List entries, newest first; `action` may end in a star.

    Raises: Denied, Invalid (`filter`).
    """
    require(actor, "audit.read")
    rows = LedgerEntry.objects.select_related("seal")
    for name, value in filters.items():
        if name == "action" and value.endswith("*"):
            rows = rows.filter(action__startswith=value[:-1])
        elif name == "action":
            rows = rows.filter(action=value)
        elif name in FILTERS:
            rows = rows.filter(**{FILTERS[name]: value})
        else:
            raise Invalid(
                f"There is no filter {name!r}.", code="filter", remedy=f"Use action, {', '.join(FILTERS)}."
            )
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return [_show(row) for row in rows[:limit]]


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


def _show(row: LedgerEntry) -> JsonObject:
    seal = getattr(row, "seal", None)
    return {
        **ledger.entry_as_json(row),
        "seq": seal.seq if seal else None,
        "digest": seal.digest if seal else None,
    }

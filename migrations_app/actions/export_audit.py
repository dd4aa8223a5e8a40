"""Export the audit ledger; that somebody took it away is itself an entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from migrations_app.adapters import ledger
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.json import JsonObject

MOST_ENTRIES = 100_000


def export_audit(actor: Actor, filters: Mapping[str, str], format: str) -> Iterator[JsonObject]:
    """Note the export, and give the entries that match, oldest first.

    Raises: Denied, Invalid (`filter`).
    """
    require(actor, "audit.export")
    rows = ledger.matching(filters).order_by("id")[:MOST_ENTRIES]
    ledger.record(
        actor, "audit.export", Target("audit"), "done", after={"format": format, "filters": dict(filters)}
    )
    return (ledger.sealed_as_json(row) for row in rows.iterator(chunk_size=2_000))

"""Export the audit ledger; the export is itself an entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db.models import QuerySet

from migrations_app.control.audit import ledger
from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, Target, require_reach
from migrations_app.kernel.json import JsonObject
from migrations_app.models.ledger import LedgerEntry

PAGE = 1_000


def export_audit(
    actor: Actor, filters: Mapping[str, str], format: str, page: int = PAGE
) -> Iterator[list[JsonObject]]:
    """Note the export, and give the entries there are until then that match: oldest first, page by page.

    Each page is a statement of its own, after the last entry of the one before: however long a reader takes to
    read, no transaction stays open.

    Raises: Denied, Invalid (`filter`).
    """
    seen = within(require_reach(actor, "audit.export"))
    rows = ledger.matching(filters).filter(seen).order_by("id")
    noted = ledger.record(
        actor, "audit.export", Target("audit"), "done", after={"format": format, "filters": dict(filters)}
    )
    return _pages(rows.filter(pk__lt=noted), page)


def _pages(rows: QuerySet[LedgerEntry], page: int) -> Iterator[list[JsonObject]]:
    after = 0
    while found := list(rows.filter(pk__gt=after)[:page]):
        after = found[-1].pk
        yield [ledger.sealed_as_json(row) for row in found]

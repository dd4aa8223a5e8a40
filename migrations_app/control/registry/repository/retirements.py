"""Retirements read as the API and the ledger show them."""

from __future__ import annotations

from migrations_app.kernel.json import JsonObject
from migrations_app.models.evidence.retirements import VersionRetirement

NOT_SET: JsonObject = {"rev": 0, "retires_on": None, "note": "", "set_by": "", "set_at": None}


def retirement_as_json(row: VersionRetirement | None) -> JsonObject:
    """Give a retirement; of a version that has none, one without a day at revision 0."""
    if row is None:
        return dict(NOT_SET)
    return {
        "rev": row.rev,
        "retires_on": row.retires_on.isoformat() if row.retires_on else None,
        "note": row.note,
        "set_by": row.set_by,
        "set_at": row.set_at.isoformat(),
    }


def retirements_of(service: str) -> JsonObject:
    """Give the retirements of a service by version."""
    return {row.version: retirement_as_json(row) for row in VersionRetirement.objects.filter(service=service)}

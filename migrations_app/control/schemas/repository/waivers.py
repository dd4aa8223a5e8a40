"""Waivers as rows: found for a report, locked, shown."""

from __future__ import annotations

from datetime import datetime

from migrations_app.control.access.repository.access import environment
from migrations_app.domain.access import Target
from migrations_app.domain.compatibility.acceptance import Key
from migrations_app.kernel.errors import Missing
from migrations_app.models.evidence.waivers import Waiver


def waivers_of(service: str, before: str, after: str, now: datetime) -> dict[Key, Waiver]:
    """Find the waivers of a report that were asked for and have not ended."""
    rows = Waiver.objects.filter(
        service=service, before=before, after=after, ended_at__isnull=True, until__gt=now
    )
    return {(row.rule, row.path, row.where, row.change): row for row in rows}


def locked_waiver(waiver_id: str) -> Waiver:
    """Read a waiver and keep others from changing it until the transaction ends.

    Raises: Missing (`waiver-missing`).
    """
    row = Waiver.objects.select_for_update().filter(pk=waiver_id).first()
    if row is None:
        raise Missing(f"There is no waiver {waiver_id}.", code="waiver-missing")
    return row


def target_of_waiver(row: Waiver) -> Target:
    """Name a waiver for decisions and the ledger."""
    return Target("waiver", row.id, row.service, environment=environment(), requested_by=row.asked_by)

"""Waivers of findings in reports and of changes in place: found for a decision, locked, shown, and used up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from migrations_app.control.access.repository.access import environment
from migrations_app.control.events.outbox import publish
from migrations_app.domain.access import Target
from migrations_app.domain.compatibility.decisions import ChangeDecision
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models.evidence.waivers import Waiver

Key = tuple[str, str, str, str]

WAIVER_SENTENCES: Mapping[str, WordedMessage] = {
    "asked": message("The waiver waits for approval."),
    "in-force": message("The waiver is approved and in force."),
    "expired": message("The waiver has expired."),
    "used": message("The waiver was used."),
    "ended": message("The waiver was ended."),
}
"""Each state as a sentence for people."""


def key_of(decision: ChangeDecision) -> Key:
    """Name what a waiver of a decision must be of: a change that says something else is another."""
    one = decision.difference
    return one.version, str(one.rule), one.path, one.change


def waivers_in_place(
    service: str, decisions: Iterable[ChangeDecision], now: datetime
) -> Mapping[Key, Waiver]:
    """Find the waivers of decisions that were asked for and have not ended."""
    versions = {each.difference.version for each in decisions}
    found = Waiver.objects.filter(service=service, before__in=versions, ended_at__isnull=True, until__gt=now)
    return {(row.after, row.rule, row.path, row.change): row for row in found if row.before == row.after}


def locked_waiver(waiver_id: str) -> Waiver:
    """Read a waiver and keep others from changing it until the transaction ends.

    Raises: Missing (`waiver-missing`).
    """
    row = Waiver.objects.select_for_update().filter(pk=waiver_id).first()
    if row is None:
        raise Missing(message("There is no waiver {waiver_id}.", waiver_id=waiver_id), code="waiver-missing")
    return row


def target_of_waiver(row: Waiver) -> Target:
    """Name a waiver for decisions and the ledger."""
    return Target("waiver", row.id, row.service, environment=environment(), requested_by=row.asked_by)


def use_up(row: Waiver, fingerprint: str, who: str, now: datetime) -> None:
    """End a waiver with the definition that was applied with it."""
    row.used_for, row.ended_by, row.ended_at = fingerprint, who, now
    row.save(update_fields=["used_for", "ended_by", "ended_at"])
    publish_waiver(row, now)


def publish_waiver(row: Waiver, now: datetime) -> None:
    """Tell watchers of approvals how a waiver stands."""
    publish("approvals", "waiver", row.id, patch={"state": state_of(row, now)}, places=[(row.service, "")])


def state_of(row: Waiver, now: datetime) -> str:
    """Tell what a waiver is worth: asked, in-force, expired, used or ended."""
    if row.used_for:
        return "used"
    if row.ended_at is not None:
        return "ended"
    if row.until <= now:
        return "expired"
    return "in-force" if row.approved_at else "asked"


def waiver_as_json(row: Waiver, now: datetime) -> JsonObject:
    """Show a waiver."""
    return {
        "id": row.id,
        "service": row.service,
        "before": row.before,
        "after": row.after,
        "rule": row.rule,
        "path": row.path,
        "where": row.where,
        "change": row.change,
        "reason": row.reason,
        "until": _iso(row.until),
        "state": state_of(row, now),
        "asked_by": row.asked_by,
        "asked_at": _iso(row.asked_at),
        "approved_by": row.approved_by,
        "approved_at": _iso(row.approved_at),
        "ended_by": row.ended_by,
        "ended_at": _iso(row.ended_at),
        "used_for": row.used_for,
        "decision": row.decision,
    }


def _iso(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None

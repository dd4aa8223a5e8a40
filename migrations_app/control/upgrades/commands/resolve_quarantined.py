"""Have a quarantined resource tried again, or exclude it by name."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app.control.audit.ledger import record
from migrations_app.control.upgrade_state.repository.moves import write
from migrations_app.control.upgrade_state.repository.upgrade_rows import locked, target_of
from migrations_app.domain.access import Actor, require
from migrations_app.domain.sync.quarantine import QUARANTINED_RESOURCE, QuarantineEvent, QuarantineState
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import as_message, message
from migrations_app.models.sync import QuarantineEntry
from migrations_app.ports.upgrades import TimelineEntry


def resolve_quarantined(
    actor: Actor, upgrade_id: str, type_: str, name: str, *, waive: bool, why: str = ""
) -> None:
    """Set what shall become of a quarantined resource; waiving one needs a reason.

    Raises: Missing, Denied, Invalid (`waive-reason`).
    """
    with transaction.atomic():
        row = locked(upgrade_id)
        require(actor, "upgrade.repair", target_of(row))
        if waive and not why.strip():
            raise Invalid(
                message("Excluding a resource needs a reason."),
                code="waive-reason",
                remedy=message("Say why."),
            )
        event, state = (
            (QuarantineEvent.WAIVE, QuarantineState.WAIVED)
            if waive
            else (QuarantineEvent.RETRY, QuarantineState.RETRY)
        )
        quarantined = QuarantineEntry.objects.filter(upgrade=upgrade_id, type=type_, name=name)
        changed = quarantined.filter(state__in=QUARANTINED_RESOURCE.sources(event)).update(
            state=state.value, retry_at=None if waive else timezone.now()
        )
        if not changed:
            raise Missing(
                message("{type} {name} is not quarantined.", type=type_, name=name),
                code="quarantined-missing",
            )
        if waive:
            row.waived = sorted({*row.waived, f"{type_} {name}"})
        verb = "waived" if waive else "retried"
        words = (
            message("{who} excluded {type} {name}.", who=actor.name, type=type_, name=name)
            if waive
            else message("{who} retried {type} {name}.", who=actor.name, type=type_, name=name)
        )
        after: JsonObject = {"type": type_, "name": name, "state": state.value}
        record(actor, f"upgrade.{state.value}", target_of(row), "done", after=after, reason=why)
        write(
            row,
            actor,
            TimelineEntry(f"quarantined-{verb}", words + as_message(why.rstrip()), after),
        )

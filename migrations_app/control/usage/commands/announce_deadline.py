"""Announce to the notification channels until when clients have to stop using something."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils import timezone

from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.control.usage.queries.fields import used_places
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.errors import Invalid, Missing, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message


@dataclass(frozen=True, slots=True)
class DeadlineRequest:
    """What goes, when, and what its users are to know."""

    version: str
    place: str
    deadline: date
    note: str = ""


def announce_deadline(actor: Actor, service: str, asked: DeadlineRequest) -> JsonObject:
    """Name the clients that use a place to everybody whose channel hears `usage.deadline` of this service.

    Raises: Denied, Missing (`definition-missing`, `version`, `usage-place`), Invalid (`deadline`).
    """
    target = Target("version", f"{service}/{asked.version}", service)
    require(actor, "registry.write", target)
    if asked.deadline <= timezone.now().date():
        raise Invalid(
            message("The deadline is not in the future."),
            code="deadline",
            remedy=message("Choose a later day, so that clients have time to change."),
            violations=(Violation("deadline", message("The day is not in the future.")),),
        )
    rows = used_places(actor, service, asked.version)
    row = next((each for each in rows if isinstance(each, dict) and each["place"] == asked.place), None)
    if row is None:
        raise Missing(
            message(
                "{service} {version} has no {place}.",
                service=service,
                version=asked.version,
                place=asked.place,
            ),
            code="usage-place",
            remedy=message(
                "Name a field as `swy usage` does, such as Box.title, a resource type, or the version."
            ),
        )
    said: JsonObject = {
        "service": service,
        "version": asked.version,
        "place": asked.place,
        "deadline": asked.deadline.isoformat(),
        "note": asked.note.strip(),
        "clients": [*_clients(row)],
    }
    with transaction.atomic():
        record(actor, "usage.announce", target, "done", None, said, reason=asked.note.strip())
        key = f"{service}/{asked.version}/{asked.place}"
        publish("fleet", "usage-deadline", key, full=said, places=[(service, "")])
    return said


def _clients(row: JsonObject) -> list[str]:
    names = set()
    for side in ("senders", "readers"):
        clients = row[side]
        assert isinstance(clients, list)
        names |= {str(each["client"]) for each in clients if isinstance(each, dict)}
    return sorted(names)

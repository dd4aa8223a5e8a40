"""Who is on duty for approvals now."""

from __future__ import annotations

from django.utils import timezone

from migrations_app.control.access.repository.access import actor_of
from migrations_app.domain.access import Actor, require
from migrations_app.kernel.json import JsonObject
from migrations_app.models.access import Account
from migrations_app.models.duty import Duty


def duties(actor: Actor) -> list[JsonObject]:
    """List who is on duty, whose turn ends first before the others.

    Raises: Denied.
    """
    require(actor, "approval.read")
    return on_duty()


def on_duty() -> list[JsonObject]:
    """List who is on duty, with the roles they hold."""
    rows = Duty.objects.filter(until__gt=timezone.now(), account__is_active=True).select_related("account")
    return [
        {
            "name": row.account.username,
            "display_name": row.account.display_name or row.account.username,
            "roles": list(actor_of(row.account).roles),
            "since": row.since.isoformat(),
            "until": row.until.isoformat(),
        }
        for row in rows
    ]


def actor_on(duty: JsonObject) -> Actor:
    """Give the actor that a person on duty is."""
    return actor_of(Account.objects.get(username=duty["name"]))

"""Ask those who may for what one may not do, outside of upgrades, and settle what was asked."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from migrations_app.control.access_requests.repository import target_of_ask
from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.domain.access import PERMISSIONS, Actor, decide
from migrations_app.kernel.errors import Conflict, Denied, Invalid, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.asks import Ask

AGAIN = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class RequestedPermission:
    """What is asked for: a permission within a scope, in the words of the button, and the page it stands on."""

    permission: str
    what: str
    link: str
    comment: str = ""
    service: str = ""
    region: str = ""


def ask_anybody(actor: Actor, requested: RequestedPermission) -> Ask:
    """Put a wish on the overview of everybody who may fulfil it.

    Raises: Invalid (`ask-action`, `ask-link`), Conflict (`asked-already`).
    """
    if requested.permission not in PERMISSIONS:
        raise Invalid(
            message("There is no permission {permission}.", permission=repr(requested.permission)),
            code="ask-action",
        )
    if not requested.link.startswith("/") or requested.link.startswith("//"):
        raise Invalid(
            message("The page is not one of this console."), code="ask-link", remedy=message("Send its path.")
        )
    with transaction.atomic():
        same = Ask.objects.filter(
            who=actor.name, permission=requested.permission, what=requested.what, link=requested.link
        )
        if same.filter(at__gt=timezone.now() - AGAIN, settled_at__isnull=True).exists():
            raise Conflict(
                message("You asked for it a moment ago."),
                code="asked-already",
                remedy=message("Give them a few minutes."),
            )
        row = Ask.objects.create(
            id=f"a{secrets.token_hex(5)}",
            who=actor.name,
            permission=requested.permission,
            what=requested.what,
            link=requested.link,
            service=requested.service,
            region=requested.region,
            comment=requested.comment.strip(),
            at=timezone.now(),
        )
        told: JsonObject = {"permission": row.permission, "what": row.what, "link": row.link}
        record(actor, "ask", target_of_ask(row), "done", after=told, reason=row.comment)
        shown: JsonObject = {"who": row.who, "what": row.what, "link": row.link}
        publish("approvals", "ask", row.id, full=shown, places=[(row.service, row.region)])
    return row


def settle_ask(actor: Actor, ask_id: str) -> None:
    """Dismiss a request: by an account that may fulfil it, or by the one that asked.

    Raises: Denied, Missing (`ask-missing`).
    """
    with transaction.atomic():
        row = Ask.objects.select_for_update().filter(pk=ask_id, settled_at__isnull=True).first()
        if row is None:
            raise Missing(message("That request is not open any more."), code="ask-missing")
        decision = decide(actor, row.permission, target_of_ask(row))
        if actor.name != row.who and not decision.allowed:
            raise Denied(decision.words, who_can=decision.who_can)
        row.settled_by, row.settled_at = actor.name, timezone.now()
        row.save()
        record(actor, "ask.settle", target_of_ask(row), "done")
        publish("approvals", "ask", row.id)

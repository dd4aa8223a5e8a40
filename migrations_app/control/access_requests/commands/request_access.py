"""Ask for access when one may do nothing yet, and decide a request."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.access_requests.commands.ask_anybody import RequestedPermission, ask_anybody
from migrations_app.control.access_requests.repository import ACCESS, open_access_ask, target_of_ask
from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.domain.access import Actor, require
from migrations_app.kernel.errors import Conflict, Denied, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.asks import Ask

PAGE = "/settings/access?tab=accounts"


@dataclass(frozen=True, slots=True)
class AccessAnswer:
    """The role that is given, within a scope, or none, with the answer that says why."""

    role: str = ""
    service: str = "*"
    region: str = "*"
    answer: str = ""


def request_access(actor: Actor, comment: str) -> Ask:
    """Ask those who manage access for a role.

    Raises: Conflict (`access-held`, `asked-already`).
    """
    if actor.grants:
        raise Conflict(
            message("You have the role {roles} already.", roles=", ".join(actor.roles)),
            code="access-held",
            remedy=message("Ask from the refusal of what you may not do."),
        )
    with transaction.atomic():
        if Ask.objects.filter(who=actor.name, what=ACCESS, settled_at__isnull=True).exists():
            raise Conflict(
                message("You asked already."), code="asked-already", remedy=message("Wait for the answer.")
            )
        return ask_anybody(actor, RequestedPermission("access.manage", ACCESS, PAGE, comment))


def decide_access(actor: Actor, ask_id: str, decision: AccessAnswer) -> str:
    """Give who asked a role, or refuse with an answer.

    Raises: Denied (`denied`, `more-than-held`, `own-ask`), Missing (`ask-missing`), Invalid (`ask-answer`,
    `unknown-role`).
    """
    with transaction.atomic():
        row = open_access_ask(ask_id)
        require(actor, "access.manage", target_of_ask(row))
        if row.who in (actor.name, actor.person):
            raise Denied(message("You asked for this; another person decides."), code="own-ask")
        answer = decision.answer.strip()
        if not decision.role and not answer:
            raise Invalid(
                message("A refusal needs a reason."), code="ask-answer", remedy=message("Write an answer.")
            )
        if decision.role:
            bind_role(actor, NewBinding("account", row.who, decision.role, decision.service, decision.region))
        row.granted, row.answer = bool(decision.role), answer
        row.settled_by, row.settled_at = actor.name, timezone.now()
        row.save()
        after: JsonObject = {"who": row.who, "role": decision.role}
        action = "access.grant-asked" if decision.role else "access.refuse-asked"
        record(actor, action, target_of_ask(row), "done", after=after, reason=answer)
        publish("approvals", "ask", row.id)
    return row.id

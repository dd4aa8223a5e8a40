"""What is not there: whether it never was, or was taken away, which only the ledger knows."""

from __future__ import annotations

from migrations_app.domain.access import Actor, Target, decide
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.errors import Gone, Missing
from migrations_app.kernel.messages import message
from migrations_app.models.ledger import LedgerEntry


def missing(actor: Actor, permission: str, kind: str, id: str, otherwise: Missing) -> Missing:
    """Give the error for a thing that is not there: `Gone` where an actor may know that it was, else the other."""
    told = LedgerEntry.objects.filter(target_kind=kind, target=id, outcome="done").order_by("-id")
    last = told.values("at", "actor", "action", "service", "region").first()
    if last is None:
        return otherwise
    if not decide(actor, permission, Target(kind, id, last["service"], last["region"])).allowed:
        return otherwise
    return Gone(
        message(
            "{kind} {id} is gone since {since_at} ({action} by {actor}).",
            kind=kind.capitalize(),
            id=id,
            since_at=to_minute(last["at"]),
            action=last["action"],
            actor=last["actor"],
        ),
        code="gone",
        remedy=message("Activity tells what became of it."),
        target=id,
    )

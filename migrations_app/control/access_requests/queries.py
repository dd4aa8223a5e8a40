"""What was asked for outside of upgrades, as the overview of those who may shows it."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from migrations_app.control.access.repository.access import made_roles
from migrations_app.control.access_requests.repository import ACCESS, target_of_ask
from migrations_app.domain.access import Actor, decide, require, roles_with
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.wordings import sentence_as_json
from migrations_app.models.access import RoleBinding
from migrations_app.models.asks import Ask

STANDS = timedelta(days=7)


def asks(actor: Actor) -> list[JsonObject]:
    """List what is asked for and this actor asked or may do, the newest first."""
    rows = Ask.objects.filter(settled_at__isnull=True, at__gt=timezone.now() - STANDS).order_by("-at", "id")
    return [ask_as_json(row) for row in rows if row.who == actor.name or _may(actor, row)]


def ask_as_json(row: Ask) -> JsonObject:
    """Give an ask as the API shows it."""
    return {
        "id": row.id,
        "who": row.who,
        "permission": row.permission,
        "what": row.what,
        "link": row.link,
        "comment": row.comment,
        "at": row.at.isoformat(),
    }


def access_requests(actor: Actor) -> list[JsonObject]:
    """List who asks for access and has no answer yet, the oldest first.

    Raises: Denied.
    """
    require(actor, "access.read")
    rows = Ask.objects.filter(what=ACCESS, settled_at__isnull=True)
    return [_request_as_json(row) for row in rows.order_by("at", "id")]


def way_to_access(actor: Actor) -> JsonObject:
    """Tell an account without any role who could give one, and what became of asking."""
    row = Ask.objects.filter(who=actor.name, what=ACCESS).order_by("-at").first()
    return {"who_can": _who_gives_access(), "request": _request_as_json(row) if row else None}


def _who_gives_access() -> list[Json]:
    roles = roles_with("access.manage", made_roles())
    rows = RoleBinding.objects.filter(role__in=roles).order_by("-subject_kind", "subject")
    named = (f"group {row.subject}" if row.subject_kind == "group" else row.subject for row in rows)
    return list(dict.fromkeys(named))


def _request_as_json(row: Ask) -> JsonObject:
    states = {None: "open" if row.settled_at is None else "withdrawn", True: "granted", False: "refused"}
    return {
        "id": row.id,
        "who": row.who,
        "comment": row.comment,
        "at": row.at.isoformat(),
        "state": states[row.granted],
        "answer": row.answer,
        "decided_by": row.settled_by,
        "decided_at": row.settled_at.isoformat() if row.settled_at else None,
    }


def needed(actor: Actor) -> list[Json]:
    """Name what others ask for and this actor may do; it stands for a week, or until it is settled."""
    rows = Ask.objects.filter(settled_at__isnull=True, at__gt=timezone.now() - STANDS)
    return [
        {
            "kind": "ask",
            "id": row.id,
            **sentence_as_json(_words(row)),
            "deadline": None,
            "link": row.link,
            "put_away": f"/asks/{row.id}",
        }
        for row in rows.exclude(who=actor.name).order_by("at", "id")
        if _may(actor, row)
    ]


def _may(actor: Actor, row: Ask) -> bool:
    return decide(actor, row.permission, target_of_ask(row)).allowed


def _words(row: Ask) -> WordedMessage:
    # The title is in the language of the account that asked: what its button said.
    names = {"who": row.who, "title": row.what, "comment": row.comment}
    if row.what == ACCESS:
        if row.comment:
            return message("{who} asks for access to this console: {comment}", **names)
        return message("{who} asks for access to this console.", **names)
    if row.comment:
        return message("{who} asks: {title}: {comment}", **names)
    return message("{who} asks: {title}.", **names)

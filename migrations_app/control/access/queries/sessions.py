"""Where people are signed in."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.utils import timezone

from migrations_app.domain.access import Actor, require
from migrations_app.kernel.json import JsonObject
from migrations_app.models.access import SignIn


def sessions(actor: Actor, *, everybody: bool = False, current: str = "") -> list[JsonObject]:
    """List one's own sessions that last, or everybody's, the newest first.

    Raises: Denied.
    """
    rows = SignIn.objects.select_related("account")
    if everybody:
        require(actor, "access.read")
    else:
        rows = rows.filter(account__username=actor.name)
    lasting = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return [
        {
            "id": row.pk,
            "account": row.account.username,
            "at": row.at.isoformat(),
            "address": row.address,
            "agent": row.agent,
            "how": row.how,
            "current": bool(current) and row.session_key == current,
        }
        for row in rows.filter(session_key__in=lasting)
    ]

"""Opens a session for a person who has proved who they are, as the installation allows it."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.utils import timezone
from rest_framework.request import Request

from migrations_app.control.access.commands.admit_local import admit_local
from migrations_app.control.access.commands.keep_sessions import remember_session
from migrations_app.control.access.commands.note_session import note_session
from migrations_app.control.access.queries.access import actor_of_user
from migrations_app.domain.access import Actor, ActorKind
from migrations_app.kernel.errors import Denied, SecondFactorRequired
from migrations_app.kernel.messages import NOTHING, message
from migrations_app.models.access import Account
from migrations_app.web.callers import address_of, request_id_of

EMERGENCY = "emergency"


def let_in(request: Request, account: Account, how: str, reason: str = "") -> Actor:
    """Sign a local account in; with a `reason` by break-glass. `how` is `password` or `passkey`.

    Raises: Denied (`sign-in-local`), Invalid (`break-glass`).
    """
    actor = actor_of_user(account, address=address_of(request), request_id=request_id_of(request))
    broken = admit_local(actor, settings.SWITCHYARD.local_sign_in, reason)
    login(request._request, account, backend="django.contrib.auth.backends.ModelBackend")
    if broken:
        request.session[EMERGENCY] = {"reason": reason.strip(), "at": timezone.now().isoformat()}
    by = message("by passkey") if how == "passkey" else NOTHING
    note_session(actor, "in", "done", reason=message("by break-glass") if broken else by)
    agent = request.headers.get("User-Agent", "")
    remember_session(actor, request.session.session_key, agent, "break-glass" if broken else how)
    return actor


def note_turned_away(request: Request, name: str, refused: Denied) -> None:
    """Write down that a sign-in was refused."""
    if isinstance(refused, SecondFactorRequired):
        return
    caller = Actor(ActorKind.USER, name, address=address_of(request), request_id=request_id_of(request))
    note_session(caller, "in", "denied", reason=refused.words)

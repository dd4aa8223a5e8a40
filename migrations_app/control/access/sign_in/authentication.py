"""Who asks: the bearer of a token, or the browser's session guarded against forged requests."""

from __future__ import annotations

from dataclasses import replace

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from migrations_app.control.access.commands.authenticate_token import authenticate_token
from migrations_app.control.access.queries.access import actor_of_user
from migrations_app.control.access.sign_in.activity import note_activity
from migrations_app.control.access.sign_in.attempts import count_bad_token
from migrations_app.control.access.sign_in.proof import proved_at
from migrations_app.domain.access import ANONYMOUS, Actor
from migrations_app.kernel.errors import Denied
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account
from migrations_app.web.callers import address_of, request_id_of


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer swy_…`; answers with the account and the actor it acts as."""

    def authenticate(self, request: Request) -> tuple[object, Actor] | None:
        """Find the actor of the token, if one was sent.

        Raises: Denied (`unauthenticated`), Busy (`too-many-requests`).
        """
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        address = address_of(request)
        return _bearer(secret, address, request_id_of(request))

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme, so that DRF answers 401."""
        return 'Bearer realm="switchyard"'


class BrowserSession(BaseAuthentication):
    """The session's account; requests that change something must carry the CSRF token."""

    def authenticate(self, request: Request) -> tuple[object, Actor] | None:
        """Find the actor of the session, if there is one.

        Raises: Denied (`csrf`).
        """
        user = getattr(request._request, "user", None)
        if user is None or isinstance(user, AnonymousUser) or not user.is_active:
            return None
        check_csrf(request)
        note_activity(request._request)
        actor = actor_of_user(user, address=address_of(request), request_id=request_id_of(request))
        return user, replace(actor, proved_at=proved_at(request._request))


class _Check(CsrfViewMiddleware):
    def _reject(self, request: object, reason: str) -> str:
        return reason


def check_csrf(request: Request) -> None:
    """Refuse a changing request that another site may have forged.

    Raises: Denied (`csrf`).
    """
    check = _Check(lambda _: None)  # type: ignore[arg-type]
    check.process_request(request._request)
    reason = check.process_view(request._request, _unused, (), {})
    if reason:
        raise Denied(
            message("The request could be forged: {reason}", reason=str(reason)),
            code="csrf",
            remedy=message("Reload the page and try again."),
        )


def _unused(*_: object) -> HttpResponse:
    raise NotImplementedError


def actor_of_http(request: HttpRequest) -> Actor:
    """Find who asks a plain view: the bearer of a token, else the signed-in account, else an empty actor.

    Raises: Denied (`unauthenticated`) for a token that is no good, Busy (`too-many-requests`) after many of them.
    """
    address, name = str(request.META.get("REMOTE_ADDR") or ""), str(getattr(request, "request_id", ""))
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return _bearer(secret, address, name)[1]
    user = getattr(request, "user", None)
    if user is None or isinstance(user, AnonymousUser) or not user.is_active:
        return ANONYMOUS
    return actor_of_user(user, address=address, request_id=name)


def _bearer(secret: str, address: str, request_id: str) -> tuple[Account, Actor]:
    """Find who bears a token. A good one is never kept out by bad ones from the same address."""
    try:
        return authenticate_token(secret.strip(), address=address, request_id=request_id)
    except Denied:
        count_bad_token(address)
        raise

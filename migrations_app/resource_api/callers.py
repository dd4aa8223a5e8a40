"""Who calls the resource API: the bearer of a token, or, for reads, the browser's session."""

from __future__ import annotations

import hashlib
import time
from http.cookies import CookieError, SimpleCookie
from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from migrations_app.actions.authenticate_token import authenticate_token
from migrations_app.domain.access import NOBODY, Actor
from migrations_app.queries.access import actor_of_user
from migrations_app.resource_api.requests import Request

# So long a token goes on working after it was revoked; and the data plane without the control database.
KEPT_SECONDS = 10.0
_MOST_KEPT = 10_000


class Callers:
    """Finds the actor of a request."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, Actor]] = {}

    def actor(self, request: Request, address: str = "") -> Actor:
        """Find who calls; nobody when nothing says so.

        Raises: Denied (`unauthenticated`).
        """
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self._bearer(secret.strip(), address)
        if request.method in ("GET", "HEAD"):
            return _session(request.headers.get("cookie", ""))
        return NOBODY

    def _bearer(self, secret: str, address: str) -> Actor:
        key = hashlib.sha256(f"{secret} {address}".encode()).hexdigest()
        kept = self._kept.get(key)
        if kept is not None and kept[0] > time.monotonic():
            return kept[1]
        _, actor = authenticate_token(secret, address=address)
        if len(self._kept) > _MOST_KEPT:
            self._kept.clear()
        self._kept[key] = (time.monotonic() + KEPT_SECONDS, actor)
        return actor


def _session(header: str) -> Actor:
    try:
        found = SimpleCookie(header).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return NOBODY
    if found is None:
        return NOBODY
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(found.value)
    user = get_user(request)
    if isinstance(user, AnonymousUser) or not user.is_active:
        return NOBODY
    return actor_of_user(user)

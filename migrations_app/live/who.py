"""Who opens a stream: the session's account, or the bearer of a token; and whether they still may."""

from __future__ import annotations

from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host

from migrations_app.control.access.commands.authenticate_token import authenticate_token
from migrations_app.control.access.queries.access import actor_of_user
from migrations_app.domain.access import ANONYMOUS, Actor
from migrations_app.kernel.errors import Denied


def actor_behind(headers: Mapping[str, str], address: str) -> Actor:
    """Find who opens a stream, from the tables; an empty one when the session or token is not valid (any more)."""
    actor = _actor_behind(headers, address)
    # Read here, where the database may be asked: a refusal names who can, and is written where it may not.
    actor.made()
    return actor


def _actor_behind(headers: Mapping[str, str], address: str) -> Actor:
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        try:
            return authenticate_token(secret.strip(), address=address)[1]
        except Denied:
            return ANONYMOUS
    key = _cookie(headers.get("cookie", ""), settings.SESSION_COOKIE_NAME)
    if not key:
        return ANONYMOUS
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = get_user(request)
    if not user.is_authenticated or not user.is_active:
        return ANONYMOUS
    return actor_of_user(user, address=address)


def origin_refusal(headers: Mapping[str, str], secure: bool) -> str:
    """Say why a browser's page of this origin may not open a socket, or nothing.

    A browser sends cookies with a socket that any page opens, so the origin must be ours. Who brings a token
    in a header, and no cookie, is no browser's page, and needs no origin.
    """
    origin = headers.get("origin", "")
    if not origin:
        has_token = headers.get("authorization", "").lower().startswith("bearer ")
        return "" if has_token and "cookie" not in headers else "The Origin header is missing."
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return ""
    host = headers.get("host", "")
    parts = urlsplit(origin)
    same = parts.netloc == host and parts.scheme in ({"https"} if secure else {"http", "https"})
    if same and validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return ""
    return f"The origin {origin} is not this console's."


def _cookie(text: str, name: str) -> str:
    try:
        found = SimpleCookie(text).get(name)
    except CookieError:
        return ""
    return found.value if found else ""

"""Browsers in which an account signed in before: a signed cookie tells them from those that only guess."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.utils.crypto import salted_hmac
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.access.sign_in.attempts import canonical_name

COOKIE = "switchyard_browser"
PATH = "/api/v1/session"
SALT = "switchyard.known-browser"
LASTS = timedelta(days=180)
MOST_ACCOUNTS = 5


def known_browser(request: Request, name: str) -> str:
    """Give the id of a browser in which the account of this name signed in before; empty for any other."""
    identity, accounts = _read(request)
    return identity if _mark(name) in accounts else ""


def remember_browser(request: Request, response: Response, name: str) -> None:
    """Let the browser show from now on that this account signed in there."""
    identity, accounts = _read(request)
    mark = _mark(name)
    kept = [mark, *(each for each in accounts if each != mark)][:MOST_ACCOUNTS]
    response.set_cookie(
        COOKIE,
        signing.dumps({"id": identity or secrets.token_hex(16), "accounts": kept}, salt=SALT),
        max_age=LASTS,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def _read(request: Request) -> tuple[str, list[str]]:
    try:
        content = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LASTS)
        return str(content["id"]), [str(each) for each in content["accounts"]]
    except (signing.BadSignature, KeyError, TypeError):
        return "", []


def _mark(name: str) -> str:
    return salted_hmac(SALT, canonical_name(name), algorithm="sha256").hexdigest()[:32]

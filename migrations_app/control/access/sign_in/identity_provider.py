"""Whether the identity provider answers: asked for by the sign-in page, seldom, and never for long."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from migrations_app.adapters.egress.sessions import EgressSession
from migrations_app.adapters.egress.sockets import named_destinations

KEPT_SECONDS = 15
ANSWER_SECONDS, SIGN_IN_SECONDS = 3.0, 5.0
WELL_KNOWN = "/.well-known/openid-configuration"


def providers_now() -> list[dict[str, Any]]:
    """Tell of each identity provider whether it answers, and since when it does not; null while unknown."""
    providers: Any = settings.SOCIALACCOUNT_PROVIDERS
    apps = providers["openid_connect"]["APPS"]
    return [{"id": app["provider_id"], **_state_of(app["settings"]["server_url"])} for app in apps]


def _state_of(server: str) -> dict[str, Any]:
    key = f"identity-provider:{server}"
    known: dict[str, Any] = cache.get(key) or {"answers": None, "since": None}
    # One caller asks; others meanwhile get what is known.
    if not cache.add(f"{key}:asked", True, KEPT_SECONDS):
        return known
    answers = _answers(server)
    since = None if answers else known["since"] or timezone.now().isoformat()
    found = {"answers": answers, "since": since}
    cache.set(key, found, None)
    return found


def provider_session(seconds: float = ANSWER_SECONDS) -> EgressSession:
    """Give a session for asking identity providers: at the issuer's own address, or anywhere public."""
    providers: Any = settings.SOCIALACCOUNT_PROVIDERS
    issuers = [app["settings"]["server_url"] for app in providers["openid_connect"]["APPS"]]
    return EgressSession(named_destinations(issuers), seconds)


def _answers(server: str) -> bool:
    address = server if "/.well-known/" in server else server.rstrip("/") + WELL_KNOWN
    try:
        with provider_session() as session:
            answer = session.get(address)
            return bool(answer.ok) and isinstance(answer.json(), dict)
    except (OSError, ValueError):
        return False

"""Who calls the resource API: the bearer of a token, or, for reads, the browser's session."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from migrations_app import wiring
from migrations_app.control.access.commands.authenticate_token import authenticate_token
from migrations_app.control.access.queries.access import actor_of_user
from migrations_app.domain.access import ANONYMOUS, Actor, Target
from migrations_app.domain.vouching import vouched
from migrations_app.kernel.errors import Denied, DeploymentMissing
from migrations_app.kernel.messages import message
from migrations_app.ports.regions.peers import Peer
from migrations_app.resource_api.addresses import address_of
from migrations_app.resource_api.exchange import READS, ResourceRequest

# So long a token goes on working after it was revoked; and the data plane without the control database.
KEPT_SECONDS = 10.0
_MOST_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Calling:
    """Who calls; `via` is the deployment that handed the request on and vouches for them."""

    actor: Actor
    via: Peer | None = None


class Callers:
    """Finds the actor of a request."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, Actor]] = {}

    def calling(self, request: ResourceRequest, address: str = "") -> Calling:
        """Find who calls; an empty actor when nothing says so.

        Raises: Denied (`unauthenticated`, `service-token`).
        """
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        secret = secret.strip()
        if scheme.lower() == "bearer":
            if wiring.service_tokens().recognizes(secret):
                return _handed_on(request, secret, address)
            return Calling(self._bearer(secret, address))
        if request.method in READS:
            return Calling(_session(request.headers.get("cookie", "")))
        return Calling(ANONYMOUS)

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


def _handed_on(request: ResourceRequest, token: str, address: str) -> Calling:
    """Take a peer's word for who asks; only regions of one service trust each other so far."""
    place = address_of(request.path)
    target = Peer(place.service, place.region)
    if not settings.SWITCHYARD.serves(target.region):
        raise DeploymentMissing(message("{deployment} is not served here.", deployment=target.deployment))
    caller = wiring.service_tokens().check(token, target, request.method, request.path)
    if caller.peer.service != target.service:
        raise Denied(
            message("{deployment} may not write here.", deployment=caller.peer.deployment),
            code="service-token",
        )
    bound = Target("deployment", service=target.service, region=target.region)
    return Calling(vouched(caller.on_behalf, bound, address), caller.peer)


def _session(header: str) -> Actor:
    try:
        found = SimpleCookie(header).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return ANONYMOUS
    if found is None:
        return ANONYMOUS
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(found.value)
    user = get_user(request)
    if isinstance(user, AnonymousUser) or not user.is_active:
        return ANONYMOUS
    return actor_of_user(user)

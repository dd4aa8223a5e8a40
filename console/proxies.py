"""Headers of proxies: believed from the addresses that a setting lists, and taken away from everybody else's requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from ipaddress import ip_address
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]

FORWARDED = frozenset({b"forwarded", b"x-real-ip"})
PREFIX = b"x-forwarded-"


class TrustedProxies:
    """Puts the caller's address and scheme in place of the proxy's, where the connection comes from a listed proxy.

    Everything behind goes by `client` and `scheme` of the request alone: networks of tokens, limits, the ledger,
    secure cookies and the redirect to https. So a header that an unlisted peer sends can meet none of them.
    """

    def __init__(self, application: Application, proxies: tuple[str, ...]) -> None:
        self._application = application
        self._proxies = ProxyHeadersMiddleware(self._forward, list(proxies))

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Answer a request of a proxy or of anybody else."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
            return
        peer = scope.get("client")
        if peer is not None and peer[0] in self._proxies.trusted_hosts:
            await self._proxies({**scope, "peer": peer}, receive, send)
        else:
            await self._forward({**scope, "peer": peer}, receive, send)

    async def _forward(self, scope: Any, receive: Any, send: Any) -> None:
        peer = scope.pop("peer")
        if peer is not None and not _is_address(scope["client"][0]):
            scope["client"] = peer
        scope["headers"] = [
            (name, value)
            for name, value in scope["headers"]
            if not name.lower().startswith(PREFIX) and name.lower() not in FORWARDED
        ]
        await self._application(scope, receive, send)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True

"""Host names of deployments: `https://secrets.eu.example.com/v1/…` for `/apis/{region}/{service}/v1/…`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

from django.db import connections

from migrations_app.control.registry.queries.domains import hosts
from migrations_app.kernel.unexpected_errors import UNEXPECTED

KEPT_SECONDS = 5.0
Scope = MutableMapping[str, Any]
Known = Mapping[str, tuple[tuple[str, str], frozenset[str]]]


class Hosts:
    """Knows the host names, and asks for them again now and then.

    An address is taken only when it begins with a version of the host's service, so that a domain that is
    also the console's takes nothing away from it.
    """

    def __init__(
        self, read: Callable[[], Known] = hosts, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._read, self._now = read, now
        self._known: Known = {}
        self._until = float("-inf")

    async def path(self, scope: Scope) -> str | None:
        """Give the address below `/apis/` that a request to a deployment's own host means; None for others."""
        raw = scope.get("raw_path") or scope["path"].encode()
        path = str(raw.decode("latin-1")).partition("?")[0]
        version = path.split("/", 2)[1] if path.startswith("/") and "/" in path[1:] else ""
        if not version.startswith("v"):
            return None
        host = next((value for key, value in scope["headers"] if key == b"host"), b"").decode("latin-1")
        if self._until < self._now():
            # Set first: what comes meanwhile goes by what is known.
            self._until = self._now() + KEPT_SECONDS
            self._known = await asyncio.to_thread(self._asked)
        name = host.lower().removesuffix(".") if host.endswith("]") else host.lower().partition(":")[0]
        place, versions = self._known.get(name.rstrip("."), (("", ""), frozenset()))
        return f"/apis/{place[0]}/{place[1]}{path}" if version in versions else None

    def _asked(self) -> Known:
        try:
            return self._read()
        except Exception:
            # Without the control database what was known goes on.
            UNEXPECTED.note("reading which hosts serve")
            return self._known
        finally:
            connections.close_all()

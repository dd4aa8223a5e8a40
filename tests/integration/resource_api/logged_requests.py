"""What the tests of the logs share: requests over HTTP, and the logs as the API shows them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from rest_framework.test import APIClient

from migrations_app import wiring
from migrations_app.resource_api.app import by_prefix
from tests.factories.access import client_of, make_account, token_of
from tests.factories.notes import end_notes
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard

LOGS = f"/api/v1/deployments/{SERVICE}/{REGION}"
ENC_DATA = "c2VzYW1lLW9wZW4="
"""A sensitive value, as clients send it."""


@dataclass
class LoggedRequests:
    """Clients of one deployment, and one of the console."""

    ports: Yard
    console: APIClient

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        version: str = "v1alpha2",
        account: str = "olga",
        **headers: str,
    ) -> httpx.Response:
        """Make one request over HTTP."""
        named = {key.replace("_", "-"): value for key, value in headers.items()}

        async def _sent() -> httpx.Response:
            transport = httpx.ASGITransport(app=by_prefix(None))
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                address = f"/apis/{REGION}/{SERVICE}/{version}/{path}"
                token = {"Authorization": f"Bearer {_tokens[account]}"}
                return await client.request(method, address, json=body, headers={**token, **named})

        return asyncio.run(_sent())

    def listed(self, log: str, **filters: Any) -> list[dict[str, Any]]:
        """List the entries of a log."""
        answer = self.console.get(f"{LOGS}/{log}", filters)
        assert answer.status_code == 200, answer.json()
        items: list[dict[str, Any]] = answer.json()["items"]
        return items


_tokens: dict[str, str] = {}


@contextmanager
def logged_requests(ports: Yard) -> Iterator[LoggedRequests]:
    """Serve a deployment to two accounts, `olga` and `billing`; `vera` looks at the logs."""
    wiring.resource_servers.cache_clear()
    wiring.open_sessions.cache_clear()
    for name in ("olga", "billing"):
        make_account(name, "operator")
        _tokens[name] = token_of(name)
    try:
        yield LoggedRequests(ports, client_of("vera", "operator"))
    finally:
        end_notes()
        wiring.resource_servers.cache_clear()
        wiring.databases().close(ports.database)

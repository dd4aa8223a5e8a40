"""A far end that answers as a script says, for both clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import httpx
import pytest

from switchyard_client import AsyncClient, Client, RetryPolicy

Step = httpx.Response | Exception
QUICK = RetryPolicy(attempts=3, first_delay_seconds=0.001)


def answer(status: int, body: object = None, **headers: str) -> httpx.Response:
    """Make an answer of JSON; `retry_after` becomes Retry-After."""
    kind = "application/json" if status < 400 else "application/problem+json"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content = b"" if body is None else json.dumps(body).encode()
    return httpx.Response(status, headers={"content-type": kind, **named}, content=content)


def problem(status: int, code: str, **more: Any) -> dict[str, Any]:
    """Write a problem document."""
    return {"status": status, "code": code, "detail": f"It is {code}.", "remedy": "Ask again.", **more}


class Script(httpx.MockTransport):
    """Answers one step after the other, and keeps what was asked."""

    def __init__(self, steps: Iterable[Step]) -> None:
        super().__init__(self._answer)
        self.steps = list(steps)
        self.requests: list[httpx.Request] = []

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step


Call = Callable[[Any], Any]


class Caller:
    """Calls one of the two clients, so that a test holds for both."""

    def __init__(self, asynchronous: bool) -> None:
        self._asynchronous = asynchronous

    def __call__(
        self, script: Script, call: Call, retries: RetryPolicy = QUICK, most: int | None = None
    ) -> Any:
        """Call something of a client, and give what comes of it; an iterator is read for `most` items, or to its end."""
        if self._asynchronous:
            return asyncio.run(self._awaited(script, call, retries, most))
        with Client("http://console", "swy_x", retries=retries, transport=script) as client:
            found = call(client)
            return list(islice(found, most)) if hasattr(found, "__next__") else found

    async def _awaited(self, script: Script, call: Call, retries: RetryPolicy, most: int | None) -> Any:
        async with AsyncClient("http://console", "swy_x", retries=retries, transport=script) as client:
            found = call(client)
            if not hasattr(found, "__anext__"):
                return await found
            items: list[Any] = []
            async for item in found:
                items.append(item)
                if len(items) == most:
                    break
            return items


@pytest.fixture(params=[False, True], ids=["waiting", "awaited"])
def call(request: pytest.FixtureRequest) -> Caller:
    """Calls one client, and then the other."""
    return Caller(request.param)

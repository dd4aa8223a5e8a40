"""Serves the web process with its bounds: `python -m console.web_server --host 0.0.0.0 --port 8000`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import suppress
from types import FrameType

import uvicorn

from console.env import Env, current_env
from console.http_protocol import bounded_http

TICK_SECONDS = 1.0
"""So often the date of answers is renewed; the server of the library wakes up ten times as often."""


class WebServer(uvicorn.Server):  # type: ignore[misc]
    """A server that sleeps while nothing is asked of it, and ends at once when a signal asks it to."""

    _loop: asyncio.AbstractEventLoop | None = None
    _ending: asyncio.Event

    async def main_loop(self) -> None:
        """Renew the date, until the server is to end."""
        self._ending = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), TICK_SECONDS)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Note the signal, and wake the loop: a signal by itself does not end its sleep."""
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._ending.set)


def server_of(env: Env, *, host: str = "127.0.0.1", port: int = 8000, grace_seconds: int = 5) -> WebServer:
    """Make the server of the web process; who may forward requests is decided by the application."""
    return WebServer(
        uvicorn.Config(
            "console.asgi:application",
            host=host,
            port=port,
            http=bounded_http(env),
            access_log=False,
            log_level="warning",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=grace_seconds,
        )
    )


def main() -> None:
    """Serve until a signal."""
    parser = argparse.ArgumentParser(prog="python -m console.web_server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on; 0 takes a free one")
    parser.add_argument("--grace", type=int, default=5, help="seconds that requests under way get at the end")
    given = parser.parse_args()
    server = server_of(current_env(), host=given.host, port=given.port, grace_seconds=given.grace)
    server.run()
    if not server.started:
        sys.exit(3)


if __name__ == "__main__":
    main()

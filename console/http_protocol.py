"""HTTP connections of the web process, bounded in number and in the time that a request may take to arrive."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from console.env import Env

_PHRASES = {408: "Request Timeout", 503: "Service Unavailable"}


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's protocol with a deadline for the headers, one for the body, and a number of connections.

    uvicorn bounds only the pause between two requests; half a request stays open for as long as its sender likes.
    """

    header_seconds: ClassVar[float] = 10.0
    body_seconds: ClassVar[float] = 30.0
    most_connections: ClassVar[int] = 1000

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._deadline: asyncio.TimerHandle | None = None
        self._reads_body = False

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Take a connection, or refuse it when there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.most_connections:
            self._end(503, "There are too many connections; try again in a moment.")
        else:
            self._wait(reads_body=False)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline with the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Begin to wait for the headers of a request."""
        super().on_message_begin()
        if self._deadline is None:
            self._wait(reads_body=False)

    def on_headers_complete(self) -> None:
        """Begin to wait for the body of a request."""
        self._wait(reads_body=True)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """End the wait: the request is here."""
        self._stop_waiting()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the protocol of sockets, which has deadlines of its own."""
        self._stop_waiting()
        super().handle_websocket_upgrade()

    def _wait(self, *, reads_body: bool) -> None:
        self._stop_waiting()
        self._reads_body = reads_body
        seconds = self.body_seconds if reads_body else self.header_seconds
        self._deadline = self.loop.call_later(seconds, self._is_late)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _is_late(self) -> None:
        self._deadline = None
        if self.transport.is_closing():
            return
        if self.flow.read_paused:
            # The application has not taken what came so far; the sender is not to blame.
            self._wait(reads_body=self._reads_body)
            return
        what, seconds = ("body", self.body_seconds) if self._reads_body else ("headers", self.header_seconds)
        self._end(408, f"The {what} of the request did not arrive within {seconds:g} seconds.")

    def _end(self, status: int, sentence: str) -> None:
        cycle = self.cycle
        is_answering = cycle is not None and cycle.response_started and not cycle.response_complete
        if not is_answering:
            body = sentence.encode()
            lines = (
                f"HTTP/1.1 {status} {_PHRASES[status]}",
                "content-type: text/plain; charset=utf-8",
                f"content-length: {len(body)}",
                "retry-after: 1",
                "connection: close",
            )
            self.transport.write("\r\n".join((*lines, "", "")).encode() + body)
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.close()


def bounded_http(env: Env) -> type[BoundedHttp]:
    """Give the protocol with the bounds of these settings."""
    bounds = {
        "header_seconds": env.header_seconds,
        "body_seconds": env.body_seconds,
        "most_connections": env.connections,
    }
    return type("ConfiguredHttp", (BoundedHttp,), bounds)

"""A small HTTP server for the methods of a service: a thread for each connection, streams as they come."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from migrations_app.kernel import json
from migrations_app.kernel.json import JsonObject
from switchyard_sdk.methods import MethodAnswer, MethodServer

MOST_BYTES = 16 * 1024 * 1024
SILENCE_SECONDS = 65.0
Page = Callable[[], JsonObject]

log = logging.getLogger(__name__)


class MethodHttpServer(ThreadingHTTPServer):
    """Serves methods, and pages of one's own such as `/status`, until it is shut down."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], methods: MethodServer, pages: Mapping[str, Page]) -> None:
        self.methods, self.pages = methods, pages
        super().__init__(address, _Exchange)


def serve(
    methods: MethodServer, host: str, port: int, *, pages: Mapping[str, Page] | None = None
) -> MethodHttpServer:
    """Listen at an address, port 0 for a free one; `serve_forever` of the result answers requests.

    `pages` answer GET requests without a token, by path.
    """
    return MethodHttpServer((host, port), methods, pages or {})


class _Exchange(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    timeout = SILENCE_SECONDS
    server: MethodHttpServer

    def do_GET(self) -> None:
        """Answer a page, or a method that is called by GET."""
        parts = urlsplit(self.path)
        page = self.server.pages.get(parts.path)
        self._send(MethodAnswer(200, json.encode(page())) if page else self._answer(b""))

    def do_POST(self) -> None:
        """Answer a method."""
        size = self.headers.get("content-length", "0")
        if not size.isdigit() or int(size) > MOST_BYTES:
            problem: JsonObject = {
                "code": "body-size",
                "detail": "The body is too large, or its length is missing.",
            }
            self.close_connection = True
            self._send(MethodAnswer(413, json.encode(problem)))
            return
        self._send(self._answer(self.rfile.read(int(size))))

    do_PUT = do_PATCH = do_DELETE = do_POST

    def log_message(self, format: str, *args: object) -> None:
        """Log requests as the service logs everything."""
        log.debug(format, *args)

    def _answer(self, body: bytes) -> MethodAnswer:
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        return self.server.methods.answer(self.command, parts.path, parts.query, headers, body)

    def _send(self, answer: MethodAnswer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        if answer.lines is None:
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)
            return
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self._send_lines(answer.lines)

    def _send_lines(self, lines: Iterable[bytes]) -> None:
        """Send a stream; one that fails is cut without its end, which the receiver sees."""
        try:
            for line in lines:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
                self.wfile.flush()
        except Exception:
            log.exception("a stream failed")
            self.close_connection = True
            return
        self.wfile.write(b"0\r\n\r\n")

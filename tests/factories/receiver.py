"""A small HTTP server that receives webhooks and answers as the test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """What arrived, and the statuses still to be answered (then 204)."""

    url: str = ""
    answers: list[int] = field(default_factory=list)
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def bodies(self) -> list[dict[str, Any]]:
        """Read what arrived."""
        return [json.loads(body) for _, body in self.received]


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Run a receiver."""
    found = Receiver()

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.received.append((dict(self.headers.items()), body))
            self.send_response(found.answers.pop(0) if found.answers else 204)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_PUT = do_POST

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    found.url = f"http://127.0.0.1:{server.server_port}/in"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""A small HTTP server of a service that answers its custom methods itself."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from migrations_app.kernel.json import Json, JsonObject


@dataclass
class MethodBackend:
    """What arrived, and what is answered: a status, a body or the lines of a stream, and after how many seconds."""

    url: str = ""
    status: int = 200
    body: Json = field(default_factory=dict)
    lines: list[Json] | None = None
    seconds: float = 0.0
    received: list[tuple[str, dict[str, str], JsonObject]] = field(default_factory=list)


@contextmanager
def method_backend() -> Iterator[MethodBackend]:
    """Run a backend."""
    backend = MethodBackend()

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {key.lower(): value for key, value in self.headers.items()}
            backend.received.append((self.path, headers, sent))
            time.sleep(backend.seconds)
            bodies = [backend.body] if backend.lines is None else backend.lines
            data = b"\n".join(json.dumps(each).encode() for each in bodies)
            self.send_response(backend.status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    backend.url = f"http://127.0.0.1:{server.server_port}/tasks"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield backend
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

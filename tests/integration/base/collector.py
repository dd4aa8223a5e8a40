"""A collector of traces and a receiver of errors for tests: real HTTP servers that keep what they are sent."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass(frozen=True, slots=True)
class ReceivedSpan:
    """A span as a collector receives it; ids in hexadecimal."""

    service: str
    name: str
    trace: str
    id: str
    parent: str
    links: tuple[str, ...]
    attributes: dict[str, str]
    failed: bool


@dataclass
class Received:
    """What was sent to a server, each body unpacked, with the headers of its request."""

    url: str
    bodies: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def spans(self) -> list[ReceivedSpan]:
        """Read all spans received so far."""
        return [span for _, body in list(self.bodies) for span in _spans(body)]


@contextmanager
def receiver() -> Iterator[Received]:
    """Serve on a free port of this machine."""

    class _Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            unpacked = gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body
            received.bodies.append(({key.lower(): value for key, value in self.headers.items()}, unpacked))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        received = Received(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield received
        finally:
            server.shutdown()
            thread.join()


def _spans(body: bytes) -> Iterator[ReceivedSpan]:
    for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        names = {one.key: one.value.string_value for one in resource.resource.attributes}
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield ReceivedSpan(
                    names["service.name"],
                    span.name,
                    span.trace_id.hex(),
                    span.span_id.hex(),
                    span.parent_span_id.hex(),
                    tuple(link.trace_id.hex() for link in span.links),
                    {one.key: str(_value(one.value)) for one in span.attributes},
                    span.status.code == 2,
                )


def _value(value: object) -> object:
    return getattr(value, str(value.WhichOneof("value")))  # type: ignore[attr-defined]

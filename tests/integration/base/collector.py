"""A collector of traces and logs and a receiver of errors for tests: real HTTP servers that keep what they are sent."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
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


@dataclass(frozen=True, slots=True)
class ReceivedLine:
    """A line of a log as a collector receives it; ids in hexadecimal."""

    service: str
    severity: str
    text: str
    trace: str
    span: str


@dataclass
class Received:
    """What was sent to a server, each body unpacked, with the headers of its request and its path among them."""

    url: str
    bodies: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def spans(self) -> list[ReceivedSpan]:
        """Read all spans received so far."""
        return [span for body in self._sent_to("/v1/traces") for span in _spans(body)]

    def lines(self) -> list[ReceivedLine]:
        """Read all lines of logs received so far."""
        return [line for body in self._sent_to("/v1/logs") for line in _lines(body)]

    def _sent_to(self, path: str) -> list[bytes]:
        return [body for headers, body in list(self.bodies) if headers[":path"] == path]


@contextmanager
def receiver() -> Iterator[Received]:
    """Serve on a free port of this machine."""

    class _Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            unpacked = gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body
            headers = {key.lower(): value for key, value in self.headers.items()}
            received.bodies.append((headers | {":path": self.path}, unpacked))
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


def below(spans: list[ReceivedSpan], top: ReceivedSpan) -> list[ReceivedSpan]:
    """Give the spans inside of a span, at any depth."""
    inside, ids = list[ReceivedSpan](), {top.id}
    while more := [span for span in spans if span.parent in ids and span not in inside]:
        inside += more
        ids = {span.id for span in more}
    return inside


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


def _lines(body: bytes) -> Iterator[ReceivedLine]:
    for resource in ExportLogsServiceRequest.FromString(body).resource_logs:
        names = {one.key: one.value.string_value for one in resource.resource.attributes}
        for scope in resource.scope_logs:
            for record in scope.log_records:
                yield ReceivedLine(
                    names["service.name"],
                    record.severity_text,
                    record.body.string_value,
                    record.trace_id.hex(),
                    record.span_id.hex(),
                )


def _value(value: object) -> object:
    return getattr(value, str(value.WhichOneof("value")))  # type: ignore[attr-defined]

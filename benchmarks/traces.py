"""The traces of one upgrade as a picture: `python -m benchmarks.traces [FILE] [--resources 2000] [--example cloud-tasks]`.

Plays the demo on an installation of its own that sends its traces to this process, and draws the first upgrade as SVG
into FILE (benchmarks/results/trace.svg): above all slices of work of its trace with the actions that were asked for,
below what the switch consisted of, statement by statement.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from benchmarks.trace_picture import CollectedSpan, picture
from console.embedded.commands import COMMAND
from console.env import ROOT

FILE = ROOT / "benchmarks" / "results" / "trace.svg"


def read_spans(body: bytes) -> Iterator[CollectedSpan]:
    """Read what one request of an exporter brings."""
    for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield CollectedSpan(
                    span.name,
                    span.trace_id.hex(),
                    span.span_id.hex(),
                    span.parent_span_id.hex(),
                    span.start_time_unix_nano / 1e9,
                    span.end_time_unix_nano / 1e9,
                    tuple(link.trace_id.hex() for link in span.links),
                    {entry.key: entry.value.string_value for entry in span.attributes},
                )


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """Take traces over OTLP/HTTP; give the address and what has come."""
    bodies: list[bytes] = []

    class _Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.path == "/v1/traces":
                packed = self.headers.get("content-encoding") == "gzip"
                bodies.append(gzip.decompress(body) if packed else body)
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", bodies
        finally:
            server.shutdown()
            thread.join()


def main() -> int:
    """Play, collect and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=FILE)
    parser.add_argument("--resources", default="2000")
    parser.add_argument("--example", default="cloud-tasks")
    options = parser.parse_args()
    demo = [*COMMAND, "demo", "--example", options.example, "--resources", options.resources]
    with collector() as (url, bodies):
        environment = os.environ | {"SWITCHYARD_OTLP_URL": url}
        played = subprocess.run([*demo, "--writes-per-second", "20"], cwd=ROOT, env=environment, check=False)
    spans = [span for body in bodies for span in read_spans(body)]
    if not any(span.name.startswith("reconcile ") for span in spans):
        print("No worker sent traces.", file=sys.stderr)
        return 1
    options.file.parent.mkdir(parents=True, exist_ok=True)
    options.file.write_text(picture(spans))
    print(f"{len(spans)} spans; the first upgrade is drawn in {options.file}")
    return played.returncode


if __name__ == "__main__":
    sys.exit(main())

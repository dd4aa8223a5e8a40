"""Traces sent to an OpenTelemetry collector over OTLP/HTTP; names follow the OpenTelemetry semantic conventions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry import context as otel_context
from opentelemetry import trace as otel_trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import Link, NonRecordingSpan, Span, SpanContext, Status, StatusCode, TraceFlags
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from migrations_app.adapters.databases import Connection
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.tracing import Attribute, OpenSpan, SpanKind, Tracer

_KINDS = {
    SpanKind.INTERNAL: otel_trace.SpanKind.INTERNAL,
    SpanKind.SERVER: otel_trace.SpanKind.SERVER,
    SpanKind.CLIENT: otel_trace.SpanKind.CLIENT,
}
_PROPAGATOR = TraceContextTextMapPropagator()


class RecordedSpan(OpenSpan):
    """`kernel.tracing.OpenSpan` over a span of OpenTelemetry."""

    def __init__(self, span: Span) -> None:
        self._span = span

    def set(self, name: str, value: Attribute) -> None:
        """Set an attribute."""
        self._span.set_attribute(name, value)

    def rename(self, name: str) -> None:
        """Give it another name."""
        self._span.update_name(name)

    def fail(self, reason: str) -> None:
        """Mark the work as failed."""
        self._span.set_attribute("error.type", reason)
        self._span.set_status(Status(StatusCode.ERROR))


class OpenTelemetryTracer(Tracer):
    """`kernel.tracing.Tracer` that exports its spans in batches, by a thread of its own.

    `share` of the traces that begin here are exported (0 to 1); those that a caller began are exported when the caller
    exports them, those of upgrades always. A collector that does not answer costs spans, never requests: what finds no
    room in the queue is dropped.
    """

    def __init__(
        self, url: str, *, share: float, resource: Mapping[str, str], headers: Mapping[str, str]
    ) -> None:
        self._provider = TracerProvider(
            resource=Resource.create(dict(resource)), sampler=ParentBased(TraceIdRatioBased(share))
        )
        exporter = OTLPSpanExporter(f"{url.rstrip('/')}/v1/traces", headers=dict(headers), timeout=5)
        self._provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=1000))
        self._tracer = self._provider.get_tracer("switchyard")

    @contextmanager
    def span(
        self,
        name: str,
        attributes: Mapping[str, Attribute],
        *,
        kind: SpanKind = SpanKind.INTERNAL,
        headers: Mapping[str, str] | None = None,
        trace: str = "",
        link: str = "",
    ) -> Iterator[OpenSpan]:
        """Open a span for a block."""
        parent = self._parent(headers, trace)
        with self._tracer.start_as_current_span(
            name,
            parent,
            kind=_KINDS[kind],
            attributes=dict(attributes),
            links=[Link(context_of(link))] if link else (),
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            recorded = RecordedSpan(span)
            try:
                yield recorded
            except BaseException as error:
                recorded.fail(error.code if isinstance(error, SwitchyardError) else type(error).__name__)
                raise

    def headers(self) -> Mapping[str, str]:
        """Give the W3C headers of the span around this line."""
        carrier: dict[str, str] = {}
        _PROPAGATOR.inject(carrier)
        return carrier

    def ids(self) -> tuple[str, str]:
        """Give the ids of the span around this line."""
        found = otel_trace.get_current_span().get_span_context()
        if not found.is_valid:
            return "", ""
        return f"{found.trace_id:032x}", f"{found.span_id:016x}"

    def close(self) -> None:
        """Export what is left, for a few seconds at most."""
        self._provider.shutdown()

    @staticmethod
    def _parent(headers: Mapping[str, str] | None, name: str) -> otel_context.Context | None:
        if headers and headers.get("traceparent"):
            sent = {key: headers[key] for key in ("traceparent", "tracestate") if headers.get(key)}
            return _PROPAGATOR.extract(sent)
        if name:
            return otel_trace.set_span_in_context(NonRecordingSpan(context_of(name)))
        return None


def trace_data_statements() -> None:
    """Have the connections to data databases that this process opens from now on make spans."""
    Connection.traced = True


def context_of(name: str) -> SpanContext:
    """Give the trace that a name stands for: the same in all processes, so that what they do for it is found together."""
    digest = hashlib.sha256(name.encode()).digest()
    return SpanContext(
        int.from_bytes(digest[:16]), int.from_bytes(digest[16:24]), is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )  # fmt: skip

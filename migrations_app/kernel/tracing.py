"""Spans: what a piece of work took, in which trace, where traces are exported. Without an exporter they cost nothing.

A span changes nothing of what is done. Its attributes hold names, keys and counts: no documents, no parameters of
statements, nothing that a client sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from enum import Enum
from typing import Protocol

Attribute = str | int | float | bool


class SpanKind(Enum):
    """Which side of a call a span is about."""

    INTERNAL = "internal"
    SERVER = "server"
    CLIENT = "client"


class OpenSpan(Protocol):
    """A span that has not ended."""

    def set(self, name: str, value: Attribute) -> None:
        """Set an attribute."""
        ...

    def rename(self, name: str) -> None:
        """Give it another name, which is known only now."""
        ...

    def fail(self, reason: str) -> None:
        """Mark the work as failed; `reason` is an error code or the name of a class, not a message."""
        ...


class Tracer(Protocol):
    """Makes spans."""

    def span(
        self,
        name: str,
        attributes: Mapping[str, Attribute],
        *,
        kind: SpanKind = SpanKind.INTERNAL,
        headers: Mapping[str, str] | None = None,
        trace: str = "",
        link: str = "",
    ) -> AbstractContextManager[OpenSpan]:
        """Open a span for a block.

        It continues the trace named by the `traceparent` of `headers`, or else the one trace of all processes that
        `trace` names, or else that of the span around it; with none of them it begins a trace. `link` names a trace that it is shown with. An exception marks it as failed.
        """
        ...

    def headers(self) -> Mapping[str, str]:
        """Give the headers (W3C Trace Context) that let the receiver of a request continue the trace."""
        ...

    def ids(self) -> tuple[str, str]:
        """Give the ids of the trace and of the span around this line, in hexadecimal; empty outside of any."""
        ...


class _NoSpan:
    def set(self, name: str, value: Attribute) -> None:
        """Do nothing."""

    def rename(self, name: str) -> None:
        """Do nothing."""

    def fail(self, reason: str) -> None:
        """Do nothing."""


class NoTracer:
    """`Tracer` for processes that export no traces."""

    def span(
        self,
        name: str,
        attributes: Mapping[str, Attribute],
        *,
        kind: SpanKind = SpanKind.INTERNAL,
        headers: Mapping[str, str] | None = None,
        trace: str = "",
        link: str = "",
    ) -> AbstractContextManager[OpenSpan]:
        """Open no span."""
        return _NOTHING

    def headers(self) -> Mapping[str, str]:
        """Give none."""
        return {}

    def ids(self) -> tuple[str, str]:
        """Give none."""
        return "", ""


_NOTHING: AbstractContextManager[OpenSpan] = nullcontext(_NoSpan())
_tracer: Tracer = NoTracer()


def tracer() -> Tracer:
    """Give the tracer of this process."""
    return _tracer


def use_tracer(chosen: Tracer) -> None:
    """Set the tracer of this process, once, when it starts."""
    global _tracer
    _tracer = chosen


def trace_of_upgrade(upgrade: str) -> str:
    """Name the trace of an upgrade, for `Tracer.span`."""
    return f"upgrade:{upgrade}"

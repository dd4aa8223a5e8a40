"""The span of each request of the console and of its API, in the trace that the caller names."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

from migrations_app.kernel.tracing import OpenSpan, SpanKind, tracer

SENT = ("traceparent", "tracestate")


@sync_and_async_middleware
def request_spans(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Open a span for each request."""
    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponse:
            with _span_of(request) as span:
                response: HttpResponse = await get_response(request)
                _describe(span, request, response)
            return response

        return asynchronous

    def synchronous(request: HttpRequest) -> HttpResponse:
        with _span_of(request) as span:
            response: HttpResponse = get_response(request)
            _describe(span, request, response)
        return response

    return synchronous


def _span_of(request: HttpRequest) -> AbstractContextManager[OpenSpan]:
    sent = {name: request.headers[name] for name in SENT if name in request.headers}
    return tracer().span(str(request.method), {}, kind=SpanKind.SERVER, headers=sent)


def _describe(span: OpenSpan, request: HttpRequest, response: HttpResponse) -> None:
    match = request.resolver_match
    if match is not None:
        # The pattern of the address and not the address: a path may name what its reader may not see.
        span.rename(f"{request.method} /{match.route}")
        span.set("http.route", f"/{match.route}")
    span.set("http.request.method", str(request.method))
    span.set("http.response.status_code", response.status_code)
    span.set("switchyard.request_id", str(getattr(request, "request_id", "")))
    if response.status_code >= 500:
        span.fail(str(response.status_code))

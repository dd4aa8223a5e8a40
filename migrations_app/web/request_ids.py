"""Gives every request an id, which answers, logs, operations and the ledger all show."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

import structlog
from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

HEADER = "X-Request-ID"
FORM = re.compile(r"[A-Za-z0-9._:-]{1,64}")


def request_id_from(sent: str) -> str:
    """Take the id that a caller gave its request if it is well formed, or make one."""
    return sent if FORM.fullmatch(sent) else uuid.uuid4().hex


@sync_and_async_middleware
def request_ids(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Take the caller's X-Request-ID if it is well formed, or make one; and send it back."""

    def id_of_request(request: HttpRequest) -> str:
        found = request_id_from(request.headers.get(HEADER, ""))
        request.request_id = found  # type: ignore[attr-defined]
        return found

    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponse:
            name = id_of_request(request)
            with structlog.contextvars.bound_contextvars(request_id=name):
                response: HttpResponse = await get_response(request)
            response[HEADER] = name
            return response

        return asynchronous  # type: ignore[return-value]

    def synchronous(request: HttpRequest) -> HttpResponse:
        name = id_of_request(request)
        with structlog.contextvars.bound_contextvars(request_id=name):
            response = get_response(request)
        response[HEADER] = name
        return response

    return synchronous

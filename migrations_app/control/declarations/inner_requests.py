"""Requests that are carried out inside another one: each by its own address, with the permissions of who asks."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, QueryDict
from django.urls import Resolver404, resolve
from rest_framework.response import Response

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message

METHODS = ("PUT", "POST", "DELETE")
ADDRESSES: Mapping[str, tuple[str, ...]] = {
    "/api/v1/windows/{name}": ("PUT", "DELETE"),
    "/api/v1/policies/{name}": ("PUT", "DELETE"),
    "/api/v1/access/roles/{role}": ("PUT", "DELETE"),
    "/api/v1/access/bindings": ("PUT",),
    "/api/v1/access/bindings/{id}": ("PUT", "DELETE"),
    "/api/v1/hooks/by-name/{name}": ("PUT",),
    "/api/v1/hooks/{id}": ("PUT", "DELETE"),
    "/api/v1/services": ("POST",),
    "/api/v1/deployments/{service}/{region}": ("PUT", "DELETE"),
    "/api/v1/rollouts": ("POST",),
    "/api/v1/rollouts/{id}": ("DELETE",),
    "/api/v1/declared-sets/{owner}": ("PUT",),
    "/meta/v1/regions/{region}": ("PUT", "DELETE"),
    "/meta/v1/services/{service}": ("PUT", "DELETE"),
    "/meta/v1/services/{service}/deployments/{region}": ("PUT", "DELETE"),
}
"""The addresses of declared objects, with the methods that write them; nothing else is written inside another request."""
_KNOWN = "; ".join(f"{' or '.join(methods)} {address}" for address, methods in ADDRESSES.items())
OWN_HEADERS = ("HTTP_IDEMPOTENCY_KEY", "HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH", "HTTP_CONTENT_ENCODING")
FROM_MIDDLEWARE = ("session", "user", "request_id", "csrf_processing_done", "_dont_enforce_csrf_checks")


@dataclass(frozen=True, slots=True)
class InnerRequest:
    """One write: its address with parameters, its body and its conditions."""

    method: str
    path: str
    body: Json = None
    if_match: str = ""
    if_none_match: str = ""


def is_declared(method: str, path: str) -> bool:
    """Tell whether a method of an address writes a declared object."""
    return any(method in methods and _fits(path, address) for address, methods in ADDRESSES.items())


def _fits(path: str, address: str) -> bool:
    """Tell whether a path is an address with its names filled in; a colon begins the name of another method."""
    segments, known = path.split("/"), address.split("/")
    return len(segments) == len(known) and all(
        bool(segment) and ":" not in segment if place.startswith("{") else segment == place
        for segment, place in zip(segments, known, strict=True)
    )


def send_inner(outer: HttpRequest, asked: InnerRequest) -> Response:
    """Carry a request out by the endpoint of its address, as the account that sent the outer one.

    Raises: Invalid (`inner-request`).
    """
    address = urlsplit(asked.path)
    if address.netloc or not is_declared(asked.method, address.path):
        raise Invalid(
            message(
                "{method} {path} cannot be sent inside another request.", method=asked.method, path=asked.path
            ),
            code="inner-request",
            remedy=message("Use {known}.", known=_KNOWN),
        )
    try:
        view, args, kwargs = resolve(address.path)
    except Resolver404 as error:
        raise Invalid(
            message("There is nothing at {path}.", path=address.path), code="inner-request"
        ) from error
    answer = view(_request(outer, asked, address.path, address.query), *args, **kwargs)
    assert isinstance(answer, Response)
    return answer


def _request(outer: HttpRequest, asked: InnerRequest, path: str, query: str) -> HttpRequest:
    content = b"" if asked.body is None else json.dumps(asked.body).encode()
    inner: Any = HttpRequest()
    inner.method, inner.path, inner.path_info = asked.method, path, path
    inner.GET = QueryDict(query)
    inner.COOKIES = outer.COOKIES
    meta: dict[str, Any] = {name: value for name, value in outer.META.items() if name not in OWN_HEADERS}
    meta |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(content))}
    meta |= {"REQUEST_METHOD": asked.method, "PATH_INFO": path, "QUERY_STRING": query}
    meta |= {"HTTP_IF_MATCH": asked.if_match} if asked.if_match else {}
    meta |= {"HTTP_IF_NONE_MATCH": asked.if_none_match} if asked.if_none_match else {}
    inner.META = meta
    for name in FROM_MIDDLEWARE:
        if hasattr(outer, name):
            setattr(inner, name, getattr(outer, name))
    inner._stream = io.BytesIO(content)
    inner._read_started = False
    return inner

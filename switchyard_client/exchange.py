"""Requests and answers as values: how an operation is written to HTTP, and how its answer is read."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar
from urllib.parse import quote

from switchyard_client.errors import AnswerUnreadable, ApiError, api_error

if TYPE_CHECKING:
    import httpx

JSON, TEXT = "JSON", "TEXT"
ACCEPT = "application/json, application/problem+json"
ACCEPT_TEXT = "text/*, application/x-ndjson, application/json, application/problem+json"

T = TypeVar("T")


class Operation(NamedTuple):
    """An operation of the contract."""

    id: str
    method: str
    path: str
    answers: Mapping[int, str]
    """The type of the answer by status: a name of `switchyard_client.models`, JSON, TEXT, or nothing."""
    sends_body: bool = False
    repeatable: bool = False
    """Whether it takes an Idempotency-Key."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it is sent, and sent again."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    content: bytes | None = None

    @property
    def is_repeatable(self) -> bool:
        """Tell whether sending it twice does no more than sending it once."""
        return self.method in ("GET", "HEAD") or "Idempotency-Key" in self.headers


@dataclass(frozen=True, slots=True)
class Response(Generic[T]):
    """A successful answer."""

    value: T
    status: int
    headers: Mapping[str, str] = field(repr=False)

    @property
    def etag(self) -> str:
        """Give what `if_match` takes, to change only what was seen."""
        return self.headers.get("etag", "")

    @property
    def location(self) -> str:
        """Give the address of what was created, or of the operation that goes on."""
        return self.headers.get("location", "")

    @property
    def request_id(self) -> str:
        """Name the request, as the logs and the audit log do."""
        return self.headers.get("x-request-id", "")

    @property
    def is_replayed(self) -> bool:
        """Tell whether this is the answer that the first request with the key had."""
        return self.headers.get("idempotency-replayed") == "true"


def build_request(
    operation: Operation,
    path: Mapping[str, object],
    query: Mapping[str, object],
    body: object = None,
    *,
    if_match: str = "",
    if_none_match: str = "",
    idempotency_key: str = "",
    request_id: str = "",
) -> Request:
    """Write an operation as a request; one that changes something gets a key, so that it can be sent again."""
    places = {name: quote(_text(value), safe="") for name, value in path.items()}
    given = {name: _text(value) for name, value in query.items() if value is not None}
    headers = {"X-Request-ID": request_id or uuid.uuid4().hex}
    if TEXT in operation.answers.values():
        headers["Accept"] = ACCEPT_TEXT
    if if_match:
        headers["If-Match"] = if_match
    if if_none_match:
        headers["If-None-Match"] = if_none_match
    # A dry run keeps nothing, and so no answer either.
    if operation.repeatable and given.get("dry_run") != "true":
        headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
    content = None
    if operation.sends_body:
        content = encode({} if body is None else body)
        headers["Content-Type"] = "application/json"
    return Request(operation.method, operation.path.format_map(places), given, headers, content)


def encode(body: object) -> bytes:
    """Write a body: a Struct of `switchyard_client.models`, or plain values."""
    if isinstance(body, (dict, list)):
        try:
            return json.dumps(body).encode()
        except TypeError:
            pass
    import msgspec

    return msgspec.json.encode(body)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return str(value)


def read_response(operation: Operation, answer: httpx.Response) -> Response[Any]:
    """Read a successful answer as its type.

    Raises: AnswerUnreadable.
    """
    name = operation.answers.get(answer.status_code, JSON if answer.content else "")
    if not answer.content:
        return Response(None, answer.status_code, answer.headers)
    if name in (JSON, TEXT, ""):
        return Response(read_content(answer), answer.status_code, answer.headers)
    import msgspec

    from switchyard_client import models

    try:
        value = msgspec.json.decode(answer.content, type=getattr(models, name))
    except msgspec.MsgspecError as error:
        sentence = (
            f"The answer to {operation.id} is no {name}: {error}. Is the client of this console's version?"
        )
        raise AnswerUnreadable(answer.status_code, sentence) from error
    return Response(value, answer.status_code, answer.headers)


def read_content(answer: httpx.Response) -> Any:
    """Read data as data, and what is meant for people as text.

    Raises: AnswerUnreadable.
    """
    if not answer.content:
        return None
    kind = answer.headers.get("content-type", "")
    if kind.startswith(("text/", "application/x-ndjson")):
        return answer.text
    try:
        return answer.json()
    except ValueError as error:
        sentence = f"The console answered {answer.status_code} with what is not JSON."
        raise AnswerUnreadable(answer.status_code, sentence) from error


def read_error(answer: httpx.Response) -> ApiError:
    """Read a refusal; what is no problem document, such as a proxy's page, leaves only the status."""
    try:
        body = answer.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {"detail": f"The console answered {answer.status_code}.", "code": "unreadable"}
    return api_error(answer.status_code, body, answer.headers)

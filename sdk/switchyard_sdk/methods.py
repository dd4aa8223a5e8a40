"""Custom methods that a service answers in its own process: Switchyard sends `POST {url}/{version}/{name}:{verb}`."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import parse_qs, unquote

from migrations_app.kernel import json
from migrations_app.kernel.errors import (
    Busy,
    Conflict,
    Denied,
    Invalid,
    Missing,
    Refused,
    Stale,
    SwitchyardError,
)
from migrations_app.kernel.json import Json, JsonObject
from switchyard_sdk.tokens import TokenVerifier

DEFAULT_SECONDS = 30.0
_STATUS: tuple[tuple[type[SwitchyardError], int], ...] = (
    (Invalid, 400), (Denied, 403), (Missing, 404), (Conflict, 409), (Stale, 412), (Busy, 503), (Refused, 400),
)  # fmt: skip

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MethodCall:
    """One call of a method.

    `request` is the message without the name, in the version of the call. `caller` is the account that called.
    """

    version: str
    name: str
    verb: str
    request: JsonObject
    caller: str = ""
    request_id: str = ""
    _until: float = field(default_factory=lambda: time.monotonic() + DEFAULT_SECONDS)

    def remaining_seconds(self) -> float:
        """Tell how long the caller still waits."""
        return max(0.0, self._until - time.monotonic())


@dataclass(frozen=True, slots=True)
class MethodAnswer:
    """What to answer: a body, or the lines of a stream."""

    status: int
    body: bytes = b""
    lines: Iterator[bytes] | None = None

    @property
    def content_type(self) -> str:
        """The media type of the body."""
        if self.lines is not None:
            return "application/x-ndjson"
        return "application/json" if self.status < 400 else "application/problem+json"


MethodHandler = Callable[[MethodCall], "JsonObject | Iterable[JsonObject]"]
HandlerT = TypeVar("HandlerT", bound=Callable[..., object])


class MethodServer:
    """Answers calls of a deployment's methods by functions; whoever has no good service token is refused.

    `prefix` is the path of the address that Switchyard calls, if it has one. Give the requests of your own web server
    to `answer`, or run `serve`.
    """

    def __init__(self, verifier: TokenVerifier, prefix: str = "") -> None:
        self._verifier, self._prefix = verifier, prefix.rstrip("/")
        self._handlers: dict[tuple[str, str], MethodHandler] = {}

    def method(self, version: str, verb: str) -> Callable[[HandlerT], HandlerT]:
        """Register a function for the method of a version; one that gives messages one by one answers a stream."""

        def _register(handler: HandlerT) -> HandlerT:
            if (version, verb) in self._handlers:
                raise Conflict(f"{version} has a handler of :{verb} already.", code="handler-registered")
            self._handlers[version, verb] = handler  # type: ignore[assignment]
            return handler

        return _register

    def answer(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> MethodAnswer:
        """Answer one request.

        Shape: `path` as it was sent, percent-encoded; names of `headers` in lower case.
        """
        try:
            call = self._call(method, path, query, headers, body)
            handler = self._handlers.get((call.version, call.verb))
            if handler is None:
                raise Missing(f"{call.version} has no handler of :{call.verb} here.", code="method-missing")
            result = handler(call)
            if isinstance(result, dict):
                return MethodAnswer(200, json.encode(result))
            return MethodAnswer(200, lines=(json.encode(message) + b"\n" for message in result))
        except SwitchyardError as error:
            return _problem(error)
        except Exception:
            log.exception("the handler of %s failed", path)
            broken: JsonObject = {"code": "handler-failed", "detail": "The handler failed."}
            return MethodAnswer(500, json.encode(broken))

    def _call(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> MethodCall:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            raise Denied("The call has no service token.", code="service-token")
        caller = self._verifier.verify(token.strip(), method, path)
        plain = unquote(path)
        place, _, verb = plain.removeprefix(self._prefix).lstrip("/").rpartition(":")
        version, _, name = place.partition("/")
        request = _parameters(query) if method == "GET" else (json.decode(body) if body else {})
        if not isinstance(request, dict):
            raise Invalid("The request is no JSON object.", code="document")
        return MethodCall(
            version,
            name,
            verb,
            request,
            str(caller.on_behalf.get("account", "")),
            headers.get("x-request-id", ""),
            time.monotonic() + _seconds(headers.get("x-server-timeout", "")),
        )


def _parameters(query: str) -> JsonObject:
    found: JsonObject = {}
    for key, values in parse_qs(query, keep_blank_values=True).items():
        several: list[Json] = [*values]
        found[key] = several[0] if len(several) == 1 else several
    return found


def _seconds(text: str) -> float:
    try:
        return max(0.0, min(float(text), 3600.0)) if text else DEFAULT_SECONDS
    except ValueError:
        return DEFAULT_SECONDS


def _problem(error: SwitchyardError) -> MethodAnswer:
    status = next((number for kind, number in _STATUS if isinstance(error, kind)), 500)
    violations: list[Json] = [
        {"path": each.path, "message": each.message, "remedy": each.remedy, "code": each.code}
        for each in error.violations
    ]
    problem: JsonObject = {"code": error.code, "detail": str(error), "remedy": error.remedy, "status": status}
    if violations:
        problem["errors"] = violations
    if isinstance(error, Busy):
        problem["retry_after"] = error.retry_after_seconds
    return MethodAnswer(status, json.encode(problem))

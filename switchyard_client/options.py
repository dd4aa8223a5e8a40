"""What both clients are made of: where the console is, and what is done before and after a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from switchyard_client.errors import OperationFailed, TimedOut, Unreachable
from switchyard_client.exchange import (
    ACCEPT,
    Operation,
    Request,
    Response,
    build_request,
    read_content,
    read_error,
)
from switchyard_client.version import VERSION

if TYPE_CHECKING:
    from switchyard_client import models

TIMEOUT_SECONDS = 30.0
LONG_POLL_SECONDS = 20.0
PAUSE_SECONDS = 0.1
USER_AGENT = f"switchyard-client/{VERSION}"


def http_options(base_url: str, token: str, timeout: float, user_agent: str) -> dict[str, Any]:
    """Write the options of an httpx client."""
    headers = {"Accept": ACCEPT, "User-Agent": user_agent}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return {"base_url": base_url.rstrip("/"), "headers": headers, "timeout": timeout, "trust_env": False}


def http_arguments(request: Request) -> dict[str, Any]:
    """Write a request as httpx takes it."""
    return {
        "method": request.method,
        "url": request.path,
        "params": request.query,
        "headers": request.headers,
        "content": request.content,
    }


def no_answer(error: httpx.HTTPError, http: httpx.Client | httpx.AsyncClient) -> Unreachable:
    """Say that there is no answer, and why."""
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(f"The console at {http.base_url} did not answer in {http.timeout.read or 0:.0f} s.")
    return Unreachable(f"The console at {http.base_url} does not answer: {str(error).rstrip('.')}.")


def checked(answer: httpx.Response) -> httpx.Response:
    """Let a success pass.

    Raises: ApiError.
    """
    if answer.status_code >= 400:
        raise read_error(answer)
    return answer


def plain_request(
    method: str,
    path: str,
    query: Mapping[str, object],
    body: object,
    **headers: str,
) -> Request:
    """Write a request to an address, whatever is there."""
    operation = Operation(
        "request",
        method.upper(),
        path.replace("{", "{{").replace("}", "}}"),
        {},
        sends_body=body is not None,
        repeatable=method.upper() not in ("GET", "HEAD", "OPTIONS"),
    )
    return build_request(operation, {}, query, body, **headers)


def plain_response(answer: httpx.Response) -> Response[Any]:
    """Read an answer as plain values."""
    return Response(read_content(answer), answer.status_code, answer.headers)


def operation_id(operation: models.Operation | Response[Any] | str) -> str:
    """Find which operation is meant: by its id, by itself, or by the answer that began it.

    Raises: ValueError where an answer began none.
    """
    if isinstance(operation, str):
        return operation.rpartition("/")[2]
    if not isinstance(operation, Response):
        return str(operation.id)
    before, _, named = operation.location.rpartition("/")
    if before.endswith("/operations"):
        return named
    raise ValueError("this answer began no operation: nothing goes on")


def ended(operation: models.Operation) -> bool:
    """Tell whether an operation is done.

    Raises: OperationFailed.
    """
    if operation.state == "failed":
        raise OperationFailed(str(operation.id), operation.error or {})
    return operation.state == "done"

"""Switchyard's REST API for Python: every operation of `/api/v1`, waited for or awaited, with its types.

    from switchyard_client import Client

    with Client("https://switchyard.example", token) as console:
        for upgrade in console.iter_upgrades(state="READY"):
            print(upgrade.id, upgrade.sentence)

What is exported is imported when it is used: `swy` starts with as little as it can.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from switchyard_client.version import VERSION as __version__

if TYPE_CHECKING:
    from switchyard_client import models as models
    from switchyard_client.async_client import AsyncClient as AsyncClient
    from switchyard_client.client import Client as Client
    from switchyard_client.errors import AnswerUnreadable as AnswerUnreadable
    from switchyard_client.errors import ApiError as ApiError
    from switchyard_client.errors import ClientError as ClientError
    from switchyard_client.errors import Conflict as Conflict
    from switchyard_client.errors import InvalidRequest as InvalidRequest
    from switchyard_client.errors import NotFound as NotFound
    from switchyard_client.errors import OperationFailed as OperationFailed
    from switchyard_client.errors import PermissionDenied as PermissionDenied
    from switchyard_client.errors import PreconditionFailed as PreconditionFailed
    from switchyard_client.errors import ServerError as ServerError
    from switchyard_client.errors import TimedOut as TimedOut
    from switchyard_client.errors import TooManyRequests as TooManyRequests
    from switchyard_client.errors import Unauthenticated as Unauthenticated
    from switchyard_client.errors import Unavailable as Unavailable
    from switchyard_client.errors import Unreachable as Unreachable
    from switchyard_client.errors import Violation as Violation
    from switchyard_client.errors import WaitTimedOut as WaitTimedOut
    from switchyard_client.exchange import Response as Response
    from switchyard_client.retries import NO_RETRIES as NO_RETRIES
    from switchyard_client.retries import RetryPolicy as RetryPolicy
    from switchyard_client.streams import StreamMessage as StreamMessage

_PLACES = {
    "AsyncClient": "async_client",
    "Client": "client",
    "Response": "exchange",
    "NO_RETRIES": "retries",
    "RetryPolicy": "retries",
    "StreamMessage": "streams",
    **dict.fromkeys(
        (
            "AnswerUnreadable",
            "ApiError",
            "ClientError",
            "Conflict",
            "InvalidRequest",
            "NotFound",
            "OperationFailed",
            "PermissionDenied",
            "PreconditionFailed",
            "ServerError",
            "TimedOut",
            "TooManyRequests",
            "Unauthenticated",
            "Unavailable",
            "Unreachable",
            "Violation",
            "WaitTimedOut",
        ),
        "errors",
    ),
}
__all__ = ["__version__", "models", *_PLACES]


def __getattr__(name: str) -> Any:
    if name == "models":
        return import_module("switchyard_client.models")
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"switchyard_client has no {name}")
    return getattr(import_module(f"switchyard_client.{place}"), name)

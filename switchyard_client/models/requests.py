"""Types of the operations of requests.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType


class BatchAnswers(Struct, frozen=True, kw_only=True):
    """The answers, in the order of the writes."""

    answers: list[InnerAnswer]


class BatchRequestsRequest(Struct, frozen=True, kw_only=True):
    """Writes in the order in which they are carried out."""

    requests: list[InnerRequestRequest]


class InnerAnswer(Struct, frozen=True, kw_only=True):
    """What one write was answered."""

    status: int
    etag: str
    body: Any


class InnerRequestRequest(Struct, frozen=True, kw_only=True):
    """One write, as it would be sent alone."""

    method: Literal["PUT", "POST", "DELETE"]
    path: str
    """The address with its parameters."""
    body: Any | UnsetType = UNSET
    if_match: str | UnsetType = UNSET
    if_none_match: str | UnsetType = UNSET

"""Types of the operations of duty.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from msgspec import Struct

from switchyard_client.models.shared import OnCallTurn


class NewOnCallTurnRequest(Struct, frozen=True, kw_only=True):
    """How long one's own turn lasts from now."""

    hours: int


class OnCallTurnPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[OnCallTurn]
    next_cursor: str | None
    has_more: bool

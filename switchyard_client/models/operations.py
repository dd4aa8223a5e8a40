"""Types of the operations of operations.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from msgspec import Struct

from switchyard_client.models.shared import Operation


class OperationPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Operation]
    next_cursor: str | None
    has_more: bool

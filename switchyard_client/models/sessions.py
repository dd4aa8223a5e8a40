"""Types of the operations of sessions.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class BrowserSession(Struct, frozen=True, kw_only=True):
    """A browser that a person is signed in with."""

    id: int
    account: str
    at: datetime
    address: str
    agent: str
    how: str
    current: bool


class BrowserSessionPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[BrowserSession]
    next_cursor: str | None
    has_more: bool

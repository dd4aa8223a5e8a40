"""Types of the operations of emergencies.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class BreakGlassReview(Struct, frozen=True, kw_only=True):
    """A break-glass override, and its review."""

    id: str
    upgrade_id: str
    service: str
    region: str
    purpose: str
    who: str
    reason: str
    ticket: str
    at: datetime
    used_at: datetime | None
    reviewed_by: str
    reviewed_at: datetime | None
    review: str


class BreakGlassReviewPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[BreakGlassReview]
    next_cursor: str | None
    has_more: bool

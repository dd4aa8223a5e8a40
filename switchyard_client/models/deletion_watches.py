"""Types of the operations of deletion watches.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Phrase


class DeletionWatch(Struct, frozen=True, kw_only=True):
    """A resource that a person waits for to be free to go."""

    id: str
    name: str
    verdict: str
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    since: datetime
    looked_at: datetime | None
    cleared_at: datetime | None


class DeletionWatchPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[DeletionWatch]
    next_cursor: str | None
    has_more: bool

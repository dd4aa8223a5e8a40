"""Types of the operations of deletion checks.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Phrase


class BriefCheck(Struct, frozen=True, kw_only=True):
    """The verdict on one of many; `id` is empty when no deployment here holds it."""

    name: str
    id: str
    verdict: str
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    blockers: int
    cascades: int


class BriefCheckPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[BriefCheck]
    next_cursor: str | None
    has_more: bool


class NamesToCheckRequest(Struct, frozen=True, kw_only=True):
    """Up to a hundred names, full or plain."""

    names: list[str]

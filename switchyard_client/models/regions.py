"""Types of the operations of regions.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from msgspec import Struct


class Region(Struct, frozen=True, kw_only=True):
    """A region."""

    name: str
    title: str
    rev: int


class RegionPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Region]
    next_cursor: str | None
    has_more: bool

"""Types of the operations of views.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType


class SaveViewRequest(Struct, frozen=True, kw_only=True):
    """What to keep."""

    query: str
    first: bool | UnsetType = UNSET
    shared: bool | UnsetType = UNSET
    everybody: bool | UnsetType = UNSET
    """Takes `policy.write`."""


class View(Struct, frozen=True, kw_only=True):
    """A view of a list: what its address says, under a name."""

    name: str
    query: str
    first: bool
    shared: bool
    everybody: bool
    """The page opens with it for who chose none of their own."""
    owner: str


class ViewPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[View]
    next_cursor: str | None
    has_more: bool

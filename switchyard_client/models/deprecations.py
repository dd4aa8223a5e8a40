"""Types of the operations of deprecations.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import date

from msgspec import Struct


class Deprecation(Struct, frozen=True, kw_only=True):
    """One thing that goes away."""

    kind: str
    what: str
    """A method and an address, or a service and its version."""
    since: date
    sunset: date
    instead: str


class DeprecationPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Deprecation]
    next_cursor: str | None
    has_more: bool

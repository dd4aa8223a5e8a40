"""Types of the operations of report keys.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from msgspec import Struct


class ReportKey(Struct, frozen=True, kw_only=True):
    """A public key (Ed25519) that shared run sheets are or were signed with."""

    key: str
    """32 bytes in base64 for addresses, without `=`."""
    current: bool
    """Whether files are signed with it now."""


class ReportKeyPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[ReportKey]
    next_cursor: str | None
    has_more: bool

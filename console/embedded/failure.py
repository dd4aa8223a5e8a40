"""What keeps the embedded system from starting, as one sentence with its remedy."""

from __future__ import annotations


class CannotStart(Exception):
    """The system cannot start; the message says why and what to do."""

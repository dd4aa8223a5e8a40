"""Types of the operations of brown outs.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType


class StopBrownOutRequest(Struct, frozen=True, kw_only=True):
    """Why a brown-out is stopped."""

    reason: str | UnsetType = UNSET

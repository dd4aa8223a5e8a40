"""Types of the operations of definition rollouts.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType


class StopDefinitionRolloutRequest(Struct, frozen=True, kw_only=True):
    """Why it ends."""

    reason: str | UnsetType = UNSET

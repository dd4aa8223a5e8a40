"""Where requests for evictions lie: what a change of them is decided about before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from migrations_app.control.regions.repository.evictions import eviction_target
from migrations_app.domain.access import Target
from migrations_app.models.evictions import Eviction


def of_eviction(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a request for an eviction where the deployment is."""
    # Its number names it, not the deployment: that is told to who may see it.
    return [replace(eviction_target(row), id=row.id) for row in Eviction.objects.filter(pk=parts["id"])]

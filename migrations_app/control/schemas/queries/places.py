"""Where waivers lie: what a change of them is decided about before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from migrations_app.control.definition_changes.repository.waivers import target_of_waiver
from migrations_app.domain.access import Target
from migrations_app.models.evidence.waivers import Waiver


def of_waiver(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a waiver: it counts for its service in every region."""
    return [target_of_waiver(row) for row in Waiver.objects.filter(pk=parts["id"])]

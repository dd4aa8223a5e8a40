"""Where brown-outs and strategies of keys lie: what a change of them is decided about before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from migrations_app.control.usage.repository.brown_outs import target_of_brown_out
from migrations_app.control.usage.repository.key_strategies import target_of_key_strategy
from migrations_app.domain.access import Target
from migrations_app.models.evidence.retirements import BrownOut, KeyStrategy


def of_brown_out(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a brown-out: it counts for its service in every region."""
    return [target_of_brown_out(row) for row in BrownOut.objects.filter(pk=parts["id"])]


def of_key_strategy(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a strategy of a key: it counts for its service in every region."""
    return [target_of_key_strategy(row) for row in KeyStrategy.objects.filter(pk=parts["id"])]

"""Where rollouts lie: what a change of them is decided about before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from migrations_app.control.upgrade_state.repository.upgrade_rows import target_of
from migrations_app.domain.access import Target
from migrations_app.models.rollouts import RolloutItem


def of_rollout(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a rollout: it is wherever one of its upgrades is."""
    items = RolloutItem.objects.filter(rollout=parts["id"]).select_related("upgrade")
    return [target_of(item.upgrade) for item in items]

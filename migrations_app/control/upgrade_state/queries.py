"""Where upgrades lie: what a change of them is decided about before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from migrations_app.control.upgrade_state.repository.upgrade_rows import target_of
from migrations_app.domain.access import Target
from migrations_app.models.upgrades import Upgrade


def of_upgrade(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate an upgrade where its deployment is."""
    return [target_of(row) for row in Upgrade.objects.filter(pk=parts["id"])]

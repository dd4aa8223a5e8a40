"""Where bindings lie: what a change of them is decided about before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from migrations_app.domain.access import Target
from migrations_app.models.access import RoleBinding


def of_binding(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a binding by the scope its role counts in."""
    rows = RoleBinding.objects.filter(pk=parts["binding"])
    return [Target("binding", str(row.pk), row.service, row.region, row.environment) for row in rows]

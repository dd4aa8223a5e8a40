"""Where policies and windows lie: what a change of them is decided about before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from migrations_app.domain.access import Target
from migrations_app.models.approvals import ApprovalPolicy
from migrations_app.models.windows import WindowRule


def of_policy(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a policy by the scope it counts in."""
    rows = ApprovalPolicy.objects.filter(name=parts["name"])
    return [Target("policy", row.name, row.service, row.region, row.environment) for row in rows]


def of_window(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a window or a freeze by the scope it counts in."""
    rows = WindowRule.objects.filter(name=parts["name"])
    return [Target("window", row.name, row.service, row.region, row.environment) for row in rows]

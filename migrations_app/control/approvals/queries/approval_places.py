"""Where requests for approval and emergencies lie: what a change of them is decided about before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from migrations_app.control.approval_policies.repository.electors import approval_target
from migrations_app.control.upgrade_state.repository.upgrade_rows import target_of
from migrations_app.domain.access import Target
from migrations_app.models.approvals import ApprovalRequest, Emergency


def of_approval(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a request for approval where its upgrade is."""
    rows = ApprovalRequest.objects.filter(pk=parts["id"]).select_related("upgrade")
    return [approval_target(row) for row in rows]


def of_emergency(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate an emergency where its upgrade is."""
    rows = Emergency.objects.filter(pk=parts["id"]).select_related("upgrade")
    return [target_of(row.upgrade) for row in rows]

"""Where channels lie: what a change of them is decided about before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from migrations_app.control.notifications.repository.hooks import hook_target
from migrations_app.domain.access import Target
from migrations_app.models.hooks import Webhook


def of_hook(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a channel by the scope it is told of."""
    return [hook_target(row) for row in Webhook.objects.filter(pk=parts["id"], owner=None)]

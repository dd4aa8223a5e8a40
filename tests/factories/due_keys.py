"""The keys that a controller lists, without the class of work that some of them name."""

from __future__ import annotations

from migrations_app.engine.controller import Controller
from migrations_app.ports.locks import DueKey


def keys_due(controller: Controller) -> list[str]:
    """List the keys that have work, as they stand when asked."""
    return [due.key if isinstance(due, DueKey) else due for due in list(controller.due())]

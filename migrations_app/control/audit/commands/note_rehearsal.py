"""Note in the ledger that an action was rehearsed; nothing else of a rehearsal is kept."""

from __future__ import annotations

from migrations_app.control.audit import ledger
from migrations_app.domain.access import Actor, Target


def note_rehearsal(actor: Actor, action: str, target: Target) -> None:
    """Write down that an action was rehearsed."""
    ledger.record(actor, action, target, "dry_run")

"""Note in the ledger that somebody was not allowed to do something."""

from __future__ import annotations

from migrations_app.adapters import ledger
from migrations_app.domain.access import Actor, Target
from migrations_app.kernel.errors import Denied


def note_refusal(actor: Actor, refused: Denied, target: Target, *, method: str) -> None:
    """Write down a refused attempt, with its reason."""
    action = str(refused.nouns.get("action") or method.lower())
    ledger.record(actor, action, target, "denied", reason=refused.message)

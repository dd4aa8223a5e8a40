"""Note in the ledger who signed in and out, and who failed to."""

from __future__ import annotations

from typing import Literal

from migrations_app.control.audit import ledger
from migrations_app.control.events import outbox
from migrations_app.domain.access import Actor, Target
from migrations_app.kernel.messages import NOTHING, WordedMessage


def note_session(
    actor: Actor,
    what: Literal["in", "out"],
    outcome: Literal["done", "denied"],
    reason: WordedMessage = NOTHING,
) -> None:
    """Write down a sign-in or sign-out; after the latter, open streams look whether their session still holds."""
    if what == "out":
        outbox.publish("access", "binding", f"account:{actor.name}", patch={})
    ledger.record(actor, f"session.sign_{what}", Target("account", actor.name[:150]), outcome, reason=reason)

"""Ask those who may for what one may not do oneself."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from migrations_app.adapters.ledger import record
from migrations_app.adapters.outbox import publish
from migrations_app.adapters.repositories.upgrade_moves import add_line, locked, target_of
from migrations_app.domain.access import Actor, require
from migrations_app.domain.switch.offers import BY_ACTION, wrong_state
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.ports.upgrades import Line

AGAIN = timedelta(minutes=10)
ASKED = "asked-for"


def ask_people(actor: Actor, upgrade_id: str, action: str, comment: str) -> int:
    """Ask for an action on an upgrade that others may take; it stands in its story and on their overview.

    Returns the number of the line. Raises: Missing, Denied, Invalid (`ask-action`), Conflict (`upgrade-state`,
    `asked-already`).
    """
    if action not in BY_ACTION:
        raise Invalid(
            f"There is no action {action!r}.", code="ask-action", remedy=f"Use {', '.join(BY_ACTION)}."
        )
    with transaction.atomic():
        row = locked(upgrade_id)
        require(actor, "upgrade.read", target_of(row))
        unfit = wrong_state(action, State(row.state), row.paused)
        if unfit:
            raise Conflict(unfit, code="upgrade-state", remedy="Look at what it offers now.", state=row.state)
        lately = row.lines.filter(kind=ASKED, who=actor.name, at__gt=timezone.now() - AGAIN)
        if any(line.details.get("action") == action for line in lately):
            raise Conflict(
                "You asked for it a moment ago.", code="asked-already", remedy="Give them a few minutes."
            )
        said = f": {comment.strip()}" if comment.strip() else "."
        record(actor, "upgrade.ask", target_of(row), "done", after={"action": action}, reason=comment.strip())
        publish("approvals", "ask", row.id, full={"action": action, "who": actor.name, "upgrade_id": row.id})
        return add_line(
            row.id, actor.name, Line(ASKED, f"{actor.name} asks to {action}{said}", {"action": action})
        )

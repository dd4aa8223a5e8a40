"""Ask those who may for what one may not do oneself."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from migrations_app.control.access_requests.repository import ASKED, SETTLED, still_asked
from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.control.upgrade_state.repository.upgrade_rows import add_line, locked, target_of
from migrations_app.domain.access import Actor, decide, require
from migrations_app.domain.switch.offers import BY_ACTION, wrong_state
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Conflict, Denied, Invalid, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.ports.upgrades import TimelineEntry

AGAIN = timedelta(minutes=10)


def ask_people(actor: Actor, upgrade_id: str, action: str, comment: str) -> int:
    """Ask for an action on an upgrade that others may take; it stands in its story and on their overview.

    Returns the number of the line. Raises: Missing, Denied, Invalid (`ask-action`), Conflict (`upgrade-state`,
    `asked-already`).
    """
    if action not in BY_ACTION:
        raise Invalid(
            message("There is no action {action}.", action=repr(action)),
            code="ask-action",
            remedy=message("Use {by_action}.", by_action=", ".join(BY_ACTION)),
        )
    with transaction.atomic():
        row = locked(upgrade_id)
        require(actor, "upgrade.read", target_of(row))
        unfit = wrong_state(action, State(row.state), row.paused, row.downgrade_sync)
        if unfit:
            raise Conflict(
                unfit,
                code="upgrade-state",
                remedy=message("Look at the actions that are possible now."),
                state=row.state,
            )
        since = timezone.now() - AGAIN
        open_asks = still_asked(row.lines.filter(kind__in=(ASKED, SETTLED), details__action=action))
        if any(line.who == actor.name and line.at > since for line in open_asks):
            raise Conflict(
                message("You asked for it a moment ago."),
                code="asked-already",
                remedy=message("Give them a few minutes."),
            )
        record(actor, "upgrade.ask", target_of(row), "done", after={"action": action}, reason=comment.strip())
        shown: JsonObject = {"action": action, "who": actor.name, "upgrade_id": row.id}
        publish("approvals", "ask", row.id, full=shown, places=[(row.service, row.region)])
        return add_line(
            row.id,
            actor.name,
            TimelineEntry(ASKED, _asks(actor, action, comment.strip()), {"action": action}),
        )


def _asks(actor: Actor, action: str, comment: str) -> WordedMessage:
    if comment:
        return message("{who} asks to {action}: {comment}", who=actor.name, action=action, comment=comment)
    return message("{who} asks to {action}.", who=actor.name, action=action)


def settle_asked(actor: Actor, upgrade_id: str, action: str) -> None:
    """Dismiss a request on an upgrade: by an account that may take the action, or by the one that asked.

    Raises: Missing (`upgrade-missing`, `ask-missing`), Denied.
    """
    with transaction.atomic():
        row = locked(upgrade_id)
        require(actor, "upgrade.read", target_of(row))
        open_asks = still_asked(row.lines.filter(kind__in=(ASKED, SETTLED), details__action=action))
        if action not in BY_ACTION or not open_asks:
            raise Missing(message("That request is not open any more."), code="ask-missing")
        decision = decide(actor, BY_ACTION[action].permission, target_of(row))
        if not decision.allowed and any(line.who != actor.name for line in open_asks):
            raise Denied(decision.words, who_can=decision.who_can)
        record(actor, "upgrade.ask-settle", target_of(row), "done", after={"action": action})
        publish("approvals", "ask", row.id)
        words = message("{who} put away what was asked for: {action}.", who=actor.name, action=action)
        add_line(row.id, actor.name, TimelineEntry(SETTLED, words, {"action": action}))

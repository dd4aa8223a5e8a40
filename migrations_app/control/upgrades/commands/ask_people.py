"""Ask those who may for what one may not do oneself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


_ASKS: Mapping[str, Callable[[str], WordedMessage]] = {
    "start": lambda who: message("{who} asks to start the upgrade.", who=who),
    "edit": lambda who: message("{who} asks to change the plan.", who=who),
    "pause": lambda who: message("{who} asks to pause the upgrade.", who=who),
    "throttle": lambda who: message("{who} asks to limit the copy rate.", who=who),
    "resume": lambda who: message("{who} asks to resume the upgrade.", who=who),
    "request-approval": lambda who: message("{who} asks to request approval.", who=who),
    "switch": lambda who: message("{who} asks to switch.", who=who),
    "abort": lambda who: message("{who} asks to abort the upgrade.", who=who),
    "rollback": lambda who: message("{who} asks to roll back.", who=who),
    "complete": lambda who: message("{who} asks to complete the upgrade.", who=who),
    "extend": lambda who: message("{who} asks to extend the rollback window.", who=who),
    "enable-reverse-replication": lambda who: message("{who} asks to enable reverse replication.", who=who),
    "settle": lambda who: message("{who} asks to resolve the upgrade.", who=who),
}
"""Each action of an upgrade, as it is asked for."""


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
    words = _ASKS[action](actor.name)
    return words + message("Comment: {comment}", comment=comment) if comment else words


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
        words = message("{who} dismissed a request on the upgrade.", who=actor.name)
        add_line(row.id, actor.name, TimelineEntry(SETTLED, words, {"action": action}))

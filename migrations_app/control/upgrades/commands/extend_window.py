"""Keep the rollback window open for longer, or close it earlier than planned."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from migrations_app.control.audit.ledger import record
from migrations_app.control.upgrade_state.commands.acting import acting, refuse_when_closing
from migrations_app.control.upgrade_state.repository.moves import write
from migrations_app.control.upgrade_state.repository.upgrade_rows import target_of
from migrations_app.domain.access import Actor
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, counted, message
from migrations_app.ports.upgrades import TimelineEntry

LONGEST_HOURS = 90 * 24


def extend_window(actor: Actor, upgrade_id: str, hours: int, rev: int | None = None) -> str:
    """Let the rollback window stay open for so many hours from now.

    Raises: Missing, Denied, Stale, Invalid (`extend-hours`), Conflict (`upgrade-state`).
    """
    with acting(actor, upgrade_id, "extend", rev) as row:
        if not 1 <= hours <= LONGEST_HOURS:
            raise Invalid(
                message("The rollback window cannot stay open for {hours} hours.", hours=hours),
                code="extend-hours",
                remedy=message("Use 1 hour to 90 days."),
            )
        refuse_when_closing(row)
        old = row.reversible_until
        before: JsonObject = {"reversible_until": old.isoformat() if old else None}
        row.reversible_until = timezone.now() + timedelta(hours=hours)
        after: JsonObject = {"reversible_until": row.reversible_until.isoformat()}
        record(actor, "upgrade.extend", target_of(row), "done", before, after)
        write(
            row,
            actor,
            TimelineEntry("extended", _kept_open(actor, hours), after),
        )
    return upgrade_id


def _kept_open(actor: Actor, hours: int) -> WordedMessage:
    if hours % 24 == 0:
        return counted(
            hours // 24,
            "{who} keeps the rollback window open for {count} day.",
            "{who} keeps the rollback window open for {count} days.",
            who=actor.name,
        )
    return counted(
        hours,
        "{who} keeps the rollback window open for {count} hour.",
        "{who} keeps the rollback window open for {count} hours.",
        who=actor.name,
    )

"""Say something about an upgrade to everybody who follows it."""

from __future__ import annotations

from django.db import transaction

from migrations_app.control.audit.ledger import record
from migrations_app.control.upgrade_state.repository.upgrade_rows import add_line, locked, target_of
from migrations_app.domain.access import Actor, require
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.ports.upgrades import TimelineEntry


def comment_upgrade(actor: Actor, upgrade_id: str, text: str) -> int:
    """Add a comment to an upgrade's story, in whatever state it is, and give the number of its line.

    Raises: Missing, Denied, Invalid (`comment-needed`).
    """
    with transaction.atomic():
        row = locked(upgrade_id)
        require(actor, "upgrade.comment", target_of(row))
        if not text.strip():
            raise Invalid(
                message("A comment needs a text."),
                code="comment-needed",
                remedy=message("Write what you have to say."),
            )
        record(actor, "upgrade.comment", target_of(row), "done", reason=text.strip())
        return add_line(row.id, actor.name, TimelineEntry("comment", text.strip()))

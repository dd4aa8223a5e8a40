"""Pause an upgrade, let it go on, or hold its copy to a rate; none changes its state."""

from __future__ import annotations

from migrations_app.control.audit.ledger import record
from migrations_app.control.upgrade_state.commands.acting import acting
from migrations_app.control.upgrade_state.repository.moves import write
from migrations_app.control.upgrade_state.repository.upgrade_rows import DIRECTOR, target_of
from migrations_app.domain.access import Actor
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.ports.upgrades import TimelineEntry
from migrations_app.wiring import dispatch

FASTEST = 1_000_000


def pause_upgrade(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Stop copying and following until a person resumes it.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`).
    """
    return _set(actor, upgrade_id, rev, "pause", paused=True)


def resume_upgrade(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Go on copying and following.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`).
    """
    return _set(actor, upgrade_id, rev, "resume", paused=False)


def throttle_upgrade(actor: Actor, upgrade_id: str, limit: int | None, rev: int | None = None) -> str:
    """Let it copy at most so many resources a second; None lifts the bound. Following is never held.

    Raises: Missing, Denied, Stale, Invalid (`throttle-limit`), Conflict (`upgrade-state`).
    """
    with acting(actor, upgrade_id, "throttle", rev) as row:
        if limit is not None and not 1 <= limit <= FASTEST:
            raise Invalid(
                message("A limit of {limit} resources a second is not possible.", limit=limit),
                code="throttle-limit",
                remedy=message("Use 1 to {fastest}, or none for no limit.", fastest=FASTEST),
            )
        before, row.copy_limit = row.copy_limit, limit
        record(actor, "upgrade.throttle", target_of(row), "done", {"limit": before}, {"limit": limit})
        words = (
            message("{who} limits the copy to {limit} resources a second.", who=actor.name, limit=limit)
            if limit
            else message("{who} removes the limit of the copy rate.", who=actor.name)
        )
        write(row, actor, TimelineEntry("throttled", words, {"limit": limit}))
    return upgrade_id


def _set(actor: Actor, upgrade_id: str, rev: int | None, action: str, *, paused: bool) -> str:
    with acting(actor, upgrade_id, action, rev) as row:
        row.paused = paused
        record(actor, f"upgrade.{action}", target_of(row), "done", {"paused": not paused}, {"paused": paused})
        words = (
            message("{who} paused it.", who=actor.name)
            if paused
            else message("{who} resumed it.", who=actor.name)
        )
        write(row, actor, TimelineEntry(f"{action}d", words))
        dispatch().poke(DIRECTOR, row.id)
    return upgrade_id

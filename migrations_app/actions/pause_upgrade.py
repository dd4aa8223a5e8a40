"""Pause an upgrade and let it go on; neither changes its state."""

from __future__ import annotations

from migrations_app.actions.acting import DIRECTOR, acting
from migrations_app.adapters.ledger import record
from migrations_app.adapters.repositories.upgrade_moves import target_of, write
from migrations_app.domain.access import Actor
from migrations_app.ports.upgrades import Line
from migrations_app.wiring import dispatch


def pause_upgrade(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Stop copying and following until somebody resumes it.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`).
    """
    return _set(actor, upgrade_id, rev, "pause", paused=True)


def resume_upgrade(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Go on copying and following.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`).
    """
    return _set(actor, upgrade_id, rev, "resume", paused=False)


def _set(actor: Actor, upgrade_id: str, rev: int | None, action: str, *, paused: bool) -> str:
    with acting(actor, upgrade_id, action, rev) as row:
        row.paused = paused
        record(actor, f"upgrade.{action}", target_of(row), "done", {"paused": not paused}, {"paused": paused})
        write(row, actor, Line(f"{action}d", f"{actor.name} {action}d it."))
        dispatch().poke(DIRECTOR, row.id)
    return upgrade_id

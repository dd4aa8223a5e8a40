"""Start a planned upgrade: from here on data is copied."""

from __future__ import annotations

from migrations_app.control.registry.commands.forward_change import is_mirror
from migrations_app.control.upgrade_state.commands.acting import acting
from migrations_app.control.upgrade_state.repository.upgrade_rows import DIRECTOR
from migrations_app.control.upgrades.commands.hand_over_upgrade import hand_over
from migrations_app.control.upgrades.repository import begin_copy
from migrations_app.domain.access import Actor
from migrations_app.kernel.messages import message
from migrations_app.wiring import dispatch


def start_upgrade(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Let the copy begin; of a mirrored registry, there.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `guard-*`).
    """
    if is_mirror():
        return hand_over(actor, upgrade_id, rev)
    with acting(actor, upgrade_id, "start", rev) as row:
        words = message("{who} started the copy to {version}.", who=actor.name, version=row.to_version)
        begin_copy(row, actor, words)
        dispatch().poke(DIRECTOR, row.id)
    return upgrade_id

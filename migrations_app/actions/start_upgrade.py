"""Start a planned upgrade: from here on data is copied."""

from __future__ import annotations

from migrations_app.actions.acting import DIRECTOR, acting
from migrations_app.actions.forward_change import is_mirror
from migrations_app.actions.hand_over_upgrade import hand_over
from migrations_app.adapters.repositories import registry_mirror
from migrations_app.adapters.repositories.scenes import keep_place
from migrations_app.adapters.repositories.upgrade_evidence import checks_of
from migrations_app.adapters.repositories.upgrade_moves import move
from migrations_app.adapters.repositories.upgrades import record_of
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.guards import demand
from migrations_app.domain.switch.states import Event
from migrations_app.ports.upgrades import Kind, Line
from migrations_app.wiring import dispatch


def start_upgrade(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Let the copy begin; of a mirrored registry, there.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `guard-*`).
    """
    if is_mirror():
        return hand_over(actor, upgrade_id, rev)
    with acting(actor, upgrade_id, "start", rev) as row:
        demand("start", checks_of(row, "start"))
        record = record_of(row)
        keep_place(record.source)
        if record.kind is not Kind.LOCATION:
            # The same version is served from where it is until the switch; then the place itself moves.
            keep_place(record.target)
        move(row, Event.START, actor, Line("started", f"{actor.name} started the copy to {row.to_version}."))
        registry_mirror.show(row)
        dispatch().poke(DIRECTOR, row.id)
    return upgrade_id

"""Ask for the switch, the rollback, the end of the rollback, or the end of an upgrade."""

from __future__ import annotations

from migrations_app.control.upgrade_state.commands.acting import acting, ask_director
from migrations_app.control.upgrade_state.repository.evidence import checks_of
from migrations_app.control.upgrade_state.repository.moves import move
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.guards import demand
from migrations_app.domain.switch.states import State, UpgradeEvent
from migrations_app.ports.upgrades import DirectorRequest, TimelineEntry


def request_switch(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Ask the director to switch; every guard must hold now, and again right before the freeze.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `guard-*`, `already-asked`).
    """
    with acting(actor, upgrade_id, "switch", rev) as row:
        demand("switch", checks_of(row, "switch", actor.person))
        ask_director(row, actor, DirectorRequest.SWITCH, f"{actor.name} asked to switch to {row.to_version}.")
    return upgrade_id


def request_rollback(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Ask the director to roll back to the old version.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `guard-*`, `already-asked`).
    """
    with acting(actor, upgrade_id, "rollback", rev) as row:
        demand("rollback", checks_of(row, "rollback", actor.person))
        ask_director(
            row, actor, DirectorRequest.REVERT, f"{actor.name} asked to roll back to {row.from_version}."
        )
    return upgrade_id


def complete_upgrade(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Ask the director to close the rollback window.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `already-asked`).
    """
    with acting(actor, upgrade_id, "complete", rev) as row:
        ask_director(
            row, actor, DirectorRequest.COMPLETE, f"{actor.name} asked to close the rollback window."
        )
    return upgrade_id


def abort_upgrade(actor: Actor, upgrade_id: str, rev: int | None = None, reason: str = "") -> str:
    """End an upgrade before its switch; a plan that was never started ends at once.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `already-asked`).
    """
    with acting(actor, upgrade_id, "abort", rev) as row:
        text = f"{actor.name} aborted it{f': {reason}' if reason else '.'}"
        if row.state == State.PLANNED.value:
            move(row, UpgradeEvent.ABORT, actor, TimelineEntry("aborted", text))
        else:
            ask_director(row, actor, DirectorRequest.ABORT, text)
    return upgrade_id

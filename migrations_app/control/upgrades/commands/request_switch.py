"""Ask for the switch, the rollback, the end of the rollback, or the end of an upgrade."""

from __future__ import annotations

from migrations_app import wiring
from migrations_app.control.upgrade_state.commands.acting import acting, ask_director
from migrations_app.control.upgrade_state.repository.evidence import checks_of
from migrations_app.control.upgrade_state.repository.moves import move
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.guards import demand
from migrations_app.domain.switch.states import State, UpgradeEvent
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.messages import WordedMessage, as_message, message
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import DirectorRequest, TimelineEntry

REPLICA_SECONDS = 15.0
"""Older than this, a replica of the registry would not know the version that is switched to."""


def request_switch(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Ask the director to switch; every guard must hold now, and again right before the freeze.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `guard-*`, `already-asked`).
    """
    with acting(actor, upgrade_id, "switch", rev) as row:
        _refuse_cut_off(row)
        demand("switch", checks_of(row, "switch", actor.person))
        words = message("{who} asked to switch to {version}.", who=actor.name, version=row.to_version)
        ask_director(row, actor, DirectorRequest.SWITCH, words)
    return upgrade_id


def request_rollback(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Ask the director to roll back to the old version.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `guard-*`, `already-asked`).
    """
    with acting(actor, upgrade_id, "rollback", rev) as row:
        _refuse_cut_off(row)
        demand("rollback", checks_of(row, "rollback", actor.person))
        words = message("{who} asked to roll back to {version}.", who=actor.name, version=row.from_version)
        ask_director(row, actor, DirectorRequest.REVERT, words)
    return upgrade_id


def complete_upgrade(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Ask the director to close the rollback window.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `already-asked`).
    """
    with acting(actor, upgrade_id, "complete", rev) as row:
        words = message("{who} asked to close the rollback window.", who=actor.name)
        ask_director(row, actor, DirectorRequest.COMPLETE, words)
    return upgrade_id


def abort_upgrade(
    actor: Actor, upgrade_id: str, rev: int | None = None, reason: str | WordedMessage = ""
) -> str:
    """End an upgrade before its switch; a plan that was never started ends at once. A text is a person's own.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `already-asked`).
    """
    with acting(actor, upgrade_id, "abort", rev) as row:
        words = _aborted(actor.name, reason)
        if row.state == State.PLANNED.value:
            move(row, UpgradeEvent.ABORT, actor, TimelineEntry("aborted", words))
        else:
            ask_director(row, actor, DirectorRequest.ABORT, words)
    return upgrade_id


def _aborted(who: str, reason: str | WordedMessage) -> WordedMessage:
    if reason and isinstance(reason, str):
        return message("{who} aborted it: {reason}", who=who, reason=reason)
    return message("{who} aborted it.", who=who) + as_message(reason)


def _refuse_cut_off(row: Upgrade) -> None:
    """Refuse to change versions where processes serve by a replica of the registry that is not up to date.

    They would not know the namespace that becomes the active one.

    Raises: Conflict (`registry-replica-behind`) · DatabaseBusy.
    """
    for database in sorted({row.source_database, row.target_database} - {""}):
        age = wiring.replica_age_seconds(database)
        if age is not None and age > REPLICA_SECONDS:
            raise Conflict(
                message(
                    "The replica of the registry in {database} is {age} s old: the region is cut off.",
                    database=database,
                    age=f"{age:.0f}",
                ),
                code="registry-replica-behind",
                remedy=message(
                    "Wait until its processes reach the control database again. Where none serves by a "
                    "replica any more, drop the schema switchyard_replica of {database}.",
                    database=database,
                ),
                database=database,
            )

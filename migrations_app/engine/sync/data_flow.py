"""Whether the data of an upgrade flow in a direction now."""

from __future__ import annotations

from migrations_app.domain.switch.states import FINAL, State
from migrations_app.engine.controller import Done
from migrations_app.ports.upgrades import Direction, UpgradeRecord

FORWARD_STATES = frozenset({State.SYNCING, State.READY, State.SWITCHING})
"""States in which the data flow to the new version."""


def flows(record: UpgradeRecord, direction: Direction) -> bool:
    """Tell whether the data of an upgrade are to flow in a direction now."""
    if record.paused or record.direction is not direction:
        return False
    if direction is Direction.REVERSE:
        return record.enable_downgrade_sync
    return record.state in FORWARD_STATES


def stopped(record: UpgradeRecord, direction: Direction) -> Done:
    """End a key whose data do not flow: for good when the upgrade has ended or goes the other way by other keys."""
    return Done(for_good=record.state in FINAL or record.direction is not direction)

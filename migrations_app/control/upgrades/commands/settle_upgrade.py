"""Settle a halted upgrade: a person looked, and the fence says which version owns the data."""

from __future__ import annotations

from migrations_app.control.registry.repository import mirror as registry_mirror
from migrations_app.control.upgrade_state.commands.acting import acting
from migrations_app.control.upgrade_state.repository.moves import move
from migrations_app.control.upgrade_state.repository.upgrade_rows import DIRECTOR
from migrations_app.control.upgrade_state.repository.upgrades import record_of
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.messages import as_message, message
from migrations_app.ports.fence import FenceLocation, Mode
from migrations_app.ports.upgrades import TimelineEntry, UpgradeKind, UpgradeRecord
from migrations_app.wiring import dispatch, fence


def settle_upgrade(actor: Actor, upgrade_id: str, finding: str, rev: int | None = None) -> str:
    """Let a halted upgrade end on the old version, or go on as switched, as the fence has it.

    Raises: Missing, Denied, Stale, Invalid (`settle-finding`), Conflict (`upgrade-state`, `fence-not-open`).
    """
    with acting(actor, upgrade_id, "settle", rev) as row:
        if not finding.strip():
            raise Invalid(
                message("Say what you found."),
                code="settle-finding",
                remedy=message("Write it in the comment."),
            )
        record = record_of(row)
        new_owns = _owner(record) == record.target
        event = UpgradeEvent.SETTLE_NEW if new_owns else UpgradeEvent.SETTLE_OLD
        owner = row.to_version if new_owns else row.from_version
        words = message("{who} resolved it: {version} owns the data.", who=actor.name, version=owner)
        move(row, event, actor, TimelineEntry(event.value, words + as_message(finding.strip())))
        registry_mirror.show(row)
        dispatch().poke(DIRECTOR, row.id)
    return upgrade_id


def _owner(record: UpgradeRecord) -> object:
    """Find the namespace whose fence is open.

    Raises: Conflict (`fence-not-open`).
    """
    said = []
    for place in (record.source, record.target):
        state = fence().state(FenceLocation.of(place))
        if state.mode is Mode.OPEN and state.active_version == place.version:
            return place
        name = f"{place.database}/{place.schema}" if record.kind is UpgradeKind.SHARDS else place.database
        said.append(f"{name}: {state.mode.value} for {state.active_version}")
    raise Conflict(
        message("The fence is open for neither version ({said}).", said="; ".join(said)),
        code="fence-not-open",
        remedy=message("Wait until its deadline has passed, and look again."),
    )

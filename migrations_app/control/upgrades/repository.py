"""How the copy of a planned upgrade begins, let by a person, or the wave it belongs to."""

from __future__ import annotations

from migrations_app.control.approval_policies.repository.approvals import evidence_of
from migrations_app.control.registry.repository import mirror as registry_mirror
from migrations_app.control.registry.repository.upgrade_contexts import keep_place
from migrations_app.control.upgrade_state.repository.evidence import checks_of
from migrations_app.control.upgrade_state.repository.moves import move
from migrations_app.control.upgrade_state.repository.upgrades import record_of
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.guards import demand
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.kernel.messages import WordedMessage
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import TimelineEntry, UpgradeKind


def begin_copy(row: Upgrade, actor: Actor, words: WordedMessage) -> None:
    """Start a locked, planned upgrade.

    Raises: Conflict (`upgrade-state`, `guard-*`).
    """
    checks = checks_of(row, "start")
    demand("start", checks)
    record = record_of(row)
    keep_place(record.source, shard_count=record.source.ring)
    if record.kind is UpgradeKind.VERSION:
        # The same version is served from where it is until the switch; then the place itself moves.
        keep_place(record.target, shard_count=record.target.ring)
    move(row, UpgradeEvent.START, actor, TimelineEntry("started", words, {"checks": evidence_of(checks)}))
    registry_mirror.show(row)

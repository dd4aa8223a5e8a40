"""Switch reverse replication on after a switch that was planned without it: the old version is brought in step again."""

from __future__ import annotations

from django.utils import timezone

from migrations_app import wiring
from migrations_app.control.approvals.repository.rounds import freshen
from migrations_app.control.audit.ledger import record
from migrations_app.control.upgrade_state.commands.acting import acting, refuse_when_closing
from migrations_app.control.upgrade_state.repository.moves import write
from migrations_app.control.upgrade_state.repository.upgrade_rows import DIRECTOR, target_of
from migrations_app.control.upgrades.commands.plan_upgrade import demand_conversion_back
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.plan import UpgradeKind
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import JsonObject, digest
from migrations_app.kernel.messages import message
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import Upgrade, UpgradeShard
from migrations_app.ports.upgrades import DirectorRequest, ShardState, TimelineEntry

ACTION = "enable-reverse-replication"
_UNBEGUN = {
    "state": ShardState.PENDING.value,
    "stage": "",
    "copied": 0,
    "total": 0,
    "applied": 0,
    "failed": 0,
    "lag_seconds": None,
    "rate_per_second": 0.0,
    "error": "",
    "throttled": "",
}
"""What the report of a shard says before it is copied back: the one of the way there says nothing of it."""


def enable_reverse_replication(actor: Actor, upgrade_id: str, rev: int | None = None) -> str:
    """Have everything of the new version copied back into the old one, and followed from then on.

    Until every shard is copied and compared there is no rollback. Votes given for a rollback before are void.
    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `already-asked`, `plan-no-rollback`).
    """
    with acting(actor, upgrade_id, ACTION, rev) as row:
        _demand(row)
        before: JsonObject = {"downgrade_sync": False}
        row.downgrade_sync, row.reverse_asked_at = True, timezone.now()
        row.plan = {**row.plan, "downgrade_sync": True}
        row.plan_digest = digest(row.plan)
        UpgradeShard.objects.filter(upgrade=row).update(
            **_UNBEGUN, reported_at=row.reverse_asked_at, changed_at=row.reverse_asked_at
        )
        after: JsonObject = {"downgrade_sync": True, "digest": row.plan_digest}
        record(actor, f"upgrade.{ACTION}", target_of(row), "done", before, after)
        words = message(
            "{who} enabled reverse replication to {version}.", who=actor.name, version=row.from_version
        )
        write(row, actor, TimelineEntry("reverse-replication-asked", words, after))
        for request in ApprovalRequest.objects.filter(upgrade_id=upgrade_id, closed_at__isnull=True):
            freshen(request.id)
        wiring.dispatch().poke(DIRECTOR, row.id)
    return upgrade_id


def _demand(row: Upgrade) -> None:
    refuse_when_closing(row)
    if row.request == DirectorRequest.REVERT.value:
        raise Conflict(
            message(
                "{request_by} has asked to roll back to the data as of the switch; it is under way.",
                request_by=row.request_by,
            ),
            code="already-asked",
            remedy=message("Wait for it."),
        )
    if row.kind == UpgradeKind.VERSION.value:
        demand_conversion_back(
            row.service,
            row.to_version,
            row.from_version,
            message(
                "Let the edge convert both ways, or roll back to {version}'s data as of the switch.",
                version=row.from_version,
            ),
        )

"""Take the report that shards of a deployment are ready, or no longer are."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app.control.registry.commands.change_deployment import change_deployment
from migrations_app.control.registry.repository.saving import is_hosted
from migrations_app.domain.access import Actor
from migrations_app.domain.registry.upgrade import advance, notify_readiness
from migrations_app.domain.registry.values import Deployment
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.messages import message
from migrations_app.models.registry import RESHARDED, ShardState


def report_shards(
    actor: Actor, name: str, first: int, last: int, *, ready: bool, total: int = 0
) -> Deployment:
    """Move the shards first..last to ready or back; the upgrade goes on when all are caught up.

    Once: the same report again changes nothing.
    Raises: Denied, Missing, Invalid (`shard-range`), Conflict (`upgrade-not-running`, `upgrade-hosted`).
    """
    with transaction.atomic():
        if is_hosted(name):
            raise Conflict(
                message("The shards of {name} are moved by Switchyard itself.", name=name),
                code="upgrade-hosted",
                remedy=message("Watch the upgrade; no report is needed for it."),
            )
        rings: list[int] = []

        def decide(before: Deployment) -> Deployment:
            rings.append(before.upgrade_state.total if before.upgrade_state else 0)
            return advance(
                notify_readiness(before, first, last, ready, total), before.automatic_version_switch
            )

        after = change_deployment(actor, name, "upgrade.report", decide)
        _keep(after, first, last, ready, before=rings[-1])
    return after


def _keep(after: Deployment, first: int, last: int, ready: bool, *, before: int) -> None:
    """Keep when each shard was heard from, and of a ring that gave way how large it was and until when.

    A finished upgrade needs no such rows.
    """
    state = after.upgrade_state
    kept = ShardState.objects.filter(deployment_id=after.name)
    if state is None:
        kept.delete()
        return
    if before != state.total:
        kept.delete()
        ShardState.objects.create(
            deployment_id=after.name, ring=before, shard=0, stage=RESHARDED, reported_at=timezone.now()
        )
    ShardState.objects.bulk_create(
        [
            ShardState(
                deployment_id=after.name,
                ring=state.total,
                shard=shard,
                state="ready" if ready else "pending",
                stage=state.stage.value,
                reported_at=timezone.now(),
            )
            for shard in range(first, last + 1)
        ],
        update_conflicts=True,
        update_fields=["state", "stage", "reported_at"],
        unique_fields=["deployment", "ring", "shard"],
    )

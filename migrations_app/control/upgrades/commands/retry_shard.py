"""Have one shard of an upgrade go on: its quarantined resources are tried again, and its work is due now.

Whatever else of the upgrade's work has stopped for a person goes on as well.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from migrations_app import wiring
from migrations_app.control.audit.ledger import record
from migrations_app.control.upgrade_state.repository.moves import write
from migrations_app.control.upgrade_state.repository.upgrade_rows import expect_rev, locked, target_of
from migrations_app.domain.access import Actor, require
from migrations_app.domain.switch.states import STATE_SENTENCES, State
from migrations_app.engine.controller import OF_UPGRADES
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import counted, message
from migrations_app.models.sync import QuarantineEntry
from migrations_app.models.work import Work
from migrations_app.ports.checkpoints import QuarantineState, ShardKey
from migrations_app.ports.upgrades import Direction, TimelineEntry

SHARDS = "sync"
FORWARD, BACK = (State.SYNCING, State.READY, State.SWITCHING), (State.REVERSIBLE, State.REVERTING)


def retry_shard(actor: Actor, upgrade_id: str, shard: int | None, rev: int | None = None) -> str:
    """Try a shard again.

    Raises: Missing, Denied, Stale, Invalid (`shard`), Conflict (`upgrade-state`).
    """
    with transaction.atomic():
        row = locked(upgrade_id)
        require(actor, "upgrade.repair", target_of(row))
        expect_rev(row, rev)
        if shard is None or not 0 <= shard < row.shard_count:
            raise Invalid(
                message("There is no such shard."),
                code="shard",
                remedy=message("Name one of 0 to {shard_count}.", shard_count=row.shard_count - 1),
            )
        state = State(row.state)
        if state not in (*FORWARD, *BACK):
            raise Conflict(
                STATE_SENTENCES[state] + message("No worker works on its shards."),
                code="upgrade-state",
                state=row.state,
            )
        if row.paused:
            raise Conflict(message("It is paused; resume it first."), code="upgrade-state", state=row.state)
        direction = Direction.FORWARD if state in FORWARD else Direction.REVERSE
        quarantined = QuarantineEntry.objects.filter(
            upgrade=upgrade_id,
            direction=direction.value,
            shard=shard,
            state=QuarantineState.QUARANTINED.value,
        ).update(state=QuarantineState.RETRY.value, retry_at=timezone.now())
        after: JsonObject = {"shard": shard, "quarantined": quarantined}
        record(actor, "upgrade.retry-shard", target_of(row), "done", after=after)
        words = (
            counted(
                quarantined,
                "{who} retried shard {shard}, with {count} quarantined resource.",
                "{who} retried shard {shard}, with {count} quarantined resources.",
                who=actor.name,
                shard=shard,
            )
            if quarantined
            else message("{who} retried shard {shard}.", who=actor.name, shard=shard)
        )
        write(row, actor, TimelineEntry("shard-retried", words, after))
        key = str(ShardKey(upgrade_id, direction, shard))
        wiring.leases().wake(SHARDS, key, lift_quarantine=True)
        wiring.dispatch().poke(SHARDS, key)
        _let_go_on(upgrade_id)
    return upgrade_id


def _let_go_on(upgrade_id: str) -> None:
    """Let every key of an upgrade go on that waits for a person: what stopped one has as a rule stopped others."""
    keys = Q(key=upgrade_id) | Q(key__startswith=f"{upgrade_id}/")
    stopped = Work.objects.filter(keys, controller__in=OF_UPGRADES, quarantined_at__isnull=False)
    for controller, key in stopped.values_list("controller", "key"):
        wiring.leases().wake(controller, key, lift_quarantine=True)
        wiring.dispatch().poke(controller, key)

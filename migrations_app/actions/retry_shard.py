"""Have one shard of an upgrade go on: its parked resources are tried again, and its work is due now."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app import wiring
from migrations_app.adapters.ledger import record
from migrations_app.adapters.repositories.upgrade_moves import expect_rev, locked, target_of, write
from migrations_app.domain.access import Actor, require
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.words import count
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.models.sync import ParkedResource
from migrations_app.ports.checkpoints import ParkedState, ShardKey
from migrations_app.ports.upgrades import Direction, Line

SHARDS = "sync"
FORWARD, BACK = (State.SYNCING, State.READY), (State.REVERSIBLE, State.REVERTING)


def retry_shard(actor: Actor, upgrade_id: str, shard: int | None, rev: int | None = None) -> str:
    """Try a shard again.

    Raises: Missing, Denied, Stale, Invalid (`shard`), Conflict (`upgrade-state`).
    """
    with transaction.atomic():
        row = locked(upgrade_id)
        require(actor, "upgrade.repair", target_of(row))
        expect_rev(row, rev)
        if shard is None or not 0 <= shard < row.ring:
            raise Invalid("There is no such shard.", code="shard", remedy=f"Name one of 0 to {row.ring - 1}.")
        state = State(row.state)
        if state not in (*FORWARD, *BACK):
            raise Conflict(
                f"It is {row.state}; no shard is worked on.", code="upgrade-state", state=row.state
            )
        if row.paused:
            raise Conflict("It is paused; resume it first.", code="upgrade-state", state=row.state)
        direction = Direction.FORWARD if state in FORWARD else Direction.REVERSE
        parked = ParkedResource.objects.filter(
            upgrade=upgrade_id, direction=direction.value, shard=shard, state=ParkedState.PARKED.value
        ).update(state=ParkedState.RETRY.value, retry_at=timezone.now())
        after: JsonObject = {"shard": shard, "parked": parked}
        record(actor, "upgrade.retry-shard", target_of(row), "done", after=after)
        tried = f", with {count(parked, 'parked resource')}" if parked else ""
        write(row, actor, Line("shard-retried", f"{actor.name} had shard {shard} tried again{tried}.", after))
        key = str(ShardKey(upgrade_id, direction, shard))
        wiring.leases().wake(SHARDS, key, unpark=True)
        wiring.dispatch().poke(SHARDS, key)
    return upgrade_id

"""Tombstones of a real namespace, more than a page: brought on by the next director when one is killed in between."""

from __future__ import annotations

import pytest

from migrations_app.adapters.repositories.sync import DjangoCheckpoints
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget
from migrations_app.engine.switch import preparing
from migrations_app.engine.switch.director import Director
from migrations_app.engine.switch.tombstones import PAGE
from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import Busy
from migrations_app.ports.locks import Again, Lease, Outcome
from tests.integration.sync.real_world import RealWorld

pytestmark = pytest.mark.django_db(transaction=True)
BURIED = 3 * PAGE + 1
BURY = """
INSERT INTO toy_v1.tombstone (type, name, uid, revision)
SELECT 'Queue', 'queues/' || lpad(n::text, 5, '0'), gen_random_uuid(), 7 FROM generate_series(1, %s) n
"""


def slice_of(world: RealWorld, seconds: float = 0.0) -> Outcome:
    """One slice of a process that has just been started."""
    world.epoch += 1
    lease = Lease("u1", world.epoch, "switch")
    return Director(world.ports).reconcile("u1", Budget(seconds, world.ports.clock), lease)


def brought(world: RealWorld) -> int:
    return len(world.ports.store.tombstones(world.v2, "List", limit=2 * BURIED))


def test_the_next_director_goes_on_after_the_last_page_that_was_noted(data_database: str) -> None:
    world = RealWorld(aliases=(data_database,), kept=DjangoCheckpoints())
    with world.pools.connection(data_database) as connection:
        connection.execute(BURY, (BURIED,))
    assert slice_of(world) == Again(0.0)
    failpoints.arm("tombstones.applied:raise")
    try:
        with pytest.raises(Busy, match="Failpoint"):
            slice_of(world)
    finally:
        failpoints.arm("")
    seen = [brought(world)]
    world.put("queues/00001", 1)
    while not preparing.prepared(world.ports, world.record):
        slice_of(world)
        seen.append(brought(world))
    # The page that was not noted was brought again; the last slice found nothing left.
    assert seen == [2 * PAGE, 2 * PAGE, 3 * PAGE, BURIED, BURIED]

    world.turn_until(State.READY)
    world.settle()
    assert {
        (grave.name, grave.revision)
        for grave in world.ports.store.tombstones(world.v2, "List", limit=2 * BURIED)
    } == {(f"lists/{n:05}", 7) for n in range(1, BURIED + 1)}
    assert world.contents(world.v2) == {("List", "lists/00001"): ({"amount": 1}, 8)}
    world.pools.close()

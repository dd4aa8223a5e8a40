"""What is behind is counted whole before a switch, also where one question counts no further than its limit."""

from __future__ import annotations

import pytest

from migrations_app.adapters.feed import memory
from migrations_app.domain.switch.states import State
from migrations_app.engine.switch import preflight
from migrations_app.engine.switch.switchover import switchover_of
from migrations_app.ports.upgrades import Direction
from tests.simulation.world import World


@pytest.mark.parametrize("limit", [5, 10_000])
def test_entries_behind_are_counted_of_each_shard_where_all_together_are_more_than_is_counted(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (memory, preflight):
        monkeypatch.setattr(module, "BACKLOG_LIMIT", limit)
    world = World(ring=4)
    world.turn_until(State.READY)
    for _ in range(3):
        world.turn()
    shards = [world.put(f"queues/{n}", n).shard for n in range(12)]
    assert max(map(shards.count, shards)) <= 5 < len(shards)
    found = preflight.behind(world.ports, switchover_of(world.ports, world.record, Direction.FORWARD))
    # Each is to be followed, and to be compared.
    assert found.entries == 2 * len(shards)

"""While an upgrade is open, whatever damages the passive side is found, mended and listed, in both directions."""

from __future__ import annotations

import pytest

from migrations_app.domain.switch.states import State
from migrations_app.engine.parity.watch import ParityController
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import DirectorRequest
from tests.integration.sync.real_world import RealWorld
from tests.waiting import attempts

NAMES = 30


def damage(world: RealWorld, namespace: Namespace, table: str, prefix: str) -> None:
    """Change one resource behind everybody's back, remove one, and make one up."""
    with world.pools.transaction(namespace.database) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute(f"SET LOCAL search_path = {namespace.schema}")
        # The fence watches those too who leave ordinary triggers out.
        connection.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER guard')
        connection.execute(
            f'UPDATE "{table}" SET body = \'{{"other": 1}}\' WHERE name = %s', (f"{prefix}/1",)
        )
        connection.execute(f'DELETE FROM "{table}" WHERE name = %s', (f"{prefix}/2",))
        connection.execute(
            f'INSERT INTO "{table}" SELECT %s, shard, origin_shard, gen_random_uuid(), revision, body, metadata, '
            f'owning_region, create_time, update_time FROM "{table}" WHERE name = %s',
            (f"{prefix}/3-twin", f"{prefix}/3"),
        )
        connection.execute(f'ALTER TABLE "{table}" ENABLE ALWAYS TRIGGER guard')


def mended(world: RealWorld) -> dict[str, str]:
    return {
        mismatch.name: f"{mismatch.kind} {repair}"
        for mismatch, repair in world.kept.differences(world.record.id)
    }


def bodies(world: RealWorld, namespace: Namespace) -> dict[str, object]:
    """The values by the number in the name."""
    return {
        name.partition("/")[2]: next(iter(body.values()))
        for (_, name), (body, _) in world.contents(namespace).items()
    }


@pytest.mark.parametrize(
    ("direction", "kind"),
    [
        ("forward", "world"),
        ("reverse", "world"),
        ("forward", "resharding_world"),
        ("reverse", "resharding_world"),
    ],
)
def test_damage_is_found_mended_and_listed(request: pytest.FixtureRequest, direction: str, kind: str) -> None:
    world: RealWorld = request.getfixturevalue(kind)
    world.parity = ParityController(world.ports, full_pass_seconds=0.0, page=10)
    for n in range(NAMES):
        world.put(f"queues/{n}", n)
    world.turn_until(State.READY)
    if direction == "reverse":
        for _ in attempts():
            if world.record.state is State.REVERSIBLE:
                break
            if world.record.request is None:
                world.upgrades.ask("u1", DirectorRequest.SWITCH)
            world.turn()
    forward = direction == "forward"
    passive, table, prefix = (world.v2, "r_List", "lists") if forward else (world.v1, "r_Queue", "queues")
    world.settle()
    damage(world, passive, table, prefix)
    assert bodies(world, passive) != bodies(world, world.active)
    for _ in attempts():
        world.turn()
        if len(mended(world)) == 3 and bodies(world, passive) == bodies(world, world.active):
            break
    assert mended(world) == {
        f"{prefix}/1": "content written again at the origin",
        f"{prefix}/2": "missing sent across again",
        f"{prefix}/3-twin": "extra removed",
    }
    # What was too much is kept with its document, though it was looked for by names alone.
    extra = next(each.actual for each, _ in world.kept.differences(world.record.id) if each.expected is None)
    assert extra is not None
    assert list(extra.body.values()) == [3]
    assert bodies(world, passive) == bodies(world, world.active) == {str(n): n for n in range(NAMES)}

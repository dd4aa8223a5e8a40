"""While an upgrade is open, whatever damages the passive side is found, mended and listed, in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Never

import pytest

from migrations_app.adapters.store.comparing import PostgresComparing
from migrations_app.domain.switch.states import State
from migrations_app.engine.parity.downgrade_loss import price_of
from migrations_app.engine.parity.watch import ParityController
from migrations_app.ports.conversions import Converter
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import Direction, DirectorRequest, UpgradeRecord
from tests.integration.sync.real_world import RealWorld
from tests.simulation.world import ToyConversions, ToyConverter
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


class StayingConverter(ToyConverter):
    """Names stay, and the database can compare."""

    def __init__(self, direction: Direction) -> None:
        super().__init__(direction)
        self._old = ("queues/", "queues/")
        body = f"jsonb_build_object('{self._new[1]}', body -> '{self._new[0]}')"
        self.sql = SimpleNamespace(  # type: ignore[assignment]
            name_expression="name", body_expression=body, unsure_expression="false", references=None
        )


class StayingConversions(ToyConversions):
    def converters(self, record: UpgradeRecord, direction: Direction) -> Mapping[str, Converter]:
        type_ = "Queue" if direction is Direction.FORWARD else "List"
        return {**super().converters(record, direction), type_: StayingConverter(direction)}


class OneLook(PostgresComparing):
    """Refuses to read a page for one question alone."""

    def compare_page(self, *_: object) -> Never:
        raise AssertionError("One look answers more.")

    absent_page = count_page = count_return_page = compare_page


def test_one_look_compares_both_ways_and_counts_the_losses(world: RealWorld) -> None:
    conversions = StayingConversions(("Queue",))
    world.ports = replace(world.ports, conversions=conversions, comparing=OneLook(world.pools))
    world.engage(world.ports)
    world.parity = ParityController(world.ports, full_pass_seconds=0.0, page=3)
    for n in range(NAMES):
        world.put(f"queues/{n}", n)
    world.turn_until(State.READY)
    world.settle()
    damage(world, world.v2, "r_List", "queues")
    for _ in attempts():
        world.turn()
        if len(mended(world)) == 3 and bodies(world, world.v2) == bodies(world, world.active):
            break
    assert mended(world) == {
        "queues/1": "content written again at the origin",
        "queues/2": "missing sent across again",
        "queues/3-twin": "extra removed",
    }
    for _ in attempts():
        world.turn()
        price = price_of(world.ports, world.record, Direction.FORWARD)
        if price.whole:
            break
    assert (price.whole, price.losses) == (True, 0)
    assert all(each.looked for each in world.kept.prices(world.record.id, Direction.FORWARD))


def test_more_that_is_too_much_than_one_look_reads_is_found_and_removed(world: RealWorld) -> None:
    world.ports = replace(world.ports, conversions=StayingConversions(("Queue",)))
    world.engage(world.ports)
    world.parity = ParityController(world.ports, full_pass_seconds=0.0, page=2)
    for n in range(NAMES):
        world.put(f"queues/{n}", n)
    world.turn_until(State.READY)
    world.settle()
    with world.pools.transaction(world.v2.database) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute(f"SET LOCAL search_path = {world.v2.schema}")
        connection.execute('ALTER TABLE "r_List" DISABLE TRIGGER guard')
        connection.execute(
            "INSERT INTO \"r_List\" SELECT name || '-' || n, shard, origin_shard, gen_random_uuid(), revision, body, "
            'metadata, owning_region, create_time, update_time FROM "r_List", generate_series(10, 19) n '
            "WHERE name = 'queues/3'"
        )
        connection.execute('ALTER TABLE "r_List" ENABLE ALWAYS TRIGGER guard')
    for _ in attempts():
        world.turn()
        if bodies(world, world.v2) == bodies(world, world.active):
            break
    assert mended(world) == {f"queues/3-{n}": "extra removed" for n in range(10, 20)}
    assert bodies(world, world.v2) == {str(n): n for n in range(NAMES)}

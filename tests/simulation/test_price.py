"""What the old version cannot show is counted in full before a switch, in pages, and told as far as it is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from migrations_app.domain.switch.guards import judge
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Lease
from migrations_app.engine.parity.downgrade_loss import count_page, price_of
from migrations_app.engine.switch.preflight import measure
from migrations_app.engine.switch.switchover import switchover_of
from migrations_app.engine.sync.shard_pipeline import pipeline_of
from migrations_app.kernel.errors import Invalid, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.conversions import Converter
from migrations_app.ports.upgrades import Direction, DirectorRequest, UpgradeRecord
from tests.simulation.world import Named, ToyConversions, ToyConverter, World

MANY, FEW = 300, 7
NEVER = timedelta(days=1)


class LossyConverter(ToyConverter):
    """On the rollback amounts below zero stay in a bag, deep inside the document; 666 does not roll back at all."""

    def forward(self, name: str, body: JsonObject) -> Named:
        made = super().forward(name, body)
        amount = made.body.get("value", 0)
        if amount == 666:
            raise Invalid(f"{name} has no rollback.", code="no-way-back")
        if isinstance(amount, int) and amount < 0:
            made.body["parts"] = [{"$sy": {"f": 1, "b": {"amount": {"v": amount}}}}]
        return made


class LossyConversions(ToyConversions):
    def converters(self, record: UpgradeRecord, direction: Direction) -> Mapping[str, Converter]:
        found = dict(super().converters(record, direction))
        if direction is Direction.REVERSE and "List" in found:
            found["List"] = LossyConverter(direction)
        return found


@pytest.fixture
def world() -> World:
    """Three hundred queues, the last seven by name below zero: no sample from the front would meet one."""
    made = World(types=("Queue",))
    made.ports = replace(made.ports, conversions=LossyConversions(("Queue",)))
    made.engage(made.ports)
    for n in range(MANY):
        made.put(f"queues/{n:03}", n if n < MANY - FEW else -n)
    return made


def told(world: World, step: str, check: str) -> tuple[str, str]:
    direction = Direction.FORWARD if step == "switch" else Direction.REVERSE
    facts = measure(world.ports, switchover_of(world.ports, world.record, direction))
    (found,) = [each for each in judge(step, facts) if each.check == check]
    return found.verdict.value, found.sentence


def count(world: World, shard: int, limit: int, epoch: int = 1_000_000) -> bool:
    pipeline = pipeline_of(world.ports, world.record, world.record.direction, shard)
    return count_page(world.ports, pipeline, Lease(str(pipeline.key), epoch, "parity"), limit, NEVER)


def test_a_few_among_many_are_all_counted_before_the_switch(world: World) -> None:
    world.turn_until(State.READY)
    world.turn()
    assert price_of(world.ports, world.record, Direction.FORWARD).whole
    assert told(world, "switch", "reverse-replication") == (
        "warn",
        "The rollback works; 7 resources with values that v1 cannot show.",
    )


def test_while_it_is_counted_the_switch_waits_and_says_how_far_it_is(world: World) -> None:
    world.turn_until(State.READY)
    world.checkpoints._prices.clear()
    while count(world, 0, limit=10):
        so_far = price_of(world.ports, world.record, Direction.FORWARD)
        assert not so_far.whole
        assert so_far.looked % 10 == 0
    one = price_of(world.ports, world.record, Direction.FORWARD)
    words = f"values of at least {one.losses} resources of the first {one.looked}"
    assert 0 < one.losses < FEW
    assert 0 < one.looked < MANY
    assert told(world, "switch", "reverse-replication") == (
        "pending",
        f"Checking what a rollback would lose: {words}.",
    )
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.run(world.director, "u1")
    assert world.record.state is State.READY
    assert world.upgrades.lines[-1][1].kind == "refused"

    while count(world, 1, limit=10):
        continue
    both = price_of(world.ports, world.record, Direction.FORWARD)
    assert (both.whole, both.losses) == (True, FEW)


def test_a_worker_that_lost_its_lease_counts_nothing_twice(world: World) -> None:
    world.turn_until(State.READY)
    world.checkpoints._prices.clear()
    count(world, 0, limit=10)
    key = ShardKey("u1", Direction.FORWARD, 0)
    late = world.checkpoints.load_price(key)
    count(world, 0, limit=10)
    with pytest.raises(Stale):
        world.checkpoints.save_price(late, 1_000_000)
    with pytest.raises(Stale):
        count(world, 0, limit=10, epoch=1)
    assert world.checkpoints.load_price(key).looked == 20


def test_what_does_not_go_back_at_all_stops_the_switch_by_name(world: World) -> None:
    world.put("queues/050", 666)
    world.turn_until(State.READY)
    world.turn()
    assert told(world, "switch", "reverse-replication") == (
        "fail",
        "The rollback was not verified: List lists/050: lists/050 has no rollback.",
    )


def test_after_the_switch_it_is_counted_anew_and_what_was_written_there_is_in_it(world: World) -> None:
    world.turn_until(State.READY)
    for _ in range(3):
        world.turn()
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.turn_until(State.REVERSIBLE)
    for _ in range(3):
        world.turn()
    world.put("lists/new", -1, "List")
    assert price_of(world.ports, world.record, Direction.REVERSE).losses == FEW
    world.clock.advance(601)
    for _ in range(3):
        world.turn()
    assert told(world, "rollback", "downgrade-loss") == (
        "warn",
        "What was written since the switch is kept in v1 too; 8 resources with values that v1 cannot show.",
    )

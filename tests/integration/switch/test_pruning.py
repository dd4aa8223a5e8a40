"""What is not needed any more is removed: entries every reader has passed, and the places of ended upgrades."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from migrations_app.adapters.repositories.places import DjangoPlaces
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Again, Budget, Lease
from migrations_app.engine.switch.pruning import PruneController
from migrations_app.kernel import failpoints
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.errors import Busy
from migrations_app.models import registry as rows
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.stored import Layout
from tests.integration.sync.real_world import RealWorld
from tests.simulation.world import DEPLOYMENT

pytestmark = pytest.mark.django_db


def ended(
    world: RealWorld, state: State, *, hours_ago: float, id: str = "u9", target_schema: str = ""
) -> None:
    at = timezone.now() - timedelta(hours=hours_ago)
    Upgrade.objects.create(
        id=id,
        deployment=DEPLOYMENT,
        service="toy.example.com",
        region="here",
        from_version="v1",
        to_version="v2",
        state=state.value,
        created_by="olga",
        plan={},
        plan_digest="d",
        source_database=world.v1.database,
        source_schema=world.v1.schema,
        target_database=world.v2.database,
        target_schema=target_schema or world.v2.schema,
        started_at=at,
        finished_at=at,
    )


def prune(world: RealWorld, key: str) -> object:
    controller = PruneController(
        world.ports.store, world.ports.feed, DjangoPlaces(), world.throttle, HeldClock()
    )
    return controller.reconcile(key, Budget(2.0, world.ports.clock), Lease(key, 1, "prune"))


@pytest.mark.parametrize(
    ("state", "hours", "left"),
    [
        (State.ABORTED, 25.0, {"v1"}),
        (State.REVERTED, 25.0, {"v1"}),
        (State.COMPLETED, 25.0, {"v2"}),
        (State.ABORTED, 23.0, {"v1", "v2"}),
    ],
)
def test_the_place_an_ended_upgrade_left_is_dropped_after_a_day(
    world: RealWorld, state: State, hours: float, left: set[str]
) -> None:
    world.ports.store.prepare(world.v2, [Layout("List")])
    ended(world, state, hours_ago=hours)
    assert prune(world, "leftovers") == Again(300.0)
    assert {one.version for one in (world.v1, world.v2) if world.ports.store.types(one)} == left
    assert DjangoPlaces().left_over() == []


def test_ended_upgrades_whose_places_were_dropped_are_not_read_again(world: RealWorld) -> None:
    for number in range(100):
        ended(
            world,
            State.REVERTED,
            hours_ago=90.0 - number / 100,
            id=f"u{number:03}",
            target_schema=f"s{number}",
        )
        DjangoPlaces().dropped(replace(world.v2, schema=f"s{number}"))
    ended(world, State.REVERTED, hours_ago=25.0)
    read: list[int] = []

    def count(execute: Callable[..., object], *call: object) -> object:
        answer = execute(*call)
        read.append(call[-1]["cursor"].rowcount)  # type: ignore[index]
        return answer

    with connection.execute_wrapper(count):
        assert [each.schema for each in DjangoPlaces().left_over()] == [world.v2.schema]
    # The one upgrade whose place is left; live upgrades and served namespaces are none.
    assert sum(read) == 1


def test_a_place_that_is_served_is_never_dropped(world: RealWorld) -> None:
    rows.Region.objects.create(id="here", created_at=timezone.now(), updated_at=timezone.now())
    service = rows.Service.objects.create(
        id="toy.example.com", created_at=timezone.now(), updated_at=timezone.now()
    )
    deployment = rows.Deployment.objects.create(
        name=DEPLOYMENT,
        service=service,
        region_id="here",
        current_version="v1",
        created_at=timezone.now(),
        updated_at=timezone.now(),
    )
    rows.Namespace.objects.create(
        deployment=deployment,
        version="v1",
        database=world.v1.database,
        schema=world.v1.schema,
        created_at=timezone.now(),
    )
    ended(world, State.COMPLETED, hours_ago=25.0)
    assert DjangoPlaces().left_over() == []
    assert prune(world, "feeds") == Again(60.0)


def tables(world: RealWorld) -> int:
    """How many tables are left of the new version's place."""
    with world.pools.connection(world.v2.database) as connection:
        asked = "SELECT count(*) FROM pg_tables WHERE schemaname = %s"
        (found,) = connection.execute(asked, (world.v2.schema,)).fetchone() or (0,)
    return int(str(found))


def test_a_worker_that_dies_in_between_leaves_the_rest_to_the_next(world: RealWorld) -> None:
    world.ports.store.prepare(world.v2, [Layout("List"), Layout("Note")])
    ended(world, State.ABORTED, hours_ago=25.0)
    whole = tables(world)
    failpoints.arm("drop.after:raise@3")
    try:
        with pytest.raises(Busy, match="Failpoint"):
            prune(world, "leftovers")
    finally:
        failpoints.arm("")
    assert tables(world) == whole - 3
    assert [place.schema for place in DjangoPlaces().left_over()] == [world.v2.schema]

    assert prune(world, "leftovers") == Again(300.0)
    assert tables(world) == 0
    assert DjangoPlaces().left_over() == []
    assert world.ports.store.types(world.v1) != ()


def test_it_rests_while_the_database_is_busy_and_stops_when_its_budget_is_spent(world: RealWorld) -> None:
    world.ports.store.prepare(world.v2, [Layout("List")])
    ended(world, State.ABORTED, hours_ago=25.0)
    whole = tables(world)
    world.throttle.said = "48 sessions are active"
    assert prune(world, "leftovers") == Again(5.0)
    assert tables(world) == whole

    world.throttle.said = ""
    controller = PruneController(
        world.ports.store, world.ports.feed, DjangoPlaces(), world.throttle, HeldClock()
    )
    spent = Budget(-1.0, world.ports.clock)
    assert controller.reconcile("leftovers", spent, Lease("leftovers", 1, "prune")) == Again(0.0)
    assert tables(world) == whole

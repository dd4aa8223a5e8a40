"""What is done to many resources at once: one contract, on PostgreSQL and in memory."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from migrations_app.kernel.errors import Conflict
from migrations_app.ports.feed import FeedOperation, Position
from migrations_app.ports.store import ABSENT, Draft, Reference, ReferenceKind, ShadowState
from tests.contract.conftest import World

SERVICE = "iam.example.com"
SOUTH = "services/apps.example.com/deployments/south"
EAST = "services/apps.example.com/deployments/east"


def _refer(world: World, name: str, *targets: str, kind: str = "CASCADE") -> None:
    references = tuple(
        Reference(f"at{number}", ReferenceKind(kind), SERVICE, "here", "v1", "Project", target)
        for number, target in enumerate(targets)
    )
    with world.store.transaction(world.old) as transaction:
        transaction.put(Draft("Secret", name, uuid4(), {}, references=references), ABSENT)


def test_referrers_of_many_are_told_so_many_to_each_and_so_many_to_all(world: World) -> None:
    for number in range(5):
        _refer(world, f"s/{number}", "p/1", *(["p/2"] if number < 2 else []))
    _refer(world, "s/other", "p/1", kind="UNSET")
    reading = world.store.read(world.old)

    def told(**bounds: int) -> list[tuple[str, str]]:
        found = reading.referrers_of(SERVICE, ["p/1", "p/2", "p/none"], ["CASCADE"], **bounds)  # type: ignore[arg-type]
        return sorted((each.reference.target_name, each.name) for each in found)

    assert told(each=10, most=100) == [
        *(("p/1", f"s/{number}") for number in range(5)),
        ("p/2", "s/0"),
        ("p/2", "s/1"),
    ]
    assert [target for target, _ in told(each=2, most=100)] == ["p/1", "p/1", "p/2", "p/2"]
    assert len(told(each=10, most=3)) == 3
    assert reading.referrers_of("other.example.com", ["p/1"], ["CASCADE"], each=9, most=9) == ()


def test_who_is_being_deleted_is_left_out_where_only_those_who_stay_are_asked_for(world: World) -> None:
    for name in ("s/1", "s/2"):
        _refer(world, name, "p/1")
    with world.store.transaction(world.old) as transaction:
        shadow = transaction.lock("Secret", "s/1")
        assert shadow is not None
        transaction.put_shadow(replace(shadow, state=ShadowState.DELETING, delete_id=1))
    reading = world.store.read(world.old)
    every = reading.referrers_of(SERVICE, ["p/1"], ["CASCADE"], each=1, most=9, staying=True)
    assert [each.name for each in every] == ["s/2"]


def test_shadows_are_those_of_what_exists(world: World) -> None:
    for name in ("a/1", "a/2"):
        world.write(name)
    with world.store.transaction(world.old) as transaction:
        shadow = transaction.lock("Secret", "a/2")
        assert shadow is not None
        transaction.put_shadow(replace(shadow, sources=(SOUTH,)))
    found = world.store.read(world.old).shadows("Secret", ["a/1", "a/2", "a/none"])
    assert {name: (each.sources, each.uid) for name, each in found.items()} == {
        "a/1": ((), world.uids["a/1"]),
        "a/2": ((SOUTH,), world.uids["a/2"]),
    }


def test_many_are_deleted_together_with_all_that_is_kept_of_them(world: World) -> None:
    for name in ("s/1", "s/2", "s/3"):
        _refer(world, name, "p/1")
    with world.store.transaction(world.old) as transaction:
        transaction.lock_all([("Secret", "s/2"), ("Secret", "s/1")])
        shadow = transaction.shadow("Secret", "s/1")
        assert shadow is not None
        transaction.put_shadow(replace(shadow, sources=(SOUTH,)))
        assert transaction.delete_all("Secret", ["s/1", "s/2", "s/none"]) == 2
    reading = world.store.read(world.old)
    assert set(reading.batch_get("Secret", ["s/1", "s/2", "s/3"])) == {"s/3"}
    assert [each.name for each in reading.referrers(SERVICE, "p/1")] == ["s/3"]
    assert reading.shadow("Secret", "s/1") is None
    batch = world.feed.read(world.old, Position("0.0"), settled=True)
    gone = sorted(each.name for each in batch.changes if each.operation is FeedOperation.DELETE)
    assert gone == ["s/1", "s/2"], "each appears in the feed"


def test_shadows_are_written_locked_and_forgotten_in_sets(world: World) -> None:
    uids = [world.write(name).uid for name in ("a/1", "a/2", "a/3")]
    with world.store.transaction(world.old) as transaction:
        shadows = transaction.shadows("Secret", ["a/1", "a/2", "a/3"])
        dying = [replace(each, state=ShadowState.DELETING, delete_id=1) for each in shadows.values()]
        transaction.constraints.write(*dying)
        transaction.constraints.write()
        transaction.delete_all("Secret", ["a/1", "a/2", "a/3"])
    with pytest.raises(Conflict) as barred:
        world.write("a/2", ABSENT)
    assert barred.value.code == "being-deleted"
    with world.store.transaction(world.old) as transaction:
        locked = transaction.constraints.lock_shadows(*uids, uuid4())
        assert {each.state for each in locked.values()} == {ShadowState.DELETING}
        assert set(locked) == set(uids)
        transaction.constraints.finalise(*uids[:2])
        transaction.constraints.finalise()
    assert [each.name for each in world.store.read(world.old).constraints.moving()] == ["a/3"]


def test_what_an_evicted_deployment_holds_is_released_page_by_page(world: World) -> None:
    uids = sorted((world.write(f"a/{number}").uid for number in range(3)), key=str)
    with world.store.transaction(world.old) as transaction:
        for shadow in transaction.shadows("Secret", [f"a/{number}" for number in range(3)]).values():
            transaction.put_shadow(replace(shadow, sources=(EAST, SOUTH)))
        for source in (SOUTH, EAST):
            transaction.constraints.block(f"1-{source}", source, dict.fromkeys(uids, "BLOCK"), 300)
            transaction.constraints.owe("1-mine", source)
    after, pages = "", 0
    while pages == 0 or after:
        with world.store.transaction(world.old) as transaction:
            after = transaction.constraints.release(SOUTH, after, 2)
        pages += 1
    found = world.store.read(world.old).constraints
    assert (pages, found.sources()) == (2, (EAST,))
    assert {each.source for each in found.blockades(*uids)} == {EAST}
    assert [each.target for each in found.owed(10)] == [EAST]
    shadow = found.shadow_of(uids[2])
    assert shadow is not None
    assert (shadow.sources, shadow.ref_epoch) == ((EAST,), 1)

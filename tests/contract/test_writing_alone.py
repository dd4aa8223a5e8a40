"""What every store promises of a write that is alone in its transaction, and of shadows that are held together."""

from __future__ import annotations

import threading
from uuid import uuid4

import pytest

from migrations_app.kernel.errors import Busy, Conflict, Missing, Stale
from migrations_app.ports.store import (
    ABSENT,
    Draft,
    Reference,
    ReferenceKind,
    Shadow,
    ShadowState,
    StoredResource,
)
from tests.contract.conftest import OLD, World

BLOCK = Reference("spec.a", ReferenceKind.BLOCK, "secrets.example.com", "north", OLD, "Secret", "a/1")
UNSET = Reference("spec.b[0]", ReferenceKind.UNSET, "other.example.com", "south", "v7", "Key", "k/é")


def _alone(world: World, draft: Draft, expected: int) -> StoredResource:
    with world.store.transaction(world.old) as transaction:
        return transaction.put(draft, expected, alone=True)


def test_a_write_alone_leaves_what_any_other_write_leaves(world: World) -> None:
    first = _alone(world, world.draft("a/1", size=1), ABSENT)
    second = _alone(world, world.draft("a/1", size=2), first.revision)

    assert (first.revision, second.revision) == (1, 2)
    assert world.store.read(world.old).get("Secret", "a/1") == second
    gone = world.delete("a/1")
    assert gone.revision == 2
    assert _alone(world, world.draft("a/1", size=3), ABSENT).revision == 4


def test_a_write_alone_is_refused_as_any_other_is_and_changes_nothing(world: World) -> None:
    _alone(world, world.draft("a/1", size=1), ABSENT)
    for name, expected, refusal, code in (
        ("a/1", ABSENT, Conflict, "already-exists"),
        ("a/1", 7, Stale, "revision-conflict"),
        ("a/2", 1, Missing, "not-found"),
    ):
        with pytest.raises(refusal) as refused:
            _alone(world, world.draft(name, size=2), expected)
        assert refused.value.code == code

    found = world.store.read(world.old).get("Secret", "a/1")
    assert found is not None
    assert (found.revision, found.body) == (1, {"size": 1})
    assert world.store.read(world.old).get("Secret", "a/2") is None


def test_a_write_alone_stops_at_the_fence(world: World) -> None:
    frozen = world.fence.freeze(world.old, world.state)
    with pytest.raises(Busy) as refused:
        _alone(world, world.draft("a/1"), ABSENT)
    assert refused.value.code == "frozen"
    world.fence.abort(frozen)
    with pytest.raises(Stale) as passive, world.store.transaction(world.new) as transaction:
        transaction.put(world.draft("a/1"), ABSENT, alone=True)
    assert (passive.value.code, passive.value.nouns["active"]) == ("version-not-active", OLD)
    assert world.store.read(world.new).get("Secret", "a/1") is None


def test_a_name_whose_resource_is_still_being_deleted_is_barred_for_a_write_alone(world: World) -> None:
    kept = world.write("a/1", ABSENT)
    with world.store.transaction(world.old) as transaction:
        transaction.delete("Secret", "a/1")
        transaction.put_shadow(Shadow("Secret", "a/1", ShadowState.DELETING, uid=kept.uid))
    with pytest.raises(Conflict) as refused:
        _alone(world, Draft("Secret", "a/1", uuid4(), {}), ABSENT)
    assert refused.value.code == "being-deleted"
    assert world.store.read(world.old).get("Secret", "a/1") is None


def test_a_name_is_barred_too_while_what_is_being_deleted_still_has_its_row(world: World) -> None:
    kept = world.write("a/1", ABSENT)
    with world.store.transaction(world.old) as transaction:
        transaction.put_shadow(Shadow("Secret", "a/1", ShadowState.DELETING, uid=kept.uid))
    with pytest.raises(Conflict) as refused:
        _alone(world, Draft("Secret", "a/1", uuid4(), {}), ABSENT)
    assert refused.value.code == "being-deleted"
    assert world.store.read(world.old).get("Secret", "a/1") == kept


def test_references_are_written_with_a_new_resource_and_cleared_by_an_update_without_any(
    world: World,
) -> None:
    reading = world.store.read(world.old)
    draft = world.draft("a/2")
    with world.store.transaction(world.old) as transaction:
        transaction.put(Draft("Secret", "a/2", draft.uid, {}, references=(BLOCK, UNSET)), ABSENT, alone=True)
    assert reading.references("Secret", "a/2") == (BLOCK, UNSET)

    _alone(world, Draft("Secret", "a/2", draft.uid, {}), 1)
    assert reading.references("Secret", "a/2") == (BLOCK, UNSET)
    with pytest.raises(Stale):
        _alone(world, Draft("Secret", "a/2", draft.uid, {}, references=()), 1)
    assert reading.references("Secret", "a/2") == (BLOCK, UNSET)
    with world.store.transaction(world.old) as transaction:
        transaction.put(Draft("Secret", "a/2", draft.uid, {}, references=(UNSET,)), 2)
    assert reading.references("Secret", "a/2") == (UNSET,)
    assert _alone(world, Draft("Secret", "a/2", draft.uid, {}, references=()), 3).revision == 4
    assert reading.references("Secret", "a/2") == ()


def test_holding_tells_the_states_of_what_exists(world: World) -> None:
    world.write("a/1", ABSENT)
    pending = world.write("a/2", ABSENT)
    dying = world.write("a/3", ABSENT)
    with world.store.transaction(world.old) as transaction:
        transaction.put_shadow(Shadow("Secret", "a/2", ShadowState.DELETE_PENDING, uid=pending.uid))
        transaction.delete("Secret", "a/3")
        transaction.put_shadow(Shadow("Secret", "a/3", ShadowState.DELETING, uid=dying.uid))

    targets = [("Secret", f"a/{number}") for number in range(1, 5)]
    with world.store.transaction(world.old) as transaction:
        assert transaction.hold(targets) == {
            ("Secret", "a/1"): ShadowState.ACTIVE,
            ("Secret", "a/2"): ShadowState.DELETE_PENDING,
        }
        assert transaction.hold([]) == {}


def test_who_holds_shares_with_others_who_hold_and_keeps_out_who_locks(postgres_world: World) -> None:
    world = postgres_world
    for number in (1, 2):
        world.write(f"a/{number}", ABSENT)
    targets = [("Secret", "a/1"), ("Secret", "a/2")]
    with world.store.transaction(world.old) as first:
        # The process that holds a shadow first plants its row; others see it only once that is committed.
        first.hold(targets)
    locked = threading.Event()
    seen: list[bool] = []

    def _lock() -> None:
        with world.store.transaction(world.old) as transaction:
            transaction.lock("Secret", "a/2")
            locked.set()

    thread = threading.Thread(target=_lock)
    with world.store.transaction(world.old) as one:
        one.hold(targets)
        with world.store.transaction(world.old) as other:
            assert set(other.hold(targets)) == set(targets)
        thread.start()
        seen.append(locked.wait(0.5))
    thread.join(30)

    assert seen == [False]
    assert locked.is_set()


def test_reads_before_the_first_write_and_the_write_commit_or_go_together(world: World) -> None:
    world.write("a/1", ABSENT, size=1)

    def _fail() -> None:
        with world.store.transaction(world.old) as transaction:
            assert transaction.get("Secret", "a/1") is not None
            transaction.put(world.draft("a/1", size=2))
            transaction.put(world.draft("a/2", size=2), ABSENT)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        _fail()
    found = world.store.read(world.old).get("Secret", "a/1")
    assert found is not None
    assert found.body == {"size": 1}
    assert world.store.read(world.old).get("Secret", "a/2") is None

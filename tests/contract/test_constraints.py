"""The rows of a deployment's dealings with others: one contract, on PostgreSQL and in memory."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from migrations_app.adapters.store.memory.reference_work import MemoryReferenceWork
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.adapters.store.reference_work import PostgresReferenceWork
from migrations_app.kernel.errors import Conflict, Stale
from migrations_app.ports.constraints import AttemptOutcome, ConstraintTally
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.owners import OwnerLink
from migrations_app.ports.references.reference_work import ReferenceWork, ReferenceWorkReader
from migrations_app.ports.store import ABSENT, Draft, Shadow, ShadowState
from tests.contract.conftest import World

SOUTH = "services/apps.example.com/deployments/south"
EAST = "services/apps.example.com/deployments/east"


def _uid(world: World, name: str) -> UUID:
    return world.write(name).uid


def test_an_attempt_is_decided_once_by_the_first_process(world: World) -> None:
    with world.store.transaction(world.old) as transaction:
        first, second = transaction.constraints.draw(), transaction.constraints.draw()
        transaction.constraints.commit_attempt(first)
    assert first != second
    assert world.store.read(world.old).constraints.outcome(first) is AttemptOutcome.COMMITTED

    with world.store.transaction(world.old) as transaction:
        assert transaction.constraints.abort_attempt(first) is AttemptOutcome.COMMITTED
        assert transaction.constraints.abort_attempt(second) is AttemptOutcome.ABORTED
        assert transaction.constraints.abort_attempt(second) is AttemptOutcome.ABORTED
    with pytest.raises(Stale) as refused, world.store.transaction(world.old) as transaction:  # noqa: PT012
        transaction.put(world.draft("a/1"), ABSENT)
        transaction.constraints.commit_attempt(second)
    assert refused.value.code == "attempt-resolved"
    assert world.store.read(world.old).get("Secret", "a/1") is None


def test_a_token_that_is_a_day_old_commits_no_more(world: World) -> None:
    with pytest.raises(Stale) as refused, world.store.transaction(world.old) as transaction:
        transaction.constraints.commit_attempt(f"1600000000-{uuid4()}")
    assert refused.value.code == "attempt-expired"


def test_an_aborted_transaction_leaves_no_decision(world: World) -> None:
    with pytest.raises(RuntimeError), world.store.transaction(world.old) as transaction:  # noqa: PT012
        token = transaction.constraints.draw()
        transaction.constraints.commit_attempt(token)
        transaction.constraints.owe(token, SOUTH)
        raise RuntimeError
    reading = world.store.read(world.old).constraints
    assert (reading.outcome(token), reading.owed(10)) == (None, ())


def test_what_is_owed_is_owed_until_it_is_paid(world: World) -> None:
    with world.store.transaction(world.old) as transaction:
        for target in (SOUTH, EAST, SOUTH):
            transaction.constraints.owe("1-a", target)
    reading = world.store.read(world.old).constraints
    assert {(each.token, each.target) for each in reading.owed(10)} == {("1-a", SOUTH), ("1-a", EAST)}
    assert len(reading.owed(1)) == 1
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.paid(SOUTH, "1-a", "1-c")
        transaction.constraints.paid(SOUTH, "1-a")
    assert [each.target for each in reading.owed(10)] == [EAST]


def test_a_blockade_stands_until_its_own_token_and_source_take_it_down(world: World) -> None:
    uid = _uid(world, "a/1")
    with world.store.transaction(world.old) as transaction:
        for _ in range(2):
            transaction.constraints.block("1-a", SOUTH, {uid: "BLOCK"}, 300)
        transaction.constraints.block("1-b", EAST, {uid: "CASCADE"}, -1)
    reading = world.store.read(world.old).constraints
    assert [(each.token, each.source, each.kind) for each in reading.blockades(uid)] == [
        ("1-a", SOUTH, "BLOCK"),
        ("1-b", EAST, "CASCADE"),
    ]
    assert [each.token for each in reading.overdue(10)] == ["1-b"]
    assert [each.token for each in reading.standing(0.0, 10)] == ["1-a", "1-b"]
    assert [[each.token for each in reading.standing(0.0, 1)], reading.standing(3600.0, 10)] == [["1-a"], ()]
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.ask_later("1-b", 60)
        assert transaction.constraints.unblock(EAST, "1-a") == 0
        assert transaction.constraints.unblock(SOUTH, "1-a") == 1
    assert [each.token for each in reading.standing(0.0, 10)] == ["1-b"], "asked later, it stands no shorter"
    assert (reading.overdue(10), [each.token for each in reading.blockades(uid)]) == ((), ["1-b"])


def test_a_deleting_shadow_is_listed_for_its_sources_and_bars_its_names_in_every_version(
    world: World,
) -> None:
    uid = _uid(world, "a/1")
    with world.store.transaction(world.old) as transaction:
        assert transaction.lock("Secret", "a/1") == Shadow("Secret", "a/1")
        names = {world.new.version: ("Secret", "new/1")}
        dying = Shadow(
            "Secret", "a/1", ShadowState.DELETING, 3, 1, (SOUTH,), uid=uid, names=names, root="a/0"
        )
        transaction.put_shadow(dying)
        transaction.delete("Secret", "a/1")

    reading = world.store.read(world.old).constraints
    (found,) = reading.deleting_for(SOUTH)
    assert (found, found.uid, found.root, dict(found.names)) == (
        dying,
        uid,
        "a/0",
        {world.new.version: ("Secret", "new/1"), world.old.version: ("Secret", "a/1")},
    )
    assert (reading.deleting_for(EAST), reading.deleting_for(SOUTH, after=str(uid))) == ((), ())
    assert reading.moving() == (dying,)
    other = world.store.read(world.new).shadow("Secret", "new/1")
    assert other is not None
    assert other.state is ShadowState.DELETING
    with pytest.raises(Conflict), world.store.transaction(world.old) as transaction:
        transaction.put(Draft("Secret", "a/1", uuid4(), {}), ABSENT)

    with world.store.transaction(world.old) as transaction:
        assert transaction.constraints.lock_shadows(uid) == {uid: dying}
        transaction.constraints.finalise(uid)
    assert world.store.read(world.old).shadow("Secret", "a/1") is None
    assert world.write("a/1", ABSENT).revision == 3


def test_the_shadow_follows_the_resource_by_its_uid_and_goes_with_it(world: World) -> None:
    uid = _uid(world, "a/1")
    with world.store.transaction(world.old) as transaction:
        shadow = transaction.lock("Secret", "a/1")
        assert shadow is not None
        transaction.put_shadow(replace(shadow, ref_epoch=2, sources=(SOUTH, EAST)))
    reading = world.store.read(world.old)
    kept = reading.shadow("Secret", "a/1")
    assert kept == Shadow("Secret", "a/1", ShadowState.ACTIVE, 2, 0, (SOUTH, EAST))
    assert reading.constraints.shadow_of(uid) == kept
    world.delete("a/1")
    assert reading.constraints.shadow_of(uid) is None


def test_nothing_is_written_behind_a_frozen_fence(world: World) -> None:
    uid = _uid(world, "a/1")
    world.fence.freeze(world.old, world.state)
    with (
        pytest.raises(Exception, match="pause") as refused,
        world.store.transaction(world.old) as transaction,
    ):
        transaction.constraints.block("1-a", SOUTH, {uid: "BLOCK"}, 300)
    assert getattr(refused.value, "code", "") == "frozen"
    world.fence.abort(world.fence.state(FenceLocation.of(world.old)))
    assert world.store.read(world.old).constraints.blockades(uid) == ()


def test_the_tally_counts_what_is_under_way(world: World) -> None:
    reading = world.store.read(world.old).constraints
    assert reading.tally() == ConstraintTally()
    uid = _uid(world, "a/1")
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.owe("1-a", SOUTH)
        transaction.constraints.block("1-b", SOUTH, {uid: "BLOCK"}, -1)
        shadow = transaction.lock("Secret", "a/1")
        assert shadow is not None
        transaction.put_shadow(replace(shadow, state=ShadowState.DELETE_PENDING, delete_id=1))
    found = reading.tally()
    assert (found.owed, found.blockades, found.overdue_blockades, found.pending_deletes, found.deleting) == (
        1,
        1,
        1,
        1,
        0,
    )


def _under_way(world: World) -> ReferenceWork | None:
    known: ReferenceWorkReader
    if world.databases is not None:
        known = PostgresReferenceWork(world.databases)
    else:
        assert isinstance(world.store, MemoryStore)
        known = MemoryReferenceWork(world.store._databases)
    assert known.pending([]) == {}
    found = known.pending([world.old, world.new])
    assert found.keys() <= {world.old.deployment}
    return found.get(world.old.deployment)


def test_what_waits_at_a_deployment_is_told_and_nothing_where_nothing_waits(world: World) -> None:
    uid = _uid(world, "a/1")
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.block("1-a", SOUTH, {uid: "BLOCK"}, 300)
    assert _under_way(world) is None, "a question that is not due yet waits for no peer"
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.owe("1-b", SOUTH)
    assert _under_way(world) == ReferenceWork(owed=True)
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.paid(SOUTH, "1-b")
        transaction.constraints.block("1-c", EAST, {uid: "BLOCK"}, -1)
    assert _under_way(world) == ReferenceWork(owed=True)
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.unblock(EAST, "1-c")
        transaction.constraints.owners.note_checks(uid, SOUTH)
    assert _under_way(world) == ReferenceWork(owed=True)
    checks = world.store.read(world.old).constraints.owners.checks(10)
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.owners.drop_checks(*checks)
        shadow = transaction.lock("Secret", "a/1")
        assert shadow is not None
        transaction.put_shadow(replace(shadow, state=ShadowState.DELETE_PENDING))
    assert _under_way(world) == ReferenceWork(deleting=True)
    with world.store.transaction(world.old) as transaction:
        transaction.put_shadow(shadow)
    assert _under_way(world) is None


def test_a_check_of_ownees_stays_until_it_was_asked_for_after_the_last_save(world: World) -> None:
    uid = _uid(world, "a/1")
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.owners.note_checks(uid, SOUTH, EAST)
    reading = world.store.read(world.old).constraints
    noted = {check.target: check for check in reading.owners.checks(10)}
    assert {target: check.uid for target, check in noted.items()} == {SOUTH: uid, EAST: uid}
    assert len(reading.owners.checks(1)) == 1
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.owners.note_checks(uid, SOUTH)
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.owners.drop_checks(*noted.values())
    assert [check.target for check in reading.owners.checks(10)] == [SOUTH], "it was saved again meanwhile"
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.release(SOUTH, "", 100)
    assert reading.owners.checks(10) == ()


def test_only_owners_that_have_to_refer_are_asked_at_once_after_a_save(world: World) -> None:
    uid, owner = _uid(world, "a/1"), UUID(int=8)
    with world.store.transaction(world.old) as transaction:
        for number, requires in ((1, True), (2, False)):
            link = OwnerLink(
                UUID(int=number), uid, "Secret", "a/1", world.old.version, SOUTH, "App", "v1", f"apps/{number}",
                requires=requires, owner_uid=owner,
            )  # fmt: skip
            transaction.constraints.owners.link(link)
            transaction.constraints.owners.ask_later(link.ref_id, 300)
    reading = world.store.read(world.old).constraints
    assert reading.owners.due(10) == ()
    with world.store.transaction(world.old) as transaction:
        assert transaction.constraints.owners.recheck(EAST, [owner]) == 0
        assert transaction.constraints.owners.recheck(SOUTH, [UUID(int=9)]) == 0
        assert transaction.constraints.owners.recheck(SOUTH, [owner]) == 1
    assert [each.owner_name for each in reading.owners.due(10)] == ["apps/1"]

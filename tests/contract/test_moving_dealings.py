"""A deployment's dealings with others go with it to another database, and come back: PostgreSQL and memory."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from migrations_app.kernel.errors import Busy, Conflict, Stale
from migrations_app.ports.constraints import AttemptOutcome
from migrations_app.ports.fence import FenceLocation, FenceState, Mode
from migrations_app.ports.owners import OwnerLink
from migrations_app.ports.store import ABSENT, Draft, Layout, Shadow, ShadowState
from tests.contract.conftest import OLD, World
from tests.contract.test_fence import FOLLOWER, caught_up

SOUTH = "services/apps.example.com/deployments/south"


@pytest.fixture
def elsewhere(world: World, request: pytest.FixtureRequest) -> World:
    """The same deployment in another database: `new` is where it goes, shut as yet."""
    alias = "memory-2" if world.databases is None else request.getfixturevalue("second_database")
    there = replace(world.old, database=alias, schema="secrets_moved")
    world.fence.open_first(FenceLocation.of(there), OLD, mode=Mode.CLOSED)
    world.store.prepare(there, [Layout("Secret"), Layout("Project")])
    return replace(world, new=there)


def shut(world: World) -> tuple[FenceState, FenceState]:
    """Close the one database; tell how both fences stand then."""
    frozen = world.fence.prove(world.fence.freeze(world.old, world.state))
    caught_up(world, frozen)
    return world.fence.close(world.old, world.new, frozen, FOLLOWER), world.fence.state(
        FenceLocation.of(world.new)
    )


def moved(world: World, *, ahead: bool) -> World:
    """Move the deployment; afterwards `old` is where it is."""
    since = world.store.bring_outcomes(world.old, world.new) if ahead else None
    with world.store.transaction(world.old) as transaction:
        transaction.constraints.commit_attempt(late := transaction.constraints.draw())
    closed, other = shut(world)
    world.fence.open_other(world.new, closed, other, outcomes_since=since)
    there = replace(world, old=world.new, new=world.old)
    assert there.store.read(there.old).constraints.outcome(late) is AttemptOutcome.COMMITTED
    return there


def deal(world: World) -> tuple[str, UUID, Shadow]:
    """Have one of everything: an outcome, a blockade, a confirmation owed, a deletion under way, an owner."""
    kept, gone = world.write("a/1").uid, world.write("a/2").uid
    with world.store.transaction(world.old) as transaction:
        token = transaction.constraints.draw()
        transaction.constraints.commit_attempt(token)
        transaction.constraints.owe(token, SOUTH)
        transaction.constraints.block("1-a", SOUTH, {kept: "BLOCK"}, -1)
        dying = Shadow("Secret", "a/2", ShadowState.DELETING, 3, 1, (SOUTH,), uid=gone)
        transaction.put_shadow(dying)
        transaction.delete("Secret", "a/2")
        owner = OwnerLink(
            UUID(int=7), kept, "Secret", "a/1", OLD, SOUTH, "App", "v1", "apps/x", owner_uid=UUID(int=8)
        )
        transaction.constraints.owners.link(owner)
        transaction.constraints.owners.bar(UUID(int=9))
        transaction.constraints.owners.note_checks(kept, SOUTH)
    return token, kept, dying


@pytest.mark.parametrize("ahead", [True, False])
def test_everything_kept_by_uid_goes_along(elsewhere: World, ahead: bool) -> None:
    token, kept, dying = deal(elsewhere)
    there = moved(elsewhere, ahead=ahead)
    reading = there.store.read(there.old).constraints
    assert reading.outcome(token) is AttemptOutcome.COMMITTED
    assert [(each.token, each.target) for each in reading.owed(10)] == [(token, SOUTH)]
    assert [(each.token, each.source) for each in reading.blockades(kept)] == [("1-a", SOUTH)]
    assert reading.moving() == (dying,)
    assert reading.sources() == (SOUTH,)
    (link,) = reading.owners.owned_by(SOUTH, [UUID(int=8)])
    assert (link.ref_id, link.uid, link.owner_name) == (UUID(int=7), kept, "apps/x")
    assert [(each.uid, each.target) for each in reading.owners.checks(10)] == [(kept, SOUTH)]
    with there.store.transaction(there.old) as transaction:
        assert transaction.constraints.owners.is_barred(UUID(int=9))
        assert not transaction.constraints.owners.is_barred(UUID(int=7))
    # What is being deleted bars its name there too, and a settled attempt stays settled.
    with pytest.raises(Conflict), there.store.transaction(there.old) as transaction:
        transaction.put(Draft("Secret", "a/2", uuid4(), {}), ABSENT)
    with pytest.raises(Stale) as settled, there.store.transaction(there.old) as transaction:
        transaction.constraints.commit_attempt(token)
    assert settled.value.code == "attempt-resolved"


def test_coming_back_brings_what_stands_then_and_nothing_of_what_was_left_behind(elsewhere: World) -> None:
    token, kept, dying = deal(elsewhere)
    there = moved(elsewhere, ahead=True)
    assert dying.uid is not None
    with there.store.transaction(there.old) as transaction:
        assert transaction.constraints.unblock(SOUTH, "1-a") == 1
        transaction.constraints.paid(SOUTH, token)
        transaction.constraints.finalise(dying.uid)
        transaction.constraints.owners.drop(UUID(int=7))
        aborted = transaction.constraints.draw()
        transaction.constraints.abort_attempt(aborted)
    back = moved(there, ahead=True)
    assert back.old.database == elsewhere.old.database
    reading = back.store.read(back.old).constraints
    assert (reading.blockades(kept), reading.owed(10), reading.moving()) == ((), (), ())
    assert reading.owners.of(kept) == ()
    assert (reading.outcome(token), reading.outcome(aborted)) == (
        AttemptOutcome.COMMITTED,
        AttemptOutcome.ABORTED,
    )


def test_a_shut_deployment_answers_no_peer_until_the_other_side_is_open(elsewhere: World) -> None:
    _, kept, _ = deal(elsewhere)
    closed, other = shut(elsewhere)
    for place in (elsewhere.old, elsewhere.new):
        with pytest.raises((Busy, Stale)), elsewhere.store.transaction(place) as transaction:
            transaction.constraints.block("1-z", SOUTH, {kept: "BLOCK"}, 300)
    assert elsewhere.fence.open_other(elsewhere.new, closed, other).mode is Mode.OPEN


def test_opening_again_brings_nothing_a_second_time(elsewhere: World) -> None:
    """A second orchestrator, late by one answer, must not overwrite what was dealt since."""
    _, kept, _ = deal(elsewhere)
    closed, other = shut(elsewhere)
    elsewhere.fence.open_other(elsewhere.new, closed, other)
    with elsewhere.store.transaction(elsewhere.new) as transaction:
        transaction.constraints.unblock(SOUTH, "1-a")
    elsewhere.fence.open_other(elsewhere.new, closed, other)
    assert elsewhere.store.read(elsewhere.new).constraints.blockades(kept) == ()


def test_outcomes_cross_in_batches(elsewhere: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("migrations_app.adapters.store.constraint_transfer.AT_ONCE", 3)
    with elsewhere.store.transaction(elsewhere.old) as transaction:
        tokens = [transaction.constraints.draw() for _ in range(8)]
        for token in tokens:
            transaction.constraints.commit_attempt(token)
    there = moved(elsewhere, ahead=True)
    reading = there.store.read(there.old).constraints
    assert {reading.outcome(token) for token in tokens} == {AttemptOutcome.COMMITTED}


def test_an_outcome_in_flight_while_they_are_brought_ahead_is_not_missed(elsewhere: World) -> None:
    with elsewhere.store.transaction(elsewhere.old) as transaction:
        transaction.constraints.commit_attempt(token := transaction.constraints.draw())
        since = elsewhere.store.bring_outcomes(elsewhere.old, elsewhere.new)
    closed, other = shut(elsewhere)
    elsewhere.fence.open_other(elsewhere.new, closed, other, outcomes_since=since)
    assert elsewhere.store.read(elsewhere.new).constraints.outcome(token) is AttemptOutcome.COMMITTED


def test_what_crosses_while_writers_wait_is_counted(elsewhere: World) -> None:
    assert elsewhere.store.constraint_rows(elsewhere.old) == 0
    deal(elsewhere)
    # A shadow with its barred name, a blockade, a confirmation owed, an owner, a barred one and a check of ownees.
    assert elsewhere.store.constraint_rows(elsewhere.old) == 7

"""What holds on PostgreSQL when transactions really run at the same time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest
from django.conf import settings

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel.errors import Busy, Stale
from migrations_app.ports.feed import FeedOperation, Position
from migrations_app.ports.fence import Mode
from migrations_app.ports.store import ABSENT, Removal, ReplicationToken
from tests.contract.conftest import World
from tests.contract.test_following import carried

Connection = psycopg.Connection[tuple[object, ...]]
TOUCH = "UPDATE secrets_v1alpha2.\"r_Secret\" SET revision = revision + 1 WHERE name = 'a/1'"


@pytest.fixture
def outsider(postgres_world: World) -> Iterator[Connection]:
    """A connection of a process that writes without our store."""
    with psycopg.connect(
        settings.SWITCHYARD.data_url(postgres_world.old.database), autocommit=True
    ) as outsider:
        yield outsider


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def waiting(outsider: Connection) -> None:
    """Wait until some backend waits for a lock."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        row = outsider.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        ).fetchone()
        if row and row[0]:
            return
        time.sleep(0.01)
    raise AssertionError("no process waits for a lock")


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
def test_a_writer_at_a_higher_isolation_is_refused_by_the_database(
    postgres_world: World, outsider: Connection, level: str
) -> None:
    postgres_world.write("a/1", ABSENT)
    with pytest.raises(psycopg.Error) as refused, outsider.transaction():  # noqa: PT012
        outsider.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
        outsider.execute(TOUCH)
    assert refused.value.sqlstate == "SYF03"


def test_a_write_of_an_outsider_is_fenced_and_captured_too(
    postgres_world: World, outsider: Connection
) -> None:
    world = postgres_world
    world.write("a/1", ABSENT)
    start = world.feed.head(world.old)
    outsider.execute(TOUCH)
    (change,) = world.feed.read(world.old, start).changes
    assert (change.operation, change.revision) == (FeedOperation.PUT, 2)

    world.fence.freeze(world.old, world.state)
    with pytest.raises(psycopg.Error) as refused:
        outsider.execute(TOUCH)
    assert refused.value.sqlstate == "SYF01"


def test_an_update_that_does_not_raise_the_revision_is_refused(
    postgres_world: World, outsider: Connection
) -> None:
    postgres_world.write("a/1", ABSENT)
    with pytest.raises(psycopg.Error) as refused:
        outsider.execute("UPDATE secrets_v1alpha2.\"r_Secret\" SET body = '{}'")
    assert refused.value.sqlstate == "SYR02"


def test_a_transaction_that_began_before_the_freeze_cannot_write_after_it(
    postgres_world: World, outsider: Connection
) -> None:
    world = postgres_world
    world.write("a/1", ABSENT)
    with pytest.raises(psycopg.Error) as refused, outsider.transaction():  # noqa: PT012
        outsider.execute('SELECT count(*) FROM secrets_v1alpha2."r_Secret"')
        world.fence.freeze(world.old, world.state)
        outsider.execute(TOUCH)
    assert refused.value.sqlstate == "SYF01"


def test_a_writer_that_waits_while_the_version_changes_is_refused(
    postgres_world: World, outsider: Connection, pool: ThreadPoolExecutor
) -> None:
    """It reads the fence in a statement of its own, after the lock it waited for."""
    world = postgres_world
    world.write("a/1", ABSENT)
    assert world.databases is not None
    with world.databases.transaction(world.old.database) as holder:
        holder.execute("SELECT pg_advisory_xact_lock(%s)", (_key(world),))
        writer = pool.submit(world.write, "a/1")
        waiting(outsider)
        holder.execute("UPDATE switchyard.fence SET active_version = 'v1', epoch = 2")
    with pytest.raises(Stale) as refused:
        writer.result()
    assert refused.value.nouns["active"] == "v1"


def _key(world: World) -> int:
    from migrations_app.adapters.store.rows import lock_key

    return lock_key(world.old.deployment)


def test_replaying_in_the_order_of_transactions_still_ends_at_the_newest(
    postgres_world: World, outsider: Connection
) -> None:
    """The older transaction writes the resource last: order by transaction alone would bring it back."""
    world = postgres_world
    found = world.write("a/1", ABSENT, by="first")
    with world.store.transaction(world.old) as older:
        older.put(world.draft("a/other"), ABSENT)
        world.write("a/1", by="younger")
        newest = older.put(world.draft("a/1", by="older"))
    entries = [
        change for change in world.feed.read(world.old, Position("0.0")).changes if change.name == "a/1"
    ]
    assert [change.revision for change in entries] == [1, 3, 2]
    bodies = {1: found.body, 2: {"by": "younger"}, 3: newest.body}
    for change in entries:
        put = carried(found, revision=change.revision, body=bodies[change.revision])
        world.store.apply(world.new, [put], ReplicationToken("v1alpha2", 1))
    there = world.store.read(world.new).get("Secret", "a/1")
    assert there is not None
    assert there.body == {"by": "older"}


def test_a_create_that_waited_for_a_deletion_does_not_restart_the_revision(
    postgres_world: World, outsider: Connection, pool: ThreadPoolExecutor
) -> None:
    world = postgres_world
    world.write("a/1", ABSENT)
    world.write("a/1")
    with world.store.transaction(world.old) as deleting:
        deleting.delete("Secret", "a/1")
        creating: Future[object] = pool.submit(world.write, "a/1", ABSENT)
        waiting(outsider)
    with pytest.raises(Stale):
        creating.result()
    assert world.write("a/1", ABSENT).revision == 4


def test_concurrent_writers_of_one_resource_each_get_a_revision_of_their_own(
    postgres_world: World, pool: ThreadPoolExecutor
) -> None:
    world = postgres_world
    world.write("a/1", ABSENT)
    written = list(pool.map(lambda _: world.write("a/1").revision, range(40)))
    assert sorted(written) == list(range(2, 42))
    told = [change.revision for change in world.feed.read(world.old, Position("0.0")).changes]
    assert sorted(told) == list(range(1, 42))


def test_a_follower_reading_under_load_loses_nothing(postgres_world: World, pool: ThreadPoolExecutor) -> None:
    world = postgres_world
    names = [f"a/{number}" for number in range(120)]
    seen: set[tuple[str, int]] = set()
    position, done = Position("0.0"), threading.Event()

    def write(name: str) -> None:
        with world.store.transaction(world.old) as transaction:
            transaction.put(world.draft(name), ABSENT)
            time.sleep(0.002 * (hash(name) % 5))

    futures = [pool.submit(write, name) for name in names]
    while not done.is_set():
        if all(future.done() for future in futures):
            done.set()
        batch = world.feed.read(world.old, position, limit=13)
        while batch.changes:
            seen |= {(change.name, change.revision) for change in batch.changes}
            batch = world.feed.read(world.old, batch.position, limit=13)
        position = batch.position
    assert seen == {(name, 1) for name in names}


def test_no_write_slips_through_a_freeze_under_load(postgres_world: World, pool: ThreadPoolExecutor) -> None:
    world = postgres_world
    stop = threading.Event()

    def work(number: int) -> int:
        count = 0
        while not stop.is_set():
            try:
                world.write(f"w/{number}")
                count += 1
            except Busy:
                time.sleep(0.002)
        return count

    writers = [pool.submit(work, number) for number in range(4)]
    for _ in range(5):
        time.sleep(0.05)
        frozen = world.fence.freeze(world.old, world.state, deadline_seconds=60)
        before = sum(
            found.revision
            for found in world.store.read(world.old)
            .batch_get("Secret", [f"w/{number}" for number in range(4)])
            .values()
        )
        time.sleep(0.03)
        after = world.store.read(world.old).batch_get("Secret", [f"w/{number}" for number in range(4)])
        assert sum(found.revision for found in after.values()) == before
        world.fence.abort(frozen)
    stop.set()
    acknowledged = sum(writer.result() for writer in writers)
    found = world.store.read(world.old).batch_get("Secret", [f"w/{number}" for number in range(4)])
    assert sum(resource.revision for resource in found.values()) == acknowledged


def test_an_older_image_and_a_deletion_brought_at_once_do_not_miss_each_other(
    postgres_world: World, outsider: Connection, pool: ThreadPoolExecutor
) -> None:
    world = postgres_world
    found = world.write("a/1", ABSENT)
    replication_token = ReplicationToken("v1alpha2", 1)
    assert world.databases is not None
    with world.databases.transaction(world.new.database) as zombie:
        from migrations_app.adapters.store import replication_writes

        replication_writes.begin(zombie, world.new, replication_token, {found.shard})
        replication_writes.apply(zombie, world.new, [carried(found)])
        removing = pool.submit(
            world.store.apply,
            world.new,
            [Removal("Secret", "a/1", found.uid, 2, found.shard)],
            replication_token,
        )
        waiting(outsider)
    assert removing.result().removed == 1
    assert world.store.read(world.new).get("Secret", "a/1") is None
    assert shard_of("a/1") == found.shard


def test_aborting_and_flipping_at_once_one_wins_and_the_other_is_told(
    postgres_world: World, pool: ThreadPoolExecutor
) -> None:
    world = postgres_world
    world.feed.register(world.old, "sync", dict.fromkeys(range(16), Position("0.0")))
    for _ in range(6):
        if world.state.active_version != "v1alpha2":
            break
        frozen = world.fence.freeze(world.old, world.state)
        batch = world.feed.read(world.old, Position("0.0"), settled=True)
        for shard in range(16):
            world.feed.advance(
                world.old, "sync", shard, batch.position, reached=batch.reached, epoch=frozen.epoch
            )
        frozen = world.fence.prove(frozen)
        moves = [
            pool.submit(world.fence.flip, world.old, world.new, frozen, "sync"),
            pool.submit(world.fence.abort, frozen),
        ]
        outcomes = [type(move.exception()) for move in moves]
        assert sorted(outcome.__name__ for outcome in outcomes) == ["NoneType", "Stale"]
        assert world.state.epoch == frozen.epoch + 1


def test_a_freeze_whose_process_is_gone_is_ended_by_the_next_writer(
    postgres_world: World, outsider: Connection
) -> None:
    world = postgres_world
    worker = Databases(settings.SWITCHYARD.data_url)
    frozen = PostgresFence(worker).freeze(world.old, world.state, deadline_seconds=60)
    assert world.state.mode is Mode.FROZEN

    # As PostgreSQL sees the death of a process: its connections end.
    outsider.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'"
    )
    assert (world.state.mode, world.state.epoch) == (Mode.OPEN, frozen.epoch + 1)
    assert world.write("a/1", ABSENT).revision == 1
    worker.close()


def test_a_freeze_that_is_over_is_watched_no_more(postgres_world: World, outsider: Connection) -> None:
    world = postgres_world
    held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'"
    with pytest.raises(Stale):
        world.fence.freeze(world.old, replace(world.state, epoch=7))
    assert outsider.execute(held).fetchone() == (0,)
    for end in (world.fence.abort, lambda frozen: PostgresFence(world.databases).abort(frozen)):
        frozen = world.fence.freeze(world.old, world.state)
        assert outsider.execute(held).fetchone() == (1,)
        end(frozen)
        assert world.state.mode is Mode.OPEN
        assert outsider.execute(held).fetchone() == (0,)

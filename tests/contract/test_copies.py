"""The contract of read copies, checked on PostgreSQL and in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.copying import PostgresCopies
from migrations_app.adapters.store.memory.copies import MemoryCopies
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.controller import Again, Budget, Lease
from migrations_app.engine.regions import leaving
from migrations_app.engine.regions.copy_ports import CopyPorts
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.errors import Busy, Conflict, Stale
from migrations_app.kernel.messages import message, verbatim
from migrations_app.ports.copies import ComparisonStage, Copies, CopyScope, CopySource, FeedLook
from migrations_app.ports.feed import FeedOperation
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.store import ABSENT, BatchResult, Draft, KeyRange, Put, Removal, ReplicationToken
from tests.contract.conftest import OLD, World

TOP = b"""
service: secrets.example.com
versions: [{version: v1alpha2, ordinal: 10, sources: [{kind: ir, path: v1alpha2.yaml}]}]
"""
SECRET = (
    b"schema: {types: {Secret: {fields: {name: string}}}, resources: {Secret: {patterns: ['s/{secret}']}}}"
)
SOUTH, EAST = "south", "east"
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SILENT = message("Region {region} does not answer.", region=SOUTH)
UID = UUID("11111111-1111-1111-1111-111111111111")


@pytest.fixture
def copies(world: World) -> Copies:
    if world.databases is not None:
        return PostgresCopies(world.databases)
    assert isinstance(world.store, MemoryStore)
    found = world.store._databases
    assert isinstance(found, MemoryDatabases)
    return MemoryCopies(found)


def put(name: str, revision: int, owner: str = SOUTH, uid: UUID = UID, **body: object) -> Put:
    metadata = {"syncing": {"owningRegion": owner, "regions": ["north", owner]}}
    return Put("Secret", name, uid, revision, 3, dict(body), metadata, owner, AT, AT)  # type: ignore[arg-type]


def gone(name: str, revision: int) -> Removal:
    return Removal("Secret", name, UID, revision, 0)


def bring(world: World, copies: Copies, *changes: Put | Removal, source: str = SOUTH) -> BatchResult:
    return copies.bring(world.old, copies.source(world.old, source), changes)[1]


def state(world: World, name: str) -> tuple[str, int] | None:
    found = world.store.read(world.old).get("Secret", name)
    return (found.owning_region, found.revision) if found else None


def test_a_copy_is_as_its_owner_has_it_and_only_newer_ones_count(world: World, copies: Copies) -> None:
    assert bring(world, copies, put("s/1", 5, size=5)) == BatchResult(1, 0, 0)
    assert bring(world, copies, put("s/1", 5, size=6), put("s/2", 1, uid=uuid4())) == BatchResult(1, 0, 1)
    assert bring(world, copies, put("s/1", 4)) == BatchResult(0, 0, 1)
    found = world.store.read(world.old).get("Secret", "s/1")
    assert found is not None
    assert (found.uid, found.revision, found.body, found.owning_region) == (UID, 5, {"size": 5}, SOUTH)
    assert (found.create_time, found.update_time) == (AT, AT)
    assert found.metadata["syncing"] == {"owningRegion": SOUTH, "regions": ["north", SOUTH]}
    assert world.store.read(world.old).references("Secret", "s/1") == ()


def test_a_removed_copy_leaves_no_tombstone_so_that_it_may_come_back(world: World, copies: Copies) -> None:
    bring(world, copies, put("s/1", 5))
    assert bring(world, copies, gone("s/1", 5), gone("s/9", 1)) == BatchResult(0, 0, 2)
    assert bring(world, copies, gone("s/1", 6)) == BatchResult(0, 1, 0)
    assert (state(world, "s/1"), world.store.tombstones(world.old, "Secret")) == (None, ())
    assert bring(world, copies, put("s/1", 6)) == BatchResult(1, 0, 0)


def test_only_copies_of_the_source_are_removed(world: World, copies: Copies) -> None:
    bring(world, copies, put("s/1", 5))
    assert bring(world, copies, gone("s/1", 9), source=EAST) == BatchResult(0, 0, 1)
    assert state(world, "s/1") == (SOUTH, 5)


def test_what_is_owned_here_never_gives_way_to_a_copy(world: World, copies: Copies) -> None:
    world.write("s/1", ABSENT)
    assert bring(world, copies, put("s/1", 7), put("s/2", 1, owner="north")) == BatchResult(0, 0, 2)
    assert bring(world, copies, gone("s/1", 9)) == BatchResult(0, 0, 1)
    assert state(world, "s/1") == ("", 1)


def test_a_copy_takes_no_direct_write(world: World, copies: Copies) -> None:
    bring(world, copies, put("s/1", 5, size=5))
    writes: list[Callable[[], object]] = [
        lambda: world.write("s/1", size=6),
        lambda: world.write("s/1", 5, size=6),
        lambda: world.write("s/1", ABSENT, size=6),
        lambda: world.delete("s/1"),
    ]
    for write in writes:
        with pytest.raises(Conflict) as refused:
            write()
        assert (refused.value.code, refused.value.nouns["owner"]) == ("read-copy", SOUTH)
    found = world.store.read(world.old).get("Secret", "s/1")
    assert found is not None
    assert (found.revision, found.body) == (5, {"size": 5})


def test_watchers_see_copies_and_followers_of_a_version_do_not(world: World, copies: Copies) -> None:
    start = world.feed.head(world.old)
    bring(world, copies, put("s/1", 5))
    bring(world, copies, gone("s/1", 6))
    seen = world.feed.read(world.old, start, echo=True).changes
    assert [(each.operation, each.name, each.revision, each.origin) for each in seen] == [
        (FeedOperation.PUT, "s/1", 5, "@south"),
        (FeedOperation.DELETE, "s/1", 6, "@south"),
    ]
    assert world.feed.read(world.old, start).changes == ()


def test_an_upgrade_neither_copies_nor_counts_copies(world: World, copies: Copies) -> None:
    own = world.write("s/1", ABSENT)
    bring(world, copies, put("s/2", 5, uid=uuid4()), put("s/3", 5, uid=uuid4()))
    pages = [world.store.page(world.old, KeyRange("Secret", shard)) for shard in range(world.old.ring)]
    assert [each.name for page in pages for each in page] == ["s/1"]
    assert world.store.counts(world.old, "Secret") == {own.shard: 1}
    bounds = {world.store.bound(world.old, "Secret", shard) for shard in range(world.old.ring)}
    assert bounds == {None, "s/1"}
    for by in ("shard", "origin_shard", "uid"):
        digests = world.store.digests(world.old, "Secret", by)
        assert sum(each.count for each in digests.values()) == 1


def test_copies_and_the_position_commit_together_or_not_at_all(world: World, copies: Copies) -> None:
    fresh = copies.source(world.old, SOUTH)
    assert (fresh, copies.sources(world.old)) == (CopySource(SOUTH), ())
    noted, _ = copies.bring(world.old, replace(fresh, position="p1"), [put("s/1", 1)])
    assert noted == replace(fresh, position="p1", rev=1)
    with pytest.raises(Stale) as late:
        copies.bring(world.old, replace(fresh, position="p0"), [put("s/1", 9), put("s/2", 1)])
    assert late.value.code == "copies-moved"
    assert (state(world, "s/1"), state(world, "s/2")) == ((SOUTH, 1), None)
    moved = replace(
        noted,
        stage=ComparisonStage.FOLLOW,
        level_at=AT,
        heard_at=AT,
        compared_at=AT,
        waiting=3,
        problem=SILENT,
    )
    assert copies.note(world.old, moved) == replace(moved, rev=2)
    with pytest.raises(Stale):
        copies.note(world.old, noted)
    assert copies.sources(world.old) == (replace(moved, rev=2),)


def test_the_fence_guards_copies_too(world: World, copies: Copies) -> None:
    source = copies.source(world.new, SOUTH)
    with pytest.raises(Stale) as passive:
        copies.bring(world.new, source, [put("s/1", 1)])
    assert passive.value.code == "version-not-active"
    replication_token = ReplicationToken(OLD, world.state.epoch)
    assert copies.bring(world.new, source, [put("s/1", 1)], replication_token)[1] == BatchResult(1, 0, 0)
    with pytest.raises(Stale) as void:
        copies.bring(
            world.new, copies.source(world.new, SOUTH), [put("s/2", 1)], replace(replication_token, epoch=99)
        )
    assert void.value.code == "warrant-void"
    world.fence.freeze(world.old, world.state, deadline_seconds=30)
    with pytest.raises(Busy) as frozen:
        bring(world, copies, put("s/3", 1))
    assert frozen.value.code == "frozen"
    assert (state(world, "s/3"), copies.sources(world.old)) == (None, ())


def test_what_is_owned_and_what_is_held_is_listed_apart_in_pages(world: World, copies: Copies) -> None:
    for name, regions in (("p/a/s/1", ["north", SOUTH]), ("p/a/s/2", ["north"]), ("p/a", ["north", SOUTH])):
        syncing = {"syncing": {"owningRegion": "north", "regions": regions}}
        with world.store.transaction(world.old) as transaction:
            transaction.put(Draft("Secret", name, uuid4(), {}, syncing, "north"))  # type: ignore[arg-type]
    world.write("p/a-b/s/1", ABSENT)
    bring(world, copies, put("p/b/s/1", 4), put("p/a/s/9", 2, uid=uuid4()))

    def owned(after: str = "", limit: int = 10, **scope: str) -> list[str]:
        return [each.name for each in copies.owned(world.old, CopyScope("Secret", **scope), after, limit)]

    assert owned() == ["p/a", "p/a-b/s/1", "p/a/s/1", "p/a/s/2"]
    assert owned(after="p/a-b/s/1", limit=1) == ["p/a/s/1"]
    assert owned(reader=SOUTH) == ["p/a", "p/a/s/1"]
    syncing = [each.syncing for each in copies.owned(world.old, CopyScope("Secret"), "", 3)]
    assert syncing == [
        {"owningRegion": "north", "regions": ["north", SOUTH]},
        None,
        {"owningRegion": "north", "regions": ["north", SOUTH]},
    ]
    assert owned(prefix="p/a") == ["p/a", "p/a/s/1", "p/a/s/2"]
    assert owned(prefix="p/a", reader=SOUTH, after="p/a") == ["p/a/s/1"]
    held = copies.held(world.old, SOUTH, "Secret", "", 10)
    assert [(each.name, each.revision) for each in held] == [("p/a/s/9", 2), ("p/b/s/1", 4)]
    assert [each.name for each in copies.held(world.old, SOUTH, "Secret", "p/a/s/9", 10)] == ["p/b/s/1"]
    assert copies.held(world.old, EAST, "Secret", "", 10) == ()
    assert copies.known(world.old, SOUTH, "Secret", ["p/b/s/1", "p/a/s/1", "nobody"]) == {"p/b/s/1": 4}


class Nearby:
    """The directory of one deployment."""

    def __init__(self, world: World) -> None:
        self._world = world

    def served(self, region: str, service: str) -> Served:
        places = {"v1alpha2": self._world.old, "v1": self._world.new}
        compiled = compile_service(read_files({"service.yaml": TOP, "v1alpha2.yaml": SECRET}))
        return Served(self._world.old.deployment, service, region, "v1alpha2", compiled, places)

    def forget(self, region: str, service: str) -> None:
        """Keep nothing."""


def test_copies_of_a_region_that_left_go_in_batches_and_those_of_others_stay(
    world: World, copies: Copies, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaving, "BATCH", 2)
    clock, key = HeldClock(), world.old.deployment
    bring(world, copies, *(put(f"s/{number}", 5, uid=uuid4()) for number in range(5)))
    bring(world, copies, put("e/1", 5, owner=EAST, uid=uuid4()), source=EAST)
    world.write("own", None)
    copies.note(world.old, replace(copies.source(world.old, SOUTH), heard_at=clock.now()))
    ports, registered = CopyPorts(world.store, copies, world.fence, Nearby(world)), ["north", SOUTH]
    controller = leaving.LeavingController(ports, list, lambda _: registered, clock)

    def work(seconds: float) -> list[str]:
        clock.advance(seconds)
        outcome = controller.reconcile(key, Budget(2.0, clock), Lease(key, 1))
        assert outcome == Again(leaving.LOOK_EVERY_SECONDS)
        return [each.region for each in copies.sources(world.old)]

    registered.append(EAST)
    assert work(3600) == [EAST, SOUTH], "a registered region is only silent"
    copies.note(world.old, replace(copies.source(world.old, SOUTH), heard_at=clock.now()))
    registered.remove(SOUTH)
    assert work(10) == [EAST, SOUTH], "it may be registered again"
    assert state(world, "s/0") == (SOUTH, 5)
    assert work(60) == [EAST]
    assert [state(world, f"s/{number}") for number in range(5)] == [None] * 5
    assert (state(world, "e/1"), state(world, "own")) == ((EAST, 5), ("", 1))
    with pytest.raises(Stale) as late:
        copies.forget(world.old, CopySource(SOUTH, rev=7))
    assert late.value.code == "copies-moved"


def test_copies_of_a_source_at_rest_are_confirmed_only_if_they_were_level_after_it_moved(
    world: World, copies: Copies
) -> None:
    level = replace(copies.source(world.old, SOUTH), stage=ComparisonStage.FOLLOW, level_at=AT, heard_at=AT)
    copies.note(world.old, level)
    later = AT + timedelta(seconds=30)

    def look(
        since: datetime, at: datetime, region: str = SOUTH, watched: str = "south", moved: bool = False
    ) -> None:
        rests = {world.old.deployment.rpartition("/")[0] + f"/{region}": since}
        copies.note_look(world.old, FeedLook(watched, at, rests, [(world.old, region)] if moved else ()))

    def told() -> tuple[datetime | None, datetime | None]:
        found = copies.source(world.old, SOUTH)
        assert copies.sources(world.old) == (found,)
        return found.level_at, found.heard_at

    look(AT + timedelta(seconds=1), later)
    assert told() == (AT, AT)
    look(AT, later, EAST, "east")
    assert told() == (AT, AT)
    look(AT, later)
    assert told() == (later, later)
    look(AT, AT)
    assert told() == (later, later), "an earlier look takes nothing back"
    moved_at = later + timedelta(seconds=15)
    look(moved_at, moved_at, moved=True)
    assert told() == (later, later), "it was caught up until the look before it moved"
    copies.note_look(world.old, FeedLook("south", moved_at + timedelta(seconds=15), {}))
    assert told() == (later, later)


def test_a_source_in_two_databases_rests_only_while_both_do(world: World, copies: Copies) -> None:
    level = replace(copies.source(world.old, SOUTH), stage=ComparisonStage.FOLLOW, level_at=AT, heard_at=AT)
    copies.note(world.old, level)
    source = world.old.deployment.rpartition("/")[0] + f"/{SOUTH}"
    first, second = AT + timedelta(seconds=15), AT + timedelta(seconds=30)
    copies.note_look(world.old, FeedLook("from", first, {source: AT}))
    copies.note_look(world.old, FeedLook("to", second, {source: second}))
    assert copies.source(world.old, SOUTH).level_at == AT
    copies.note_look(world.old, FeedLook("to", second, {source: AT}))
    assert copies.source(world.old, SOUTH).level_at == first
    copies.note_look(world.old, FeedLook("from", second, {}))
    assert copies.source(world.old, SOUTH).level_at == second


@pytest.mark.parametrize(
    "held_up",
    [{"stage": ComparisonStage.THEIRS}, {"problem": SILENT}, {"waiting": 3}],
)
def test_copies_that_are_not_followed_are_not_confirmed(
    world: World, copies: Copies, held_up: dict[str, object]
) -> None:
    source = replace(copies.source(world.old, SOUTH), stage=ComparisonStage.FOLLOW, level_at=AT, heard_at=AT)
    copies.note(world.old, replace(source, **held_up))  # type: ignore[arg-type]
    source_name = world.old.deployment.rpartition("/")[0] + f"/{SOUTH}"
    copies.note_look(world.old, FeedLook("south", AT + timedelta(seconds=30), {source_name: AT}))
    assert copies.source(world.old, SOUTH).level_at == AT


def test_a_problem_that_an_earlier_release_notes_has_no_phrases_of_another_one(postgres_world: World) -> None:
    world = postgres_world
    assert world.databases is not None
    copies = PostgresCopies(world.databases)
    copies.note(world.old, CopySource(SOUTH, problem=SILENT))
    noted = f"UPDATE {world.old.schema}.copy_source SET problem = %s, rev = rev + 1"
    for text in ("3 resources do not convert to v1.", ""):
        with world.databases.connection(world.old.database) as connection:
            connection.execute(noted.encode(), (text,))
        assert copies.source(world.old, SOUTH).problem == verbatim(text)


@pytest.mark.parametrize("asked", ["note", "bring", "sources"])
def test_a_namespace_that_an_earlier_release_built_is_brought_up_to_date_when_asked(
    postgres_world: World, asked: str
) -> None:
    world = postgres_world
    assert world.databases is not None
    copies = PostgresCopies(world.databases)
    with world.databases.connection(world.old.database) as connection:
        connection.execute(f"ALTER TABLE {world.old.schema}.copy_source DROP problem_phrases".encode())
        connection.execute(f"COMMENT ON SCHEMA {world.old.schema} IS 'earlier'".encode())
    if asked == "sources":
        assert copies.sources(world.old) == ()
    elif asked == "note":
        copies.note(world.old, CopySource(SOUTH, problem=SILENT))
    else:
        copies.bring(world.old, CopySource(SOUTH, problem=SILENT), [put("s/1", 5)])
        assert state(world, "s/1") == (SOUTH, 5)
    assert [each.problem for each in copies.sources(world.old)] == ([] if asked == "sources" else [SILENT])
    assert world.store.is_current(world.old)
    assert world.write("s/2", ABSENT).revision == 1


def test_a_look_completes_what_an_earlier_release_set_up(postgres_world: World) -> None:
    world = postgres_world
    assert world.databases is not None
    copies, later = PostgresCopies(world.databases), AT + timedelta(seconds=30)
    copies.note(world.old, replace(CopySource(SOUTH), stage=ComparisonStage.FOLLOW, level_at=AT, heard_at=AT))
    with world.databases.connection(world.old.database) as connection:
        connection.execute("DROP TABLE switchyard.feed_look, switchyard.feed_rest")
        connection.execute("COMMENT ON SCHEMA switchyard IS 'earlier'")
    source_name = world.old.deployment.rpartition("/")[0] + f"/{SOUTH}"
    copies.note_look(world.old, FeedLook("south", later, {source_name: AT}))
    assert copies.source(world.old, SOUTH).level_at == later

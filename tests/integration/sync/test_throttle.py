"""The throttle says why a copy must rest; when that is unknown, it rests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from migrations_app.adapters.databases import Statements
from migrations_app.adapters.throttle import postgres
from migrations_app.adapters.throttle.postgres import PostgresThrottle, ThrottleLimits
from migrations_app.ports.checkpoints import ShardKey, ShardStage
from migrations_app.ports.upgrades import Direction
from tests.integration.sync.real_world import RealWorld

HOURS = 10_000_000
THROTTLE_SQL = Path(postgres.__file__).parent / "throttle.sql"


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (ThrottleLimits(commit_milliseconds=HOURS), ""),
        (ThrottleLimits(active_sessions=-1), "0 sessions are active, more than -1"),
        (ThrottleLimits(question="SELECT 'the night batch runs'"), "the night batch runs"),
        (ThrottleLimits(question="SELECT NULL", commit_milliseconds=HOURS), ""),
    ],
)
def test_it_says_what_stands_against_copying(world: RealWorld, limits: ThrottleLimits, said: str) -> None:
    assert PostgresThrottle(world.pools, limits).reason(world.v1) == said


def test_it_says_how_long_a_commit_takes(world: RealWorld) -> None:
    said = PostgresThrottle(world.pools, ThrottleLimits(commit_milliseconds=-1)).reason(world.v1)
    assert re.fullmatch(r"a commit takes [0-9]+ ms, more than -1", said)


def test_the_commit_that_is_timed_waits_for_the_disk_and_writes_no_row(world: RealWorld) -> None:
    with world.pools.transaction(world.v1.database) as connection:
        connection.execute("SET LOCAL synchronous_commit = off")
        connection.execute(Statements(THROTTLE_SQL)("commit"))
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)
        assert connection.execute("SELECT pg_current_xact_id_if_assigned() IS NOT NULL").fetchone() == (True,)


def test_in_doubt_the_copy_rests(world: RealWorld) -> None:
    asked = PostgresThrottle(world.pools, ThrottleLimits(question="SELECT nonsense FROM nowhere"))
    assert asked.reason(world.v1).startswith(f"the load of {world.v1.database} is unknown:")


def test_a_throttled_shard_copies_nothing_and_still_follows(world: RealWorld) -> None:
    for n in range(20):
        world.put(f"queues/{n}", n)
    world.throttle.said = "the night batch runs"
    for _ in range(3):
        world.turn()
    world.put("queues/new", 99)
    world.turn()
    assert list(world.contents(world.v2)) == [("List", "lists/new")]
    stood = [world.kept.load(ShardKey("u1", Direction.FORWARD, shard)) for shard in range(world.ring)]
    told = {one.throttled for one in stood if one.stage is ShardStage.BACKFILL}
    assert {words.partition("; since ")[0] for words in told} == {"the night batch runs"}
    assert {report.throttled for report in world.upgrades.shards("u1")} == told
    world.throttle.said = "the disk is slow"
    world.turn()
    still = {report.throttled for report in world.upgrades.shards("u1")}
    assert {words.partition("; since ")[0] for words in still} == {"the disk is slow"}
    assert {words.partition("; since ")[2] for words in still} == {
        words.partition("; since ")[2] for words in told
    }

    world.throttle.said = ""
    world.turn()
    world.turn()
    assert len(world.contents(world.v2)) == 21

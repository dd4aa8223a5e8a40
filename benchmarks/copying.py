"""Copying measured beside PostgreSQL's own means, in one run: `INSERT … SELECT` and native logical replication.

Run as `python -m benchmarks.copying [--resources 200000]`; it starts its own PostgreSQL, prints JSON, and a table to
standard error. One worker is one process.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from threading import Thread

import psycopg

from benchmarks.things import NEW, OLD, TABLE, seed, server, table, timed, yard_of
from migrations_app.adapters.databases import Databases
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.parity.digests import digest_of_sides
from migrations_app.engine.switch import preparing
from migrations_app.engine.sync.lane import Yard, lane_of
from migrations_app.engine.sync.shard import SyncController
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.fence import Site
from migrations_app.ports.stored import Layout
from migrations_app.ports.upgrades import Direction, ShardState

CHANGES = "UPDATE {} SET revision = revision + 1, body = body || '{{\"size\": 7}}' WHERE right(name, 1) IN ('1', '6')"


def work(yard: Yard, shards: Sequence[int]) -> None:
    """Be one worker: slices of these shards until all are level."""
    controller, epoch, waiting = SyncController(yard), 0, list(shards)
    while waiting:
        for shard in list(waiting):
            epoch += 1
            key = str(ShardKey("u1", Direction.FORWARD, shard))
            controller.reconcile(key, Budget(2.0, yard.clock), Lease(key, epoch, "sync"))
            if yard.upgrades.shards("u1")[shard].state is ShardState.READY:
                waiting.remove(shard)


def _worker(url: str, pushed: bool, shards: Sequence[int], line: Barrier) -> None:
    databases = Databases(lambda alias: url)
    yard = yard_of(databases, pushed)
    yard.feed.head(OLD)
    line.wait()
    work(yard, shards)
    line.wait()
    databases.close()


class Copying:
    """One table of things, copied in every way."""

    def __init__(self, url: str, resources: int) -> None:
        self.url, self.resources = url, resources
        self.databases = Databases(lambda alias: url)
        self.result: dict[str, float] = {"resources": resources}

    def run(self) -> dict[str, float]:
        """Measure everything."""
        yard = yard_of(self.databases, True)
        yard.fence.open_first(Site.of(OLD), "v1")
        yard.store.prepare(OLD, [Layout("Thing")])
        seed(self.databases, self.resources)
        self.note("insert_select", self.plain(1))
        two = self.note("insert_select_two_sessions", self.plain(2))
        native = self.note("native_replication_copy", self.native())
        for label, pushed in (("pushed_down", True), ("python", False)):
            one_rate = self.note(f"{label}_one_worker", self.copy(pushed, 1))
            two_rate = self.note(f"{label}_two_workers", self.copy(pushed, 2))
            plain = self.result["insert_select_per_second"]
            self.result[f"{label}_one_worker_over_insert_select"] = one_rate / plain
            self.result[f"{label}_two_workers_over_two_sessions"] = two_rate / two
            self.result[f"{label}_two_workers_over_native_replication"] = two_rate / native
        self.follow()
        self.databases.close()
        return self.result

    def note(self, name: str, seconds: float) -> float:
        """Keep a rate."""
        self.result[f"{name}_per_second"] = self.resources / seconds
        return self.resources / seconds

    def plain(self, sessions: int) -> float:
        """Copy without conversion into a table with the same indexes, ordered by key."""
        self._empty_plain()

        def half(number: int) -> None:
            with psycopg.connect(self.url, autocommit=True) as connection:
                connection.execute(
                    f"INSERT INTO public.plain SELECT * FROM {TABLE} WHERE shard %% %s = %s ORDER BY name",
                    (sessions, number),
                )

        threads = [Thread(target=half, args=(number,)) for number in range(sessions)]

        def both() -> None:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        return timed(both)

    def native(self) -> float:
        """Copy by a subscription of another database to this one; the slot is made first, as one server needs."""
        with psycopg.connect(self.url, autocommit=True) as here:
            here.execute("CREATE DATABASE elsewhere")
            here.execute("CREATE PUBLICATION things FOR TABLE public.plain")
            here.execute("SELECT pg_create_logical_replication_slot('things', 'pgoutput')")
            with psycopg.connect(_in_database(self.url, "elsewhere"), autocommit=True) as there:
                there.execute(_PLAIN)
                began = time.monotonic()
                there.execute(
                    f"CREATE SUBSCRIPTION things CONNECTION '{_words(self.url)}' PUBLICATION things "
                    "WITH (slot_name = 'things', create_slot = false, binary = true)"
                )
                while there.execute(
                    "SELECT count(*) FROM pg_subscription_rel WHERE srsubstate <> 'r'"
                ).fetchone() != (0,):
                    time.sleep(0.02)
                seconds = time.monotonic() - began
                there.execute("ALTER SUBSCRIPTION things DISABLE")
                there.execute("ALTER SUBSCRIPTION things SET (slot_name = NONE)")
                there.execute("DROP SUBSCRIPTION things")
            here.execute("SELECT pg_drop_replication_slot('things')")
            here.execute("DROP PUBLICATION things")
        return seconds

    def copy(self, pushed: bool, workers: int) -> float:
        """Copy with the engine until every shard is level."""
        yard = self._prepared(pushed)
        if workers == 1:
            return timed(lambda: work(yard, range(16)))
        spawn = get_context("spawn")
        # All begin at once, and the last one ends it; starting a process is not what is measured.
        line = spawn.Barrier(workers + 1, timeout=300)
        children = [
            spawn.Process(target=_worker, args=(self.url, pushed, range(number, 16, workers), line))
            for number in range(workers)
        ]
        for child in children:
            child.start()
        line.wait()
        seconds = timed(line.wait)
        for child in children:
            child.join()
        return seconds

    def follow(self) -> None:
        """Change a fifth of everything at once, and follow it with one worker; then compare both sides whole."""
        yard = self._prepared(False)
        work(yard, range(16))
        with self.databases.connection("bench") as connection:
            changed = connection.execute(CHANGES.format(TABLE)).rowcount
        seconds = timed(lambda: self._level(yard))
        self.result["follow_changes_per_second"] = changed / seconds
        lane = lane_of(yard, yard.upgrades.load("u1"), Direction.FORWARD, 0)
        compared = digest_of_sides(yard, lane)
        if not compared.equal:
            raise SystemExit("the sides differ after following")
        self.result["digest_of_both_sides_seconds"] = compared.seconds
        self.result["digest_per_million_seconds"] = compared.seconds / 2 / self.resources * 1_000_000

    def _level(self, yard: Yard) -> None:
        controller, epoch = SyncController(yard), 1_000
        while any(
            yard.feed.backlog(OLD, cursor.position, shards=[cursor.shard]).entries
            for cursor in yard.feed.cursors(OLD, "u1/forward")
        ):
            for key in list(controller.due()):
                epoch += 1
                controller.reconcile(key, Budget(2.0, yard.clock), Lease(key, epoch, "sync"))

    def _prepared(self, pushed: bool) -> Yard:
        yard = yard_of(self.databases, pushed)
        for follower in {one.follower for one in yard.feed.cursors(OLD)}:
            yard.feed.forget(OLD, follower)
        yard.store.drop(NEW)
        preparing.prepare(yard, yard.upgrades.load("u1"))
        with self.databases.connection("bench") as connection:
            connection.execute("CHECKPOINT")
        return yard

    def _empty_plain(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("DROP TABLE IF EXISTS public.plain")
            connection.execute(_PLAIN)
            connection.execute("CHECKPOINT")


_PLAIN = """
CREATE TABLE public.plain (name text COLLATE "C" PRIMARY KEY, shard integer NOT NULL, origin_shard integer NOT NULL,
    uid uuid NOT NULL, revision bigint NOT NULL, body jsonb NOT NULL, metadata jsonb NOT NULL,
    owning_region text NOT NULL, create_time timestamptz NOT NULL, update_time timestamptz NOT NULL);
CREATE INDEX ON public.plain (shard, name)
"""


def _in_database(url: str, name: str) -> str:
    return psycopg.conninfo.make_conninfo(url, dbname=name)


def _words(url: str) -> str:
    return psycopg.conninfo.make_conninfo(url, application_name="things").replace("'", "''")


def main() -> None:
    """Measure on a PostgreSQL of one's own, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resources", type=int, default=200_000)
    options = parser.parse_args()
    with server() as url:
        result = Copying(url, options.resources).run()
    print(table(result), file=sys.stderr)
    json.dump({key: round(value, 3) for key, value in result.items()}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()

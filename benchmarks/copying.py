"""Copying measured beside PostgreSQL's own means, in one run: `INSERT … SELECT` and native logical replication.

Run as `python -m benchmarks.copying [--resources 200000] [--rounds 3]`; it starts its own PostgreSQL, prints JSON, and a
table to standard error. The ways take turns; told are the medians of the rounds, of ratios too. One worker is one process;
one that follows has as many threads as `make up` gives it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from statistics import median
from threading import Thread

import psycopg

from benchmarks.things import NEW, OLD, TABLE, Plan, ports_of, seed, server, table, timed
from migrations_app.adapters.databases import Databases
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.parity.digests import digest_of_sides
from migrations_app.engine.switch import preparing
from migrations_app.engine.sync.shard import SyncController
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, pipeline_of
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.stored import Layout
from migrations_app.ports.upgrades import Direction, ShardState

THREADS = 6
"""So many threads `make up` gives the worker that follows."""
CHANGES = "UPDATE {} SET revision = revision + 1, body = body || '{{\"size\": 7}}' WHERE right(name, 1) IN ('1', '6')"


class Hands:
    """The leases of the shards that one worker does."""

    def __init__(self, shards: Sequence[int]) -> None:
        self.shards, self.epoch = shards, 0

    def take(self, keys: Sequence[str]) -> list[Lease]:
        """Give those that are this worker's."""
        self.epoch += 1
        return [Lease(key, self.epoch, "sync") for key in keys if ShardKey.parse(key).shard in self.shards]

    def release(self, leases: Sequence[Lease], seconds: float) -> None:
        """Take them back."""
        return


def work(ports: PipelinePorts, shards: Sequence[int]) -> None:
    """Be one worker: slices of these shards until all are caught up."""
    crew = Hands(shards)
    controller, waiting = SyncController(ports, crew=crew), list(shards)
    while waiting:
        for shard in list(waiting):
            key = str(ShardKey("u1", Direction.FORWARD, shard))
            controller.reconcile(key, Budget(2.0, ports.clock), crew.take([key])[0])
            if ports.upgrades.shards("u1")[shard].state is ShardState.READY:
                waiting.remove(shard)


def _worker(url: str, pushed: bool, shards: Sequence[int], line: Barrier) -> None:
    databases = Databases(lambda alias: url)
    ports = ports_of(databases, pushed)
    ports.feed.head(OLD)
    line.wait()
    work(ports, shards)
    line.wait()
    databases.close()


class Copying:
    """One table of things, copied in every way."""

    def __init__(self, url: str, resources: int, rounds: int = 1) -> None:
        self.url, self.resources, self.rounds = url, resources, rounds
        self.databases = Databases(lambda alias: url)
        self.result: dict[str, float] = {"resources": resources}

    def run(self) -> dict[str, float]:
        """Measure everything."""
        ports = ports_of(self.databases, True)
        ports.fence.open_first(FenceLocation.of(OLD), "v1")
        ports.store.prepare(OLD, [Layout("Thing")])
        seed(self.databases, self.resources)
        rounds = [self.round() for _ in range(self.rounds)]
        self.result |= {name: median(found[name] for found in rounds) for name in rounds[0]}
        for name in ("native_replication_copy_per_second", "pushed_down_two_workers_over_native_replication"):
            every = sorted(found[name] for found in rounds)
            self.result |= {f"{name}_least": every[0], f"{name}_most": every[-1]}
        self.follow()
        self.databases.close()
        return self.result

    def round(self) -> dict[str, float]:
        """Copy in every way once, one after the other."""
        one, two = self.rate(self.plain(1)), self.rate(self.plain(2))
        native, alone = self.rate(self.native()), self.rate(self.alone())
        found = {
            "insert_select_per_second": one,
            "insert_select_two_sessions_per_second": two,
            "native_replication_copy_per_second": native,
            "page_statement_alone_per_second": alone,
            "page_statement_alone_over_insert_select": alone / one,
        }
        for label, pushed in (("pushed_down", True), ("python", False)):
            one_rate, two_rate = self.rate(self.copy(pushed, 1)), self.rate(self.copy(pushed, 2))
            found |= {
                f"{label}_one_worker_per_second": one_rate,
                f"{label}_two_workers_per_second": two_rate,
                f"{label}_one_worker_over_insert_select": one_rate / one,
                f"{label}_two_workers_over_two_sessions": two_rate / two,
                f"{label}_two_workers_over_native_replication": two_rate / native,
            }
        return found

    def rate(self, seconds: float) -> float:
        """Tell how many resources went a second."""
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

    def alone(self) -> float:
        """Copy with conversion by the statement of a page alone, eight shards at a time, without the engine."""
        self._empty_plain()
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SET jit = off")
            return timed(lambda: _pages(connection))

    def native(self) -> float:
        """Copy by a subscription of another database to this one; the slot is made first, as one server needs.

        Timed from the beginning of its COPY, as we are from the beginning of the work, until the table is level.
        """
        with psycopg.connect(self.url, autocommit=True) as here:
            here.execute("CREATE DATABASE elsewhere")
            here.execute("CREATE PUBLICATION things FOR TABLE public.plain")
            here.execute("SELECT pg_create_logical_replication_slot('things', 'pgoutput')")
            here.execute("CHECKPOINT")
            with psycopg.connect(_in_database(self.url, "elsewhere"), autocommit=True) as there:
                there.execute(_PLAIN)
                there.execute(
                    f"CREATE SUBSCRIPTION things CONNECTION '{_words(self.url)}' PUBLICATION things "
                    "WITH (slot_name = 'things', create_slot = false, binary = true)"
                )
                began = time.monotonic()
                while there.execute(_BEGINS).fetchone() == (True,):
                    began = time.monotonic()
                while there.execute(_LEVEL).fetchone() != (True,):
                    time.sleep(0.01)
                seconds = time.monotonic() - began
                there.execute("ALTER SUBSCRIPTION things DISABLE")
                there.execute("ALTER SUBSCRIPTION things SET (slot_name = NONE)")
                there.execute("DROP SUBSCRIPTION things")
            here.execute("SELECT pg_drop_replication_slot('things')")
            here.execute("DROP PUBLICATION things")
            here.execute("DROP DATABASE elsewhere")
        return seconds

    def copy(self, pushed: bool, workers: int) -> float:
        """Copy with the engine until every shard is caught up."""
        ports = self._prepared(pushed)
        if workers == 1:
            return timed(lambda: work(ports, range(16)))
        spawn = get_context("spawn")
        # All begin at once, and the last one ends it; starting a process is not what is measured.
        line = spawn.Barrier(workers + 1, timeout=300)
        children = [
            spawn.Process(
                target=_worker,
                args=(self.url, pushed, range(number * 16 // workers, (number + 1) * 16 // workers), line),
            )
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
        ports = self._prepared(False)
        work(ports, range(16))
        for label, threads in (("follow_one_thread", 1), ("follow", THREADS)):
            rates: list[float] = []
            for _ in range(self.rounds):
                with self.databases.connection("bench") as connection:
                    changed = connection.execute(CHANGES.format(TABLE)).rowcount
                    connection.execute("CHECKPOINT")
                rates.append(changed / timed(partial(self._level, ports, threads)))
            self.result[f"{label}_changes_per_second"] = median(rates)
        pipeline = pipeline_of(ports, ports.upgrades.load("u1"), Direction.FORWARD, 0)
        compared = digest_of_sides(ports, pipeline)
        if not compared.equal:
            raise SystemExit("the sides differ after following")
        self.result["digest_of_both_sides_seconds"] = compared.seconds
        self.result["digest_per_million_seconds"] = compared.seconds / 2 / self.resources * 1_000_000

    def _level(self, ports: PipelinePorts, threads: int) -> None:
        controller, epochs = SyncController(ports), count(int(time.monotonic() * 1_000))

        def slice_of(key: str) -> None:
            controller.reconcile(key, Budget(2.0, ports.clock), Lease(key, next(epochs), "sync"))

        with ThreadPoolExecutor(threads) as pool:
            while any(
                ports.feed.backlog(OLD, cursor.position, shards=[cursor.shard]).entries
                for cursor in ports.feed.cursors(OLD, "u1/forward")
            ):
                list(pool.map(slice_of, list(controller.due())))

    def _prepared(self, pushed: bool) -> PipelinePorts:
        ports = ports_of(self.databases, pushed)
        for follower in {one.follower for one in ports.feed.cursors(OLD)}:
            ports.feed.forget(OLD, follower)
        ports.store.drop(NEW)
        record, budget = ports.upgrades.load("u1"), Budget(60.0, ports.clock)
        preparing.prepare(ports, record, budget, Lease("u1", 1, "switch"))
        with self.databases.connection("bench") as connection:
            connection.execute("CHECKPOINT")
        return ports

    def _empty_plain(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("DROP TABLE IF EXISTS public.plain")
            connection.execute(_PLAIN)
            connection.execute("CHECKPOINT")


def _pages(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    for shards in (range(8), range(8, 16)):
        after: object = ""
        while after is not None:
            found = connection.execute(
                f"SELECT name FROM {TABLE} WHERE name > %s ORDER BY name OFFSET 9999 LIMIT 1", (after,)
            ).fetchone()
            last = found[0] if found else None
            connection.execute(
                f"""INSERT INTO public.plain SELECT name, shard, shard, uid, revision, {Plan.body_expression}, metadata,
                owning_region, create_time, update_time FROM {TABLE}
                WHERE shard = ANY(%s) AND name > %s AND (%s::text IS NULL OR name <= %s) ORDER BY name""",
                (list(shards), after, last, last),
            )
            after = last


_BEGINS = """
SELECT EXISTS (SELECT FROM pg_subscription_rel WHERE srsubstate IN ('i', 'd')) AND NOT EXISTS (
    SELECT FROM pg_stat_progress_copy WHERE datname = current_database() AND tuples_processed > 0)
"""
_LEVEL = "SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel"
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
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with server() as url:
        result = Copying(url, options.resources, options.rounds).run()
    print(table(result), file=sys.stderr)
    json.dump({key: round(value, 3) for key, value in result.items()}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()

"""References between deployments: the round trips they cost, how fast cascades go, and who refers to what.

`python -m benchmarks.constraints --url postgresql://…/an_empty_database` runs two services in one process, each with
its namespace; a round trip is through JSON and two data transactions, without a network.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from psycopg import sql

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.peers.local import LocalPeers
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.adapters.store.rows import table_of
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.constraints.arranging import Arranging
from migrations_app.engine.constraints.deleting import DeletingController
from migrations_app.engine.constraints.messages import Establish, NewReference, Tokens, write
from migrations_app.engine.constraints.mixin import MixinServer
from migrations_app.engine.constraints.subscribed import SubscribedController, key_of
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.serving.references.graph import ReferenceGraph
from migrations_app.engine.serving.references.groups import ReferenceGroups
from migrations_app.engine.serving.references.nodes import ReferenceNode
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.engine.serving.writing import WritingServer
from migrations_app.kernel.clock import SystemClock
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Layout

SAY_EVERY_SECONDS = 5.0
AT_ONCE = 8
BASE, USER = Peer("base.example.com", "here"), Peer("user.example.com", "here")
TOP = "service: {0}\nversions: [{{version: v1, ordinal: 10, sources: [{{kind: ir, path: v1.yaml}}], imports: [{1}]}}]\n"
THING = b"schema: {types: {Thing: {fields: {name: string, size: i32}}}, resources: {Thing: {patterns: ['things/{thing}']}}}"
USE = b"""
schema:
  types:
    Use:
      fields:
        name: string
        one: {type: {reference: base.example.com/Thing}}
        two: {type: {reference: base.example.com/Thing}}
        three: {type: {reference: base.example.com/Thing}}
        follow: {type: {reference: base.example.com/Thing}, constraints: {onDelete: cascade}}
        parent: {type: {reference: Use}, constraints: {onDelete: cascade}}
        size: i32
  resources: {Use: {patterns: ['uses/{use}']}}
"""
MANY = """
INSERT INTO bench_user.reference
SELECT 'Use', 'uses/m' || n, 0, 'one', 'BLOCK', 'base.example.com', 'here', 'v1', 'Thing', 'things/t' || (n %% %s)
FROM generate_series(1, %s) n
"""

TO_ONE = """
INSERT INTO bench_user.reference
SELECT 'Use', 'uses/one' || n, 0, 'one', 'BLOCK', 'base.example.com', 'here', 'v1', 'Thing', 'things/one'
FROM generate_series(1, %s) n
"""
TABLE = sql.Identifier("bench_user", table_of("Use"))
GROW = sql.SQL("""
INSERT INTO {table} (name, shard, origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time)
SELECT 'uses/' || %(run)s || '-' || level || '-' || n, n %% 16, n %% 16, gen_random_uuid(), 1, '{{}}', '{{}}', 'here', now(), now()
FROM generate_series(1, %(levels)s) level, generate_series(1, %(wide)s) n
""").format(table=TABLE)
# Who the n-th of a level goes with: the n-th above it, any above it, or the first above it.
ABOVE = {"chains": "n", "forest": "1 + (n * 7919 + level * 104729) %% %(wide)s", "hubs": "1"}
FOLLOW = """
INSERT INTO bench_user.reference
SELECT 'Use', 'uses/' || %(run)s || '-' || level || '-' || n, 0, 'parent', 'CASCADE',
    CASE WHEN level = 1 THEN 'base.example.com' ELSE 'user.example.com' END, 'here', 'v1',
    CASE WHEN level = 1 THEN 'Thing' ELSE 'Use' END,
    CASE WHEN level = 1 THEN 'things/' || %(run)s ELSE 'uses/' || %(run)s || '-' || level - 1 || '-' || above END
FROM (SELECT level, n, {above} AS above FROM generate_series(1, %(levels)s) level, generate_series(1, %(wide)s) n) one
"""


def _compiled() -> dict[str, CompiledService]:
    base = compile_service(
        read_files({"service.yaml": TOP.format(BASE.service, "").encode(), "v1.yaml": THING})
    )
    top = TOP.format(USER.service, f"{{service: {BASE.service}, version: v1}}").encode()
    user = compile_service(read_files({"service.yaml": top, "v1.yaml": USE}), {BASE.service: base})
    return {BASE.service: base, USER.service: user}


class Map:
    """The directory of two deployments."""

    def __init__(self) -> None:
        self._compiled = _compiled()

    def served(self, region: str, service: str) -> Served:
        """Find one of the two."""
        place = Namespace(Peer(service, region).deployment, "v1", "bench", f"bench_{service.split('.')[0]}")
        deployment = Peer(service, region).deployment
        return Served(deployment, service, region, "v1", self._compiled[service], {"v1": place})

    def forget(self, region: str, service: str) -> None:
        """Keep nothing."""


class Bench:
    """Two deployments in one database, and the measurements."""

    def __init__(self, url: str) -> None:
        self.databases = Databases(lambda alias: url)
        self.store, fence = PostgresStore(self.databases), PostgresFence(self.databases)
        self.map = Map()
        for peer, type_ in ((BASE, "Thing"), (USER, "Use")):
            home = self.map.served(peer.region, peer.service).namespaces["v1"]
            fence.open_first(FenceLocation.of(home), "v1")
            self.store.prepare(home, [Layout(type_)])
        self.router = Router(self.map, self.store, fence)
        self.mixin = MixinServer(self.router)
        self.peers = LocalPeers(lambda: self.mixin)
        self.arranging = Arranging(self.router, self.peers, lambda service: ["here"])
        self.writing = WritingServer(self.router, self.arranging)

    def run(self, repeat: int, levels: int, wide: int, references: int) -> None:
        """Measure everything, and print it."""
        for number in range(100):
            self.write(BASE, WriteRequest("create", "Thing", f"things/t{number}", body={}))
        self.round_trip(repeat)
        self.writes(repeat)
        self.first_referrers(repeat // 10)
        for shape in ABOVE:
            self.cascade(shape, levels, wide)
        self.who_refers(references)
        self.count_references(references)

    def write(self, peer: Peer, *requests: WriteRequest) -> None:
        """Carry out writes together."""
        self.writing.write(peer.region, peer.service, "v1", requests)

    def round_trip(self, repeat: int) -> None:
        """Establish and confirm one reference."""

        def _once(number: int) -> None:
            token = f"1700000000-{number}"
            reference = NewReference("Thing", f"things/t{number % 100}", "BLOCK")
            body = write(Establish(token, "v1", (reference,)))
            self.peers.call(USER, BASE, "establishReferences", body)
            self.peers.call(USER, BASE, "confirmBlockades", write(Tokens((token,))))

        show("establish and confirm, round trip", timed(_once, repeat))

    def writes(self, repeat: int) -> None:
        """Create with three references elsewhere, beside creating with none."""

        def _plain(number: int) -> None:
            self.write(USER, WriteRequest("create", "Use", f"uses/p{number}", body={"size": number}))

        def _referring(number: int) -> None:
            body = {
                key: f"things/t{(number + 7 * at) % 100}" for at, key in enumerate(("one", "two", "three"))
            }
            self.write(USER, WriteRequest("create", "Use", f"uses/r{number}", body={**body, "size": number}))

        plain, referring = timed(_plain, repeat), timed(_referring, repeat)
        show("create without references", plain)
        show("create with three references elsewhere", referring)
        ratio = statistics.median(plain) / statistics.median(referring)
        print(f"{'  as a ratio of speeds':44} {ratio:10.2f}")

    def first_referrers(self, repeat: int) -> None:
        """Let several refer at once to one of their own deployment that was not referred to, and then again."""
        for number in range(repeat):
            self.write(USER, WriteRequest("create", "Use", f"uses/above{number}", body={"size": 0}))
        with ThreadPoolExecutor(AT_ONCE) as pool:

            def _all(turn: str) -> list[float]:
                took: list[float] = []
                for number in range(repeat):
                    barrier = Barrier(AT_ONCE)

                    def _one(who: int, number: int = number, barrier: Barrier = barrier) -> float:
                        barrier.wait()
                        began = time.perf_counter()
                        name, body = f"uses/{turn}{number}-{who}", {"parent": f"uses/above{number}"}
                        self.write(USER, WriteRequest("create", "Use", name, body=body))  # type: ignore[arg-type]
                        return (time.perf_counter() - began) * 1000

                    took += pool.map(_one, range(AT_ONCE))
                return took

            for turn, label in (("warm", ""), ("first", "for the first time"), ("again", "again")):
                if turn == "first":
                    for number in range(repeat):
                        name = f"uses/above{number}"
                        for who in range(AT_ONCE):
                            self.write(USER, WriteRequest("delete", "Use", f"uses/warm{number}-{who}"))
                        self.write(USER, WriteRequest("delete", "Use", name))
                        self.write(USER, WriteRequest("create", "Use", name, body={"size": 0}))
                took = _all(turn)
                if label:
                    show(f"{AT_ONCE} at once refer to one {label}", took)

    def cascade(self, shape: str, levels: int, wide: int) -> None:
        """Delete a thing that many of another deployment go with, level below level, and carry it on."""
        thing = f"things/{shape}"
        self.write(BASE, WriteRequest("create", "Thing", thing, body={}))
        token = f"1700000000-{shape}"
        body = write(Establish(token, "v1", (NewReference("Thing", thing, "CASCADE"),)))
        self.peers.call(USER, BASE, "establishReferences", body)
        self.peers.call(USER, BASE, "confirmBlockades", write(Tokens((token,))))
        told = {"run": shape, "levels": levels, "wide": wide}
        with self.databases.connection("bench") as connection:
            connection.execute(GROW, told)
            connection.execute(sql.SQL(FOLLOW.replace("{above}", ABOVE[shape])), told)
            connection.execute("VACUUM ANALYZE")
        began = time.perf_counter()
        self.write(BASE, WriteRequest("delete", "Thing", thing))
        answered = time.perf_counter() - began
        deleting = DeletingController(self.router, self.peers, self.arranging, lambda: [BASE, USER])
        subscribed = SubscribedController(
            self.router, self.peers, self.arranging, lambda: [USER], lambda here: [BASE], SystemClock()
        )
        said = began
        while under_way := sum(self.deleting(peer) for peer in (BASE, USER)):
            if time.perf_counter() - said > SAY_EVERY_SECONDS:
                said = time.perf_counter()
                left = self.left(shape)
                print(
                    f"  {shape}: {left} of {levels * wide} left, {under_way} shadows",
                    file=sys.stderr,
                    flush=True,
                )
            subscribed.reconcile(key_of(USER, "here"), Budget(2, SystemClock()), Lease("", 1))
            for peer in (USER, BASE):
                deleting.reconcile(peer.deployment, Budget(2, SystemClock()), Lease("", 1))
        took, count = time.perf_counter() - began, levels * wide
        label = f"cascade of {levels} x {wide}, {shape}"
        print(
            f"{label:44} {count / took:8.0f} resources/s   answered in {answered * 1000:.0f} ms, "
            f"done in {took:.1f} s, peak of memory {_peak_megabytes():.0f} MB"
        )
        assert self.left(shape) == 0

    def left(self, shape: str) -> int:
        """Count the resources of a cascade that are still there."""
        with self.databases.connection("bench") as connection:
            counting = sql.SQL("SELECT count(*) FROM {} WHERE name LIKE %s").format(TABLE)
            ((count,),) = connection.execute(counting, (f"uses/{shape}-%",)).fetchall()
        return int(str(count))

    def deleting(self, peer: Peer) -> int:
        """Count what a deployment has not finished deleting."""
        return self.router.read_active("here", peer.service, lambda _, r: r.constraints.tally())[1].deleting

    def count_references(self, references: int) -> None:
        """Count the references to one resource that so many lead to, and list a page of them."""
        self.write(BASE, WriteRequest("create", "Thing", "things/one", body={}))
        with self.databases.connection("bench") as connection:
            connection.execute(TO_ONE, (references,))
            connection.execute("VACUUM ANALYZE bench_user.reference")
        places = [("here", USER.service), ("here", BASE.service)]
        graph = ReferenceGraph(self.router, places)
        groups = ReferenceGroups(self.router, places, graph, lambda _: ((), ()))
        focus = ReferenceNode(BASE.service, "here", "things/one")

        def _count(_: int) -> None:
            (counted,) = groups.around(focus).groups
            assert (counted.count, counted.is_exact) == (references, True)

        def _list(_: int) -> None:
            (counted,) = groups.around(focus).groups
            began = time.perf_counter()
            assert len(groups.members(focus, counted.group, ("uses/one5", -1), 200)) == 200
            pages.append((time.perf_counter() - began) * 1000)

        pages: list[float] = []
        show(f"count {references} references to one", timed(_count, 5))
        timed(_list, 5)
        show("list 200 of them", pages)

    def who_refers(self, references: int) -> None:
        """Ask who refers to a resource, with so many references kept."""
        with self.databases.connection("bench") as connection:
            connection.execute(MANY, (references // 10, references))
            connection.execute("VACUUM ANALYZE bench_user.reference")
        reading = self.store.read(self.map.served("here", USER.service).namespaces["v1"])

        def _once(number: int) -> None:
            assert reading.referrers(BASE.service, f"things/t{number * 37 % (references // 10)}")

        show(f"who refers to this, of {references}", timed(_once, 500))


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(once: Callable[[int], None], repeat: int) -> list[float]:
    """Take the milliseconds of each repetition."""
    took = []
    for number in range(repeat):
        began = time.perf_counter()
        once(number)
        took.append((time.perf_counter() - began) * 1000)
    return took


def show(name: str, took: Sequence[float]) -> None:
    """Print the middle and the slow end."""
    ordered = sorted(took)
    print(f"{name:44} {statistics.median(ordered):8.2f} ms   p95 {ordered[int(len(ordered) * 0.95)]:8.2f} ms")


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--repeat", type=int, default=300)
    parser.add_argument("--levels", type=int, default=10)
    parser.add_argument("--wide", type=int, default=10_000)
    parser.add_argument("--references", type=int, default=1_000_000)
    parser.add_argument(
        "--references-only", action="store_true", help="count and list references, nothing else"
    )
    asked = parser.parse_args()
    bench = Bench(asked.url)
    try:
        if asked.references_only:
            bench.count_references(asked.references)
        else:
            bench.run(asked.repeat, asked.levels, asked.wide, asked.references)
    finally:
        bench.databases.close()


if __name__ == "__main__":
    main()

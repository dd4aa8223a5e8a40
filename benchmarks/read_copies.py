"""Read copies: how far they lag behind their owner under writes, and what memory following takes.

`python -m benchmarks.read_copies --url postgresql://…/an_empty_database`. The owner answers over HTTP with service
tokens in a process of its own, a second process follows, this one writes; both regions' data share one server. A lag
runs from the time an owner's row was written to the commit of its copy.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from uuid import uuid4

from psycopg import sql

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.peers.http import HttpPeers
from migrations_app.adapters.service_tokens import ServiceKeys, ServiceTokens
from migrations_app.adapters.store.copying import PostgresCopies
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.adapters.store.rows import table_of
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.constraints.mixin import MixinServer
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.regions.copy_ports import CopyPorts
from migrations_app.engine.regions.copying import CopyController, key_of
from migrations_app.engine.regions.owned import OwnedServer
from migrations_app.engine.serving.routing import Router
from migrations_app.kernel.clock import SystemClock
from migrations_app.ports.copies import ComparisonStage, CopySource
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import BatchResult, Draft, Layout, Put, Removal, ReplicationToken

OWNER, KEEPER = Peer("base.example.com", "north"), Peer("base.example.com", "south")
TOP = b"service: base.example.com\nversions: [{version: v1, ordinal: 10, sources: [{kind: ir, path: v1.yaml}]}]\n"
THING = b"schema: {types: {Thing: {fields: {name: string, size: i32, note: string}}}, resources: {Thing: {patterns: ['things/{thing}']}}}"
SYNCING = {"syncing": {"owningRegion": OWNER.region, "regions": [OWNER.region, KEEPER.region]}}
SECRET = "a secret of this benchmark alone"
NOTE = "x" * 500
FILL = sql.SQL("""
INSERT INTO {table} (name, shard, origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time)
SELECT 'things/t' || lpad(n::text, 7, '0'), n %% 16, n %% 16, gen_random_uuid(), 1,
    jsonb_build_object('size', 0, 'note', %(note)s::text), %(syncing)s::jsonb, %(own)s, now(), now()
FROM generate_series(%(first)s::int, %(last)s::int) n
""")
WAKING = timedelta(seconds=2)
TOGETHER = 5
"""So many are written in one transaction: one writer with one each ends at some 350 a second."""


class Map:
    """The directory of both regions."""

    def __init__(self) -> None:
        self._compiled = compile_service(read_files({"service.yaml": TOP, "v1.yaml": THING}))

    def served(self, region: str, service: str) -> Served:
        """Find one of the two."""
        name = Peer(service, region).deployment
        home = Namespace(name, "v1", "bench", f"bench_{region}")
        return Served(name, service, region, "v1", self._compiled, {"v1": home})

    def forget(self, region: str, service: str) -> None:
        """Keep nothing."""


class Region:
    """What a process of one region works with."""

    def __init__(self, url: str) -> None:
        self.databases = Databases(lambda alias: url)
        self.store, self.feed = PostgresStore(self.databases), PostgresFeed(self.databases)
        self.fence, self.map = PostgresFence(self.databases), Map()
        self.copies = PostgresCopies(self.databases)
        self.tokens = ServiceTokens(ServiceKeys.of(SECRET))

    def home(self, peer: Peer) -> Namespace:
        """Give where a region keeps its things."""
        return self.map.served(peer.region, peer.service).namespaces["v1"]

    def prepare(self) -> None:
        """Make both namespaces."""
        for peer in (OWNER, KEEPER):
            self.fence.open_first(FenceLocation.of(self.home(peer)), "v1")
            self.store.prepare(self.home(peer), [Layout("Thing")])


def serve(url: str, told: Connection) -> None:
    """Answer for the owner, until this process is ended."""
    region = Region(url)
    router = Router(region.map, region.store, region.fence)
    owned = OwnedServer(router, region.store, region.feed, region.copies)
    mixin = MixinServer(router, more=owned.actions)

    class _Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            caller = region.tokens.check(
                self.headers["Authorization"].removeprefix("Bearer "), OWNER, "POST", self.path
            )
            action = self.path.rpartition(":")[2]
            answer = json.dumps(mixin.answer(caller.peer, OWNER, action, json.loads(body))).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *given: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    told.send(server.server_address[1])
    server.serve_forever()


class Timed(PostgresCopies):
    """Read copies that note how old each is when it is there."""

    lags: list[tuple[datetime, float]]
    since: datetime | None = None
    """Only what is written from then on counts: what was there before may be told again."""

    def bring(
        self,
        namespace: Namespace,
        source: CopySource,
        changes: Sequence[Put | Removal],
        replication_token: ReplicationToken | None = None,
    ) -> tuple[CopySource, BatchResult]:
        """Write copies, and note their age."""
        done = super().bring(namespace, source, changes, replication_token)
        now = datetime.now(UTC)
        if source.stage is ComparisonStage.FOLLOW and self.since is not None:
            self.lags += [
                (each.update_time, (now - each.update_time).total_seconds())
                for each in changes
                if isinstance(each, Put) and each.update_time > self.since
            ]
        return done


@dataclass(frozen=True)
class Followed:
    """What following came to."""

    lags: list[tuple[datetime, float]]
    """Of each change: when it was written, and how long after that its copy was there."""
    compare_seconds: float
    resident_megabytes: float
    peak_megabytes: float


def follow(url: str, port: int, told: Connection) -> None:
    """Follow the owner: bring everything, say so, then go on until asked to tell how it went."""
    region = Region(url)
    copies = Timed(region.databases)
    copies.lags = []
    peers = HttpPeers(region.tokens, lambda _: f"http://127.0.0.1:{port}")
    controller = CopyController(
        CopyPorts(region.store, copies, region.fence, region.map),
        peers,
        lambda: [KEEPER],
        lambda _: [OWNER.region, KEEPER.region],
        SystemClock(),
    )
    began, home = time.monotonic(), region.home(KEEPER)
    while copies.source(home, OWNER.region).stage is not ComparisonStage.FOLLOW:
        _slice(controller)
    compared, copies.since = time.monotonic() - began, datetime.now(UTC)
    told.send("level")
    while not told.poll():
        _slice(controller)
    told.send(Followed(copies.lags, compared, *_memory()))


def _slice(controller: CopyController) -> None:
    found = controller.reconcile(key_of(KEEPER, OWNER.region), Budget(2.0, SystemClock()), Lease("", 1))
    # A worker's sweep comes once a second.
    time.sleep(getattr(found, "after_seconds", 0.0))


def _memory() -> tuple[float, float]:
    lines = Path("/proc/self/status").read_text().splitlines()
    found = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if line.endswith(" kB")}
    return found["VmRSS"], found["VmHWM"]


def measure(url: str, resources: int, rate: int, seconds: float) -> tuple[Followed, float]:
    """Let a fresh process copy what is there, then follow writes; tell how, and the rate that was written."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=(url, theirs), daemon=True)
    server.start()
    port = ours.recv()
    mine, its = context.Pipe()
    follower = context.Process(target=follow, args=(url, port, its), daemon=True)
    follower.start()
    assert mine.recv() == "level"
    written = _write(Region(url), resources, rate, seconds) if rate else 0.0
    time.sleep(2.0)
    mine.send("enough")
    found: Followed = mine.recv()
    for child in (follower, server):
        child.terminate()
        child.join()
    return found, written


def fill(region: Region, first: int, last: int) -> None:
    """Give the owner things."""
    home = region.home(OWNER)
    told = {
        "first": first,
        "last": last - 1,
        "note": NOTE,
        "syncing": json.dumps(SYNCING),
        "own": OWNER.region,
    }
    with region.databases.connection(home.database) as connection:
        connection.execute(FILL.format(table=sql.Identifier(home.schema, table_of("Thing"))), told)
        connection.execute("VACUUM ANALYZE")


def _draft(number: int, size: int) -> Draft:
    body = {"size": size, "note": NOTE}
    return Draft("Thing", f"things/t{number:07}", uuid4(), body, SYNCING, OWNER.region)  # type: ignore[arg-type]


def _write(region: Region, resources: int, rate: int, seconds: float) -> float:
    """Write some things after others, as evenly as asked; tell the rate."""
    home, began, done = region.home(OWNER), time.monotonic(), 0
    while (now := time.monotonic() - began) < seconds:
        if done > now * rate:
            time.sleep(0.001)
            continue
        with region.store.transaction(home) as transaction:
            for number in range(done, done + TOGETHER):
                transaction.put(_draft(number * 37 % resources, number))
        done += TOGETHER
    region.databases.close()
    return done / (time.monotonic() - began)


def main() -> None:
    """Measure lag and memory, and print them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--resources", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20.0)
    asked = parser.parse_args()
    region = Region(asked.url)
    region.prepare()
    fill(region, 0, asked.resources)
    small, rate = measure(asked.url, asked.resources, asked.rate, asked.seconds)
    begun = min(at for at, _ in small.lags)
    # The follower rests between two quiet looks: what waits for the first of them is told by itself.
    woken = max(lag for at, lag in small.lags if at - begun < WAKING)
    lags = sorted(lag for at, lag in small.lags if at - begun >= WAKING)
    print(f"{'writes at the owner':44} {rate:8.0f} /s for {asked.seconds:.0f} s")
    for name, at in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
        print(f"{f'lag of copies {name}':44} {lags[int(len(lags) * at)]:8.3f} s")
    print(f"{'lag of copies, longest':44} {lags[-1]:8.3f} s of {len(lags)}")
    print(f"{'lag after a quiet time, longest':44} {woken:8.3f} s")
    with region.databases.connection("bench") as connection:
        for table in ("copy_source", '"r_Thing"'):
            connection.execute(f"TRUNCATE bench_{KEEPER.region}.{table}".encode())
    again, _ = measure(asked.url, asked.resources, 0, 0.0)
    fill(region, asked.resources, 10 * asked.resources)
    with region.databases.connection("bench") as connection:
        for table in ("copy_source", '"r_Thing"'):
            connection.execute(f"TRUNCATE bench_{KEEPER.region}.{table}".encode())
    region.databases.close()
    large, _ = measure(asked.url, asked.resources, 0, 0.0)
    for name, found, count in (("1x", again, asked.resources), ("10x", large, 10 * asked.resources)):
        copied = count / found.compare_seconds
        print(f"{f'first copy, {name}':44} {copied:8.0f} resources/s ({count})")
        print(
            f"{f'memory of the follower, {name}':44} {found.resident_megabytes:8.1f} MB, peak {found.peak_megabytes:.1f}"
        )


if __name__ == "__main__":
    main()

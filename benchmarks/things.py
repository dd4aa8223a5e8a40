"""What the benchmarks of copying and switching share: a server, a table of things, their conversion, the engine."""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from console.embedded.postgres import Postgres
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.repositories.places_memory import MemoryPlaces
from migrations_app.adapters.repositories.sync_memory import MemoryCheckpoints
from migrations_app.adapters.repositories.upgrades_memory import MemoryUpgrades
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.adapters.throttle.postgres import PostgresThrottle
from migrations_app.domain.switch.states import State
from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.kernel.clock import SystemClock
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.conversions import Converter, ConvertText, SqlPart
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Layout, Reference, ReferencePath
from migrations_app.ports.upgrades import Direction, UpgradeRecord

DEPLOYMENT = "services/bench.example.com/deployments/here"
OLD = Namespace(DEPLOYMENT, "v1", "bench", "bench_v1")
NEW = Namespace(DEPLOYMENT, "v2", "bench", "bench_v2")
TABLE = 'bench_v1."r_Thing"'
SEED = """
INSERT INTO bench_v1."r_Thing"
SELECT name, shard, shard, gen_random_uuid(), 1,
    jsonb_build_object('title', 'thing ' || number, 'labels', jsonb_build_object('a', 'b'), 'size', number,
        'text', repeat('lorem ipsum ', 30), 'region', 'eu-west1'),
    '{}', 'here', now(), now()
FROM (SELECT number, 'things/' || lpad(number::text, 8, '0') AS name FROM generate_series(1, %s) number) made
CROSS JOIN LATERAL (SELECT switchyard.shard_of(name, 16) AS shard OFFSET 0) sharded
"""


@dataclass(frozen=True)
class Converted:
    """A thing in the other version."""

    name: str
    body: JsonObject
    type: str = "Thing"
    references: tuple[Reference, ...] | None = ()


@dataclass(frozen=True)
class Plan:
    """The conversion in SQL."""

    name_expression: str = "name"
    body_expression: str = (
        "jsonb_build_object('displayName', body -> 'title', 'tags', body -> 'labels', 'bytes', body -> 'size', "
        "'text', body -> 'text', 'place', body -> 'region')"
    )
    unsure_expression: str = "false"
    references: tuple[ReferencePath, ...] = ()


class Renaming:
    """Five renamed fields, in Python and in SQL."""

    target_type = "Thing"
    target_types = ("Thing",)
    identity = False
    text: ConvertText | None = None
    parts: tuple[SqlPart, ...] = ()
    referring: frozenset[str] = frozenset()
    refers = False
    reference_paths: tuple[ReferencePath, ...] | None = ()
    FIELDS = {"title": "displayName", "labels": "tags", "size": "bytes", "text": "text", "region": "place"}

    def __init__(self, direction: Direction, pushed: bool) -> None:
        forward = direction is Direction.FORWARD
        self.fields = self.FIELDS if forward else {new: old for old, new in self.FIELDS.items()}
        self.sql = Plan() if pushed and forward else None

    def place(self, name: str) -> tuple[str, str]:
        """Names stay."""
        return "Thing", name

    def references(self, body: JsonObject) -> tuple[Reference, ...]:
        """A thing refers to nothing."""
        return ()

    def forward(self, name: str, body: JsonObject) -> Converted:
        """Rename the fields."""
        return Converted(name, {new: body[old] for old, new in self.fields.items()})


@dataclass
class Conversions:
    """One type, pushed down or not."""

    pushed: bool

    def converters(self, record: UpgradeRecord, direction: Direction) -> Mapping[str, Converter]:
        """The one type."""
        return {"Thing": Renaming(direction, self.pushed)}

    def layouts(self, record: UpgradeRecord, direction: Direction) -> Sequence[Layout]:
        """The one table."""
        return [Layout("Thing")]


def ports_of(databases: Databases, pushed: bool) -> PipelinePorts:
    """Give the ports, with a fresh upgrade that copies; its rows are kept in memory."""
    upgrades = MemoryUpgrades()
    upgrades.add(UpgradeRecord("u1", 1, DEPLOYMENT, "v1", "v2", OLD, NEW, State.SYNCING))
    return PipelinePorts(
        store=PostgresStore(databases),
        feed=PostgresFeed(databases),
        fence=PostgresFence(databases),
        checkpoints=MemoryCheckpoints(),
        upgrades=upgrades,
        places=MemoryPlaces(),
        conversions=Conversions(pushed),
        throttle=PostgresThrottle(databases),
        clock=SystemClock(),
    )


def seed(databases: Databases, resources: int) -> None:
    """Fill the old version; its triggers would make that take twice as long."""
    with databases.connection("bench") as connection:
        connection.execute(f"ALTER TABLE {TABLE} DISABLE TRIGGER capture")
        connection.execute(SEED, (resources,))
        connection.execute(f"ALTER TABLE {TABLE} ENABLE TRIGGER capture")
        connection.execute("VACUUM ANALYZE " + TABLE)


@contextmanager
def server() -> Iterator[str]:
    """Run a PostgreSQL of one's own with everything durable; gives its address."""
    with tempfile.TemporaryDirectory(prefix="switchyard-bench-") as folder:
        postgres = Postgres(Path(folder) / "postgres")
        postgres.create()
        (postgres.data / "postgresql.auto.conf").write_text("wal_level = logical\nmax_wal_size = 4GB\n")
        child = postgres.start(Path(folder) / "postgres.log")
        try:
            postgres.wait_ready(child)
            yield postgres.url("postgres")
        finally:
            child.send_signal(signal.SIGINT)
            child.wait()


def timed(work: Callable[[], object]) -> float:
    """Tell how many seconds something takes."""
    began = time.monotonic()
    work()
    return time.monotonic() - began


def table(rows: Mapping[str, float]) -> str:
    """Lay figures out as people read them."""
    wide = max(map(len, rows))
    return "\n".join(f"  {name.replace('_', ' '):<{wide}}  {value:>14,.3f}" for name, value in rows.items())

"""Storage: what triggers cost a writer, and how fast resources are copied, as ratios within one run.

Run it on a machine that does nothing else:
`python -m benchmarks.storage --url postgresql://…/an_empty_database --resources 1000000`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Never

from migrations_app.adapters.conversions import Pushed
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.conversions import SqlConversion
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.store import KeyRange, Layout, Namespace, Put, ReplicationToken, StoredResource

DEPLOYMENT = "services/bench.example.com/deployments/here"
OLD = Namespace(DEPLOYMENT, "v1", "bench", "bench_v1")
NEW = Namespace(DEPLOYMENT, "v2", "bench", "bench_v2")
WARRANT = ReplicationToken("v1", 1)
TABLE = 'bench_v1."r_Thing"'

SEED = """
INSERT INTO bench_v1."r_Thing"
SELECT name, switchyard.shard_of(name, 16), switchyard.shard_of(name, 16), gen_random_uuid(), 1,
    jsonb_build_object('title', 'thing ' || number, 'labels', jsonb_build_object('a', 'b', 'number', number::text),
        'size', number, 'text', repeat('lorem ipsum ', 30),
        'spec', jsonb_build_object('region', 'eu-west1', 'level', number %% 10)),
    '{"generation": "1"}', 'here', now(), now()
FROM (SELECT number, 'projects/p' || lpad((number / 1000)::text, 5, '0') || '/things/t' || lpad(number::text, 8, '0')
    AS name FROM generate_series(1, %s) number) made
"""
CONVERSION = """jsonb_build_object('displayName', body -> 'title', 'tags', body -> 'labels', 'bytes', body -> 'size',
    'text', body -> 'text', 'region', body #> '{spec,region}', 'level', body #> '{spec,level}')"""


class Bench:
    """The ports on an empty database, and the measurements."""

    def __init__(self, url: str, resources: int) -> None:
        self.databases = Databases(lambda alias: url)
        self.store = PostgresStore(self.databases)
        self.feed = PostgresFeed(self.databases)
        self.resources = resources

    def run(self, *, alone: bool = False) -> None:
        """Measure everything, or the triggers alone, and print it."""
        PostgresFence(self.databases).open_first(FenceLocation.of(OLD), "v1")
        for namespace in (OLD, NEW):
            self.store.prepare(namespace, [Layout("Thing")])
        self._sql("SET switchyard.capture = 'off'", (SEED, (self.resources,)), "RESET switchyard.capture")
        self._sql("VACUUM ANALYZE " + TABLE)
        try:
            if not alone:
                self.copies()
                self.follows()
            self.triggers()
        finally:
            for namespace in (OLD, NEW):
                self.store.drop(namespace)
            self.databases.close()

    def copies(self) -> None:
        """Copy everything: bare, within the database, and through Python."""
        bare = self._timed(self._bare)
        self._show("INSERT … SELECT, one session", bare, bare)
        plans = {
            "within, same": Pushed("name", "body", ()),
            "within, converted": Pushed("name", CONVERSION, ()),
            "within, renamed too": Pushed("replace(name, 'things', 'items')", CONVERSION, ()),
        }
        for name, plan in plans.items():
            self._sql('TRUNCATE bench_v2."r_Thing"')
            self._show(name, self._timed(lambda plan=plan: self._within(plan)), bare)  # type: ignore[misc]
        self._sql('TRUNCATE bench_v2."r_Thing"')
        self._show("through Python", self._timed(self._through), bare)
        self._show("through Python, again", self._timed(self._through), bare)
        digest = self._timed(lambda: self.store.digests(NEW, "Thing", "uid"))
        self._show("digests", digest, bare)

    def follows(self) -> None:
        """Apply changes in bulk, as a follower does."""
        pages = [self.store.page(OLD, KeyRange("Thing", shard, limit=1000)) for shard in range(16)]
        count = sum(map(len, pages))
        took = self._timed(lambda: self._apply(pages))
        print(f"{'follow, batches of 1000':32} {count / took:10.0f}/s")

    def triggers(self) -> None:
        """Update single rows with both triggers, with one, with none: tables alike, and one row of each in turn.

        Whatever else the disk does meets all of them then, which taking turns in hundreds of rows did not do.
        """
        modes = {
            "both triggers": ("Watched", ()),
            "fence only": ("Fenced", ("capture",)),
            "feed only": ("Fed", ("guard",)),
            "none": ("Bare", ("capture", "guard")),
        }
        self.store.prepare(OLD, [Layout("Thing"), *(Layout(type_) for type_, _ in modes.values())])
        tables = {mode: f'bench_v1."r_{type_}"' for mode, (type_, _) in modes.items()}
        for mode, (_, off) in modes.items():
            few = f"SELECT * FROM {TABLE} WHERE shard = 0 ORDER BY name LIMIT 500"
            self._sql(
                f"ALTER TABLE {tables[mode]} DISABLE TRIGGER USER",
                f"INSERT INTO {tables[mode]} {few}",
                f"ALTER TABLE {tables[mode]} ENABLE TRIGGER USER",
                *(f"ALTER TABLE {tables[mode]} DISABLE TRIGGER {each}" for each in off),
            )
        self._sql("CHECKPOINT")
        names = [found.name for found in self.store.page(OLD, KeyRange("Bare", 0, limit=500))]
        took: dict[str, list[float]] = {mode: [] for mode in modes}
        with self.databases.connection("bench") as connection:
            updates = {
                mode: f"UPDATE {table} SET revision = revision + 1 WHERE name = %s"
                for mode, table in tables.items()
            }
            for number, name in enumerate(names * 8):
                order = list(modes)
                # Who goes first changes, so that none always follows the same one.
                order = order[number % 4 :] + order[: number % 4]
                for mode in order:
                    began = time.perf_counter()
                    connection.execute(updates[mode], (name,))
                    took[mode].append(time.perf_counter() - began)
        base = statistics.median(took["none"])
        for mode, values in took.items():
            middle = statistics.median(values)
            print(f"{'update, ' + mode:32} {middle * 1e6:8.0f} us {middle / base:6.2f}")

    def _bare(self) -> None:
        self._sql(
            f"CREATE TABLE bench_v1.bare (LIKE {TABLE} INCLUDING ALL)",
            f"INSERT INTO bench_v1.bare SELECT * FROM {TABLE} ORDER BY name",
            "DROP TABLE bench_v1.bare",
        )

    def _within(self, plan: SqlConversion) -> None:
        for shard in range(16):
            after: str | None = ""
            while after is not None:
                key_range = KeyRange("Thing", shard, after=after)
                copied = self.store.copy_within(OLD, NEW, key_range, "Thing", plan, WARRANT, _not_converted)
                assert copied is not None
                after = copied.last

    def _through(self) -> None:
        for shard in range(16):
            for page in self._pages(shard):
                self.store.copy(NEW, [_converted(found) for found in page], WARRANT)

    def _pages(self, shard: int) -> Iterator[Sequence[StoredResource]]:
        after = ""
        while page := self.store.page(OLD, KeyRange("Thing", shard, after=after)):
            yield page
            after = page[-1].name

    def _apply(self, pages: Sequence[Sequence[StoredResource]]) -> None:
        for page in pages:
            changes = [replace(_converted(found), revision=found.revision + 1) for found in page]
            self.store.apply(NEW, changes, WARRANT)

    def _sql(self, *statements: str | tuple[str, tuple[object, ...]]) -> None:
        with self.databases.connection("bench") as connection:
            for each in statements:
                text, parameters = each if isinstance(each, tuple) else (each, None)
                connection.execute(text, parameters)

    def _show(self, name: str, took: float, bare: float) -> None:
        print(f"{name:32} {took:7.1f} s {self.resources / took:10.0f}/s {bare / took:6.2f}", flush=True)

    @staticmethod
    def _timed(work: Callable[[], object]) -> float:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began


def _not_converted(name: str, body: JsonObject) -> Never:
    raise AssertionError(f"The database converts {name}: its plans are never unsure.")


def _converted(found: StoredResource) -> Put:
    spec = found.body["spec"]
    assert isinstance(spec, dict)
    body: JsonObject = {
        "displayName": found.body["title"],
        "tags": found.body["labels"],
        "bytes": found.body["size"],
        "text": found.body["text"],
        "region": spec["region"],
        "level": spec["level"],
    }
    return Put(
        found.type,
        found.name,
        found.uid,
        found.revision,
        found.shard,
        body,
        found.metadata,
        found.owning_region,
        found.create_time,
        found.update_time,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True, help="an empty database")
    parser.add_argument("--resources", type=int, default=1_000_000)
    parser.add_argument("--triggers", action="store_true", help="measure the triggers alone")
    given = parser.parse_args()
    Bench(given.url, given.resources).run(alone=given.triggers)

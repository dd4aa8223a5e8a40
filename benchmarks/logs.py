"""What the logs cost a write: updates, creations and deletions with the change log and without it, in turns in one run.

Both sides are namespaces of one database with the same fence, feed and triggers; without the log, the feed's trigger is
the one that keeps no images and no request. Activity is noted on the path of a request and written by another thread; both are
timed beside. `python -m benchmarks logs` starts a server with fsync on for it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.logs.activity import PostgresActivity
from migrations_app.adapters.logs.activity_buffer import BufferedActivity
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.request_origin import RequestOrigin, carrying_out
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.logs.activity import ActivityEntry
from migrations_app.ports.store import ABSENT, Draft, Layout, Namespace

SIDES = ("without", "with", "with, one sensitive field")
BATCH = 1000
SIZES = {"500 bytes": 1, "5 kilobytes": 10}
REQUEST = RequestOrigin("5f4dcc3b5aa765d61d8327deb882cf99", "billing")
WITHOUT_THE_LOG = """
CREATE OR REPLACE FUNCTION {schema}.capture() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    came_from text;
    latest bigint;
BEGIN
    IF current_setting('switchyard.capture', true) = 'off' THEN
        RETURN NULL;
    END IF;
    came_from := split_part(coalesce(current_setting('switchyard.warrant', true), ''), '@', 1);
    IF TG_OP = 'DELETE' THEN
        INSERT INTO {schema}.tombstone AS t (type, name, uid, revision)
        VALUES (TG_ARGV[0], OLD.name, OLD.uid, OLD.revision + 1)
        ON CONFLICT (type, name) DO UPDATE
            SET uid = excluded.uid, revision = greatest(t.revision, excluded.revision), time = excluded.time
        RETURNING revision INTO latest;
        INSERT INTO {schema}.change (shard, operation, type, name, uid, revision, origin)
        VALUES (OLD.shard, 'delete', TG_ARGV[0], OLD.name, OLD.uid, latest, came_from);
        RETURN NULL;
    END IF;
    IF TG_OP = 'INSERT' THEN
        SELECT revision INTO latest FROM {schema}.tombstone WHERE type = TG_ARGV[0] AND name = NEW.name;
        IF latest >= NEW.revision THEN
            RAISE EXCEPTION 'the tombstone of % is at revision %', NEW.name, latest USING ERRCODE = 'SYR01';
        END IF;
    ELSIF NEW.revision <= OLD.revision OR NEW.name <> OLD.name OR NEW.shard <> OLD.shard THEN
        RAISE EXCEPTION 'an update raises the revision and keeps the name' USING ERRCODE = 'SYR02';
    END IF;
    INSERT INTO {schema}.change (shard, operation, type, name, uid, revision, origin)
    VALUES (NEW.shard, 'put', TG_ARGV[0], NEW.name, NEW.uid, NEW.revision, came_from);
    RETURN NULL;
END $$
"""


class WriteCost:
    """Namespaces that differ in the log alone, and the time of each kind of write in them."""

    def __init__(self, url: str, writes: int) -> None:
        self._databases = Databases(lambda alias: url)
        self._store = PostgresStore(self._databases)
        self._writes = writes
        self._namespaces = {side: self._namespace(number, side) for number, side in enumerate(SIDES)}

    def measure(self) -> JsonObject:
        """Time each kind of write for documents of each size, one write of each side in turn."""
        return {
            **{size: self._of_size(factor) for size, factor in SIZES.items()},
            "activity of one request": self._activity(),
        }

    def _activity(self) -> JsonObject:
        """Time the note of a request, and its share of a batch that is written."""
        notes = BufferedActivity(
            PostgresActivity(self._databases), dict, default_sampling=1.0, background=False
        )
        entry = ActivityEntry(
            "services/bench.example.com/deployments/side1", datetime.now(UTC), "v1", "update", "Thing",
            "things/1-000001", "billing", "billing/4.2", 200, "", 2.5, REQUEST.request_id, "native", "", 1.0, False,
        )  # fmt: skip
        noted = _seconds(lambda: _note_batch(notes, entry)) / BATCH
        written = _seconds(notes.flush) / BATCH
        return {"noted (µs)": round(noted * 1e6, 2), "written in a batch (µs)": round(written * 1e6, 1)}

    def close(self) -> None:
        """Close the connections."""
        self._databases.close()

    def _namespace(self, number: int, side: str) -> Namespace:
        deployment = f"services/bench.example.com/deployments/side{number}"
        namespace = Namespace(deployment, "v1", "bench", f"bench_logs_{number}")
        PostgresFence(self._databases).open_first(FenceLocation.of(namespace), "v1")
        sensitive = (("secret",),) if "sensitive" in side else ()
        self._store.prepare(namespace, [Layout("Thing", sensitive=sensitive)])
        if side == "without":
            with self._databases.connection("bench") as connection:
                connection.execute(WITHOUT_THE_LOG.format(schema=namespace.schema).encode())
        return namespace

    def _of_size(self, factor: int) -> JsonObject:
        took: dict[str, dict[str, list[float]]] = {}
        names = [f"things/{factor}-{number:06}" for number in range(self._writes)]
        for number, name in enumerate(names):
            # Whatever else the machine does meets all sides.
            for side in SIDES[number % 3 :] + SIDES[: number % 3]:
                for kind, seconds in self._life(self._namespaces[side], name, factor).items():
                    took.setdefault(kind, {}).setdefault(side, []).append(seconds)
        return {kind: _compared(sides) for kind, sides in took.items()}

    def _life(self, namespace: Namespace, name: str, factor: int) -> dict[str, float]:
        def put(revision: int) -> Callable[[], object]:
            body: JsonObject = {
                "title": f"thing {revision}", "secret": "c2VzYW1l", "text": f"{name} lorem ipsum " * 20 * factor,
                "spec": {"region": "eu-west1", "level": revision},
            }  # fmt: skip
            draft = Draft("Thing", name, uid, body, {"generation": str(revision + 1)})
            return lambda: self._written(namespace, draft, revision or ABSENT)

        uid = uuid4()
        return {
            "create": _seconds(put(0)),
            "update": min(_seconds(put(revision)) for revision in (1, 2, 3)),
            "delete": _seconds(lambda: self._deleted(namespace, name)),
        }

    def _written(self, namespace: Namespace, draft: Draft, expected: int) -> None:
        with carrying_out(REQUEST), self._store.transaction(namespace) as transaction:
            transaction.put(draft, expected, alone=True)

    def _deleted(self, namespace: Namespace, name: str) -> None:
        with carrying_out(REQUEST), self._store.transaction(namespace) as transaction:
            transaction.delete("Thing", name)


def _compared(sides: dict[str, list[float]]) -> JsonObject:
    medians = {side: statistics.median(values) * 1e6 for side, values in sides.items()}
    shown: JsonObject = {f"{side} (µs)": round(value) for side, value in medians.items()}
    return shown | {f"{side} / without": round(medians[side] / medians["without"], 3) for side in SIDES[1:]}


def _note_batch(notes: BufferedActivity, entry: ActivityEntry) -> None:
    for _ in range(BATCH):
        notes.note("bench", entry)


def _seconds(write: Callable[[], object]) -> float:
    began = time.perf_counter()
    write()
    return time.perf_counter() - began


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--writes", type=int, default=1500)
    asked = parser.parse_args()
    cost = WriteCost(asked.url, asked.writes)
    try:
        print(json.dumps(cost.measure(), indent=2, ensure_ascii=False))
    finally:
        cost.close()


if __name__ == "__main__":
    main()

"""An upgrade in the running product: PostgreSQL, Valkey, web, workers and beat as `make up` starts them, under writes.

Run as `python -m benchmarks.product [--resources 50000] [--writes-per-second 200] [--example cloud-tasks]`. It starts an
installation of its own, fills a deployment, lets clients write through the resource API, and then upgrades: told are
the time from the start until it is ready and until everything was compared, the phases in between as the upgrade's
report tells them, rates, what writes took in calm and meanwhile, and the processor time of each part. Calm is measured
before the upgrade and again after its end, and what writes took meanwhile is compared with both together: a machine that
others use too is not equally fast all the time, and the two times of calm show by how much. JSON goes to standard output,
how far it is to standard error. Everything runs on this machine: on two cores the clients, the servers
and the workers share them.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.readings import cpu_seconds, environment_of, transactions
from console.demo.stand import environment, stand
from console.embedded import commands
from console.env import ROOT

CALM_SECONDS = 20.0
SETTLE_SECONDS = 3.0
LOOK_SECONDS, SELDOM_LOOK_SECONDS = 0.5, 2.0
LOOKED_SHARE = 0.05
"""Looks are so far apart at least, as a share of what has passed: the process that answers them answers writes too."""
PATIENCE_SECONDS = 1800.0
TEMPLATES = 400
WRITTEN_NAMES = 4000
WRITERS_FIRST_NUMBER = 100_000_000


def main() -> None:
    """Measure around an installation of its own, or inside the one that was started."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resources", type=int, default=50_000)
    parser.add_argument("--writes-per-second", type=float, default=200.0)
    parser.add_argument("--example", default="cloud-tasks", help="a folder of examples/")
    parser.add_argument(
        "--calm-seconds", type=float, default=CALM_SECONDS, help="of each time of calm and of following"
    )
    parser.add_argument("--workers", type=int, default=1, help="worker processes that take the same work")
    parser.add_argument("--inside", type=Path, help="measure on the installation in this folder")
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(measure(options), indent=2))
        return
    with tempfile.TemporaryDirectory(prefix="switchyard-product-") as folder:
        home = Path(folder)
        with stand(home), further_workers(home, options.workers - 1):
            again = [sys.executable, "-m", "benchmarks.product", *sys.argv[1:], "--inside", folder]
            settings = environment(home) | {"DJANGO_SETTINGS_MODULE": "console.settings"}
            code = subprocess.run(again, env=settings, cwd=ROOT, check=False).returncode
    raise SystemExit(code)


@contextmanager
def further_workers(home: Path, count: int) -> Iterator[None]:
    """Run worker processes beside the one of the installation, as on further machines."""
    started = []
    for number in range(count):
        name = f"worker{number + 2}"
        with (home / "logs" / f"{name}.log").open("wb") as log:
            command = commands.worker(name, "sync,constraints,housekeeping", concurrency=6)
            started.append(
                subprocess.Popen(
                    command, cwd=ROOT, env=os.environ | environment_of(home), stdout=log, stderr=log
                )
            )
    try:
        yield
    finally:
        for worker in started:
            worker.send_signal(signal.SIGTERM)
        for worker in started:
            worker.wait(60)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Fill, write, upgrade, and tell what it took."""
    import django

    django.setup()
    # One line per look would bury what is told.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    from benchmarks.product_writers import ProductWriters

    place = prepared(options)
    operator = UpgradeOperator(options.inside)
    writers = ProductWriters(operator.writer_plan(place, options.writes_per_second))
    writers.start()
    time.sleep(2.0)
    moments = MeasuredMoments(options.inside)
    moments.add("calm")
    time.sleep(options.calm_seconds)
    moments.add("start")
    upgrade = operator.start(place)
    operator.wait(upgrade, lambda seen: seen["state"] == "READY")
    moments.add("ready")
    say(f"ready after {moments.between('start', 'ready'):.1f} s")
    operator.wait(upgrade, compared)
    moments.add("compared")
    say(f"compared after {moments.between('ready', 'compared'):.1f} s more")
    time.sleep(options.calm_seconds)
    moments.add("level")
    report = operator.report(upgrade)
    operator.abort(upgrade)
    operator.wait(upgrade, lambda seen: seen["state"] == "ABORTED")
    time.sleep(SETTLE_SECONDS)
    moments.add("ended")
    time.sleep(options.calm_seconds)
    moments.add("calm_again")
    log = writers.stop()
    return result(options, moments, report, log)


def prepared(options: argparse.Namespace) -> Any:
    """Register the example, and fill its old version."""
    from console.demo.loading import register

    place = register(ROOT / "examples" / options.example, "", "")
    began = time.monotonic()
    if is_filled(place):
        say("the resources of an earlier run are there")
        return place
    fill(place, options.resources)
    say(f"{options.resources:,} resources were filled in within {time.monotonic() - began:.0f} s")
    wait_for_metadata(place)
    return place


def wait_for_metadata(place: Any) -> None:
    """Wait until the controller of syncing metadata has looked at what was filled in: it does so once."""
    from migrations_app import wiring

    namespace = place.served.namespaces[place.old]
    looked = "SELECT count(*) FILTER (WHERE ended_at IS NULL), count(*) FROM switchyard.touch WHERE deployment = %s"
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        with wiring.databases().connection(namespace.database) as connection:
            row = connection.execute(looked, [namespace.deployment]).fetchone()
        if row is not None and row[0] == 0 and row[1] != 0:
            return
        time.sleep(1.0)
    raise SystemExit("Syncing metadata was not looked at to the end.")


def is_filled(place: Any) -> bool:
    """Tell whether the deployment holds resources."""
    from psycopg import sql

    from migrations_app import wiring
    from migrations_app.adapters.store.rows import table_of

    namespace = place.served.namespaces[place.old]
    types = [each.type.rpartition("/")[2] for each in place.served.compiled.resource_types(place.old)]
    tables = [sql.Identifier(namespace.schema, table_of(each)) for each in types]
    with wiring.databases().connection(namespace.database) as connection:
        found = [connection.execute(sql.SQL("SELECT FROM {} LIMIT 1").format(table)) for table in tables]
        return any(cursor.fetchone() is not None for cursor in found)


def fill(place: Any, resources: int) -> None:
    """Write resources made from some hundred documents, past the triggers, which would take minutes for a million."""
    from psycopg import sql
    from psycopg.types.json import Jsonb

    from console.demo.making import Maker
    from migrations_app import wiring
    from migrations_app.adapters.store.rows import table_of

    maker, namespace = Maker(place.served, place.old, 1), place.served.namespaces[place.old]
    types = sorted(maker.types)
    # As a client's write leaves it; else the controller of syncing metadata would write each of them once more.
    syncing = {"owningRegion": place.region, "regions": [place.region]}
    metadata = {"generation": "1", "syncing": syncing}
    with wiring.databases().transaction(namespace.database) as connection:
        connection.execute("SET LOCAL switchyard.capture = 'off'")
        connection.execute("CREATE TEMP TABLE made (name text, body jsonb) ON COMMIT DROP")
        connection.execute("CREATE TEMP TABLE named (number serial, name text) ON COMMIT DROP")
        for position, type_ in enumerate(types):
            connection.execute("TRUNCATE made, named")
            numbers = range(position, resources, len(types))
            with connection.cursor() as cursor:
                with cursor.copy("COPY named (name) FROM STDIN") as copy:
                    for number in numbers:
                        copy.write_row((maker.name(type_, number),))
                bodies = [
                    (Jsonb(maker.view(type_, maker.name(type_, number))),) for number in range(TEMPLATES)
                ]
                cursor.executemany("INSERT INTO made (body) VALUES (%s)", bodies)
            statement = sql.SQL(
                "INSERT INTO {table} SELECT name, shard, shard, gen_random_uuid(), 1, body, "
                "{metadata}, {region}, now(), now() "
                "FROM (SELECT name, switchyard.shard_of(name, {ring}) AS shard, number % {many} AS turn FROM named) n "
                "JOIN (SELECT body, row_number() OVER () - 1 AS turn FROM made) m USING (turn) ORDER BY name"
            ).format(
                table=sql.Identifier(namespace.schema, table_of(type_)),
                metadata=sql.Literal(Jsonb(metadata)),
                region=sql.Literal(place.region),
                ring=sql.Literal(namespace.ring),
                many=sql.Literal(len(bodies)),
            )
            connection.execute(statement)
    with wiring.databases().connection(namespace.database) as connection:
        for type_ in types:
            table = sql.Identifier(namespace.schema, table_of(type_))
            connection.execute(sql.SQL("VACUUM ANALYZE {}").format(table))


class UpgradeOperator:
    """Who plans the upgrade and looks at it, over REST."""

    def __init__(self, home: Path) -> None:
        from console.demo.people import People

        self._home = home
        self._client = People(home, lambda seen: None).operator

    def writer_plan(self, place: Any, per_second: float) -> Any:
        """Make up what the clients write; fields that can be set only once stay."""
        from benchmarks.product_writers import WriterPlan
        from console.demo.making import Maker

        maker = Maker(place.served, place.old, 7)
        documents: dict[str, list[Any]] = {}
        for number in range(WRITERS_FIRST_NUMBER, WRITERS_FIRST_NUMBER + WRITTEN_NAMES):
            type_ = maker.type_of(number)
            name, fixed = maker.name(type_, number, "w"), maker.fixed(type_)
            first, second = maker.view(type_, name), maker.view(type_, name)
            changed = {key: value for key, value in second.items() if key not in fixed}
            documents[name] = [first, changed | {key: first[key] for key in fixed if key in first}]
        kept = json.loads((self._home / "credentials.json").read_text())
        base = f"/apis/{place.region}/{place.service}/{place.old}"
        return WriterPlan(kept["url"], kept["accounts"]["operator"]["token"], base, per_second, documents)

    def start(self, place: Any) -> str:
        """Plan and start."""
        from switchyard_client import models

        wanted = models.NewUpgradeRequest(
            deployment=place.served.deployment, target_version=place.new, start=True
        )
        started = self._client.plan_upgrade(wanted).value
        assert isinstance(started, models.Upgrade)
        return started.id

    def wait(self, upgrade: str, reached: Any) -> None:
        """Look at the upgrade until something is so."""
        began, last = time.monotonic(), ""
        until = began + PATIENCE_SECONDS
        while time.monotonic() < until:
            seen = self._client.request("GET", f"/api/v1/upgrades/{upgrade}").value
            if seen["sentence"] != last:
                last = seen["sentence"]
                say(last)
            if reached(seen):
                return
            passed = time.monotonic() - began
            time.sleep(min(SELDOM_LOOK_SECONDS, max(LOOK_SECONDS, LOOKED_SHARE * passed)))
        raise SystemExit(f"It did not go on: {last}")

    def report(self, upgrade: str) -> Any:
        """Read the upgrade's report."""
        return self._client.upgrade_report(upgrade).value

    def abort(self, upgrade: str) -> None:
        """End it."""
        self._client.abort_upgrade(upgrade, if_match=self._client.upgrade(upgrade).etag)


def compared(seen: dict[str, Any]) -> bool:
    """Tell whether everything has been compared once, and nothing differs."""
    checks = {check["check"]: check["verdict"] for check in seen["readiness"]["checks"]}
    return seen["state"] == "READY" and checks.get("parity") == "pass"


class MeasuredMoments:
    """Moments of the measurement, each with the processor time and the transactions until then."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._url = environment_of(home)["DATABASE_URL"]
        self._at: dict[str, tuple[float, dict[str, float], int]] = {}

    def add(self, name: str) -> None:
        """Note a moment."""
        self._at[name] = (time.monotonic(), cpu_seconds(self._home), sum(transactions(self._url).values()))

    def between(self, first: str, second: str) -> float:
        """Tell the seconds between two moments."""
        return self._at[second][0] - self._at[first][0]

    def span(self, first: str, second: str) -> tuple[float, float]:
        """Give two moments."""
        return self._at[first][0], self._at[second][0]

    def used(self, first: str, second: str) -> dict[str, float]:
        """Tell the processor time of each part that used some, in seconds."""
        cpu, after = self._at[first][1], self._at[second][1]
        used = {part: round(seconds - cpu.get(part, 0.0), 2) for part, seconds in sorted(after.items())}
        return {part: seconds for part, seconds in used.items() if seconds >= 0.01}

    def transactions(self, first: str, second: str) -> float:
        """Tell the transactions a second, of all databases."""
        count = self._at[second][2] - self._at[first][2]
        return round(count / self.between(first, second), 1)


def result(options: argparse.Namespace, moments: MeasuredMoments, report: Any, log: Any) -> dict[str, Any]:
    """Put together what is told."""
    spans = {"calm": ("calm", "start"), "copying": ("start", "ready"), "comparing": ("ready", "compared"),
             "level": ("compared", "level"), "calm_again": ("ended", "calm_again")}  # fmt: skip
    calm = slow(log, moments.span("calm", "start"), moments.span("ended", "calm_again"))
    told: dict[str, Any] = {
        "example": options.example,
        "resources": options.resources,
        "workers": options.workers,
        "copied": report["counts"]["copied"],
        "start_to_ready_seconds": start_to_ready(report),
        "waiting_seconds": report["waiting_seconds"],
        "ready_to_compared_seconds": round(moments.between("ready", "compared"), 2),
        "phases_seconds": report["phases_seconds"],
        "rates_per_second": report["rates_per_second"],
        "writes": len(log.writes),
        "writes_refused": dict(log.refused),
    }
    for name, (first, second) in spans.items():
        span = moments.span(first, second)
        p95 = slow(log, span)
        many = sum(span[0] <= at <= span[1] for at, _ in log.writes)
        told[name] = {
            "writes_per_second": round(many / (span[1] - span[0]), 1),
            "write_p95_ms": round(p95 * 1000, 1),
            "write_p95_over_calm": round(p95 / calm, 2) if calm else None,
            "seconds": round(span[1] - span[0], 2),
            "cpu_seconds": moments.used(first, second),
            "transactions_per_second": moments.transactions(first, second),
        }
    return told


def start_to_ready(report: Any) -> float:
    """Tell what the product took, by its own clock: looking at it takes time as well."""
    ready = next(move["at"] for move in report["moves"] if move["state"] == "READY")
    started = report["upgrade"]["started_at"]
    return round((datetime.fromisoformat(ready) - datetime.fromisoformat(started)).total_seconds(), 2)


def slow(log: Any, *spans: tuple[float, float]) -> float:
    """Tell the 95th percentile of the writes that were acknowledged within the spans, in seconds."""
    took: list[float] = [
        seconds for at, seconds in log.writes if any(first <= at <= last for first, last in spans)
    ]
    return statistics.quantiles(took, n=20, method="inclusive")[-1] if len(took) > 1 else sum(took)


def say(sentence: str) -> None:
    """Tell those who wait."""
    print(f"  {sentence}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

"""What an installation costs that is not used: processor time of all its processes, and transactions.

Starts `make up` with the example fleet in a home of its own, lets it come to rest, and measures for a while; or looks
at a running one: `python -m benchmarks.idle --home FOLDER`. With `--deployments 600 --regions 6` the installation gets
copies of the example fleet instead, all registered by one process; how long that takes, and how long until nothing of it
is due, is told. With `--upgrade 20000` an upgrade of so many resources runs alone before, and among the fleet at rest
afterwards. `--statements 20` tells the statements that cost most (not together with `--home`). Times are read from /proc
and from PostgreSQL, so that what else runs on the machine changes them little.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from benchmarks.idle_fleet import apply, wait_for_rest
from benchmarks.idle_statements import costliest, forget_statements, record_statements
from benchmarks.idle_upgrade import UpgradeRuns, compare
from benchmarks.readings import cpu_seconds, environment_of, transactions
from console.env import ROOT

START_SECONDS = 300.0


def slices(url: str) -> dict[str, int]:
    """Count the slices of work of each class, of all workers."""
    with psycopg.connect(url, autocommit=True) as connection:
        rows = connection.execute(
            "SELECT work_class, sum(slices)::bigint FROM switchyard_workaccount GROUP BY work_class"
        ).fetchall()
    return {str(name): int(count) for name, count in rows}


def epochs(url: str) -> dict[tuple[str, str], int]:
    """Tell for each key of work when it was taken last, as a number that grows."""
    with psycopg.connect(url, autocommit=True) as connection:
        rows = connection.execute("SELECT controller, key, epoch FROM switchyard_work").fetchall()
    return {(str(controller), str(key)): int(epoch) for controller, key, epoch in rows}


def measure(home: Path, seconds: float) -> dict[str, object]:
    """Tell what one second costs, part by part and database by database, and who worked meanwhile."""
    url = environment_of(home)["DATABASE_URL"]
    taken, sliced = epochs(url), slices(url)
    cpu, counts, began = cpu_seconds(home), transactions(url), time.monotonic()
    time.sleep(seconds)
    took = time.monotonic() - began
    after, counted = cpu_seconds(home), transactions(url)
    worked = Counter(name for (name, key), epoch in epochs(url).items() if taken.get((name, key)) != epoch)
    turns = {name: count - sliced.get(name, 0) for name, count in slices(url).items()}
    percent = {part: round(100 * (used - cpu.get(part, 0.0)) / took, 2) for part, used in after.items()}
    rates = {name: round((count - counts.get(name, 0)) / took, 1) for name, count in counted.items()}
    return {
        "seconds": round(took, 1),
        "cpu_percent": dict(sorted(percent.items())),
        "cpu_percent_total": round(sum(percent.values()), 2),
        "transactions_per_second": {name: rate for name, rate in sorted(rates.items()) if rate},
        "transactions_per_second_total": round(sum(rates.values()), 1),
        "slices_by_class": {name: count for name, count in sorted(turns.items()) if count},
        "keys_taken_by_controller": dict(sorted(worked.items())),
        "keys": dict(sorted(Counter(name for name, _ in taken).items())),
    }


@contextmanager
def installation(example: bool, preload: bool) -> Iterator[Path]:
    """Run an installation, with the example fleet or empty."""
    with tempfile.TemporaryDirectory(prefix="switchyard-idle-") as folder:
        home = Path(folder) / "home"
        if preload:
            record_statements(home)
        environment = os.environ | {"SWITCHYARD_HOME": str(home), "SWITCHYARD_EXAMPLE": str(example).lower()}
        child = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "up"],
            cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            until = time.monotonic() + START_SECONDS
            while not (home / "credentials.json").exists() or not (home / "run" / "web.pid").exists():
                if child.poll() is not None or time.monotonic() > until:
                    raise SystemExit("The installation did not come up.")
                time.sleep(0.5)
            yield home
        finally:
            child.send_signal(signal.SIGTERM)
            child.wait(60)


def look(home: Path, options: argparse.Namespace) -> dict[str, object]:
    """Measure an installation at rest, with its costliest statements when asked for."""
    time.sleep(options.rest)
    if options.statements:
        forget_statements(home)
    found = measure(home, options.seconds)
    if options.statements:
        found["statements"] = costliest(home, options.statements, options.seconds)
    return found


def among_fleet(home: Path, options: argparse.Namespace) -> dict[str, object]:
    """Register a fleet, measure it at rest, and compare an upgrade among it with one alone when asked for."""
    runs = UpgradeRuns(home, options.upgrade, options.writes_per_second, options.rounds)
    alone = runs.run() if options.upgrade else []
    found: dict[str, object] = {"fleet": apply(home, options.deployments, options.regions)}
    found["at_rest_after_seconds"] = wait_for_rest(home)
    found |= look(home, options)
    if options.upgrade:
        found["upgrade"] = compare(alone, runs.run())
    return found


def main() -> None:
    """Measure and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a running installation; else one is started")
    parser.add_argument("--rest", type=float, default=60.0, help="seconds before the measurement")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--deployments", type=int, default=0, help="of a fleet in place of the example's")
    parser.add_argument("--regions", type=int, default=6, help="of that fleet")
    parser.add_argument(
        "--upgrade", type=int, default=0, help="resources of an upgrade alone and among the fleet"
    )
    parser.add_argument("--rounds", type=int, default=2, help="upgrades alone, and as many among the fleet")
    parser.add_argument("--writes-per-second", type=float, default=50.0, help="while an upgrade runs")
    parser.add_argument("--statements", type=int, default=0, help="how many of the costliest to tell")
    options = parser.parse_args()
    if options.upgrade and not options.deployments:
        parser.error("--upgrade needs --deployments")
    if options.home:
        options.rest, options.statements = 0.0, 0
        found = look(options.home, options)
    else:
        with installation(not options.deployments, bool(options.statements)) as home:
            found = among_fleet(home, options) if options.deployments else look(home, options)
    print(json.dumps({"idle": found}, indent=2))


if __name__ == "__main__":
    main()

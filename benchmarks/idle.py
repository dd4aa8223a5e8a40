"""What an installation costs that nobody uses: processor time of all its processes, and transactions.

Starts `make up` with the example fleet in a home of its own, lets it come to rest, and measures for a while; or looks
at a running one: `python -m benchmarks.idle --home FOLDER`. Times are read from /proc and from PostgreSQL, so that
what else runs on the machine changes them little.
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

from console.env import ROOT

TICKS = os.sysconf("SC_CLK_TCK")
START_SECONDS = 300.0


def environment_of(home: Path) -> dict[str, str]:
    """Read what the supervisor gave its processes."""
    lines = (home / "environment").read_text().splitlines()
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def processes(home: Path) -> dict[int, str]:
    """Find the supervised processes and their descendants, each with the name of its part."""
    parts = {int(path.read_text().split()[0]): path.stem for path in (home / "run").glob("*.pid")}
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    found: dict[int, str] = {}
    for pid in parents:
        above = pid
        while above and above not in parts:
            above = parents.get(above, 0)
        if above:
            found[pid] = parts[above]
    # The supervisor itself is the parent of its parts.
    for pid, part in list(found.items()):
        if part == "web" and parents[pid] > 1 and parents[pid] not in found:
            found[parents[pid]] = "supervisor"
    return found


def cpu_seconds(home: Path) -> dict[str, float]:
    """Add up the processor time of each part, that of processes which ended below it included."""
    used: dict[str, float] = {}
    for pid, part in processes(home).items():
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        used[part] = used.get(part, 0.0) + sum(map(int, fields[11:15])) / TICKS
    return used


def transactions(url: str) -> dict[str, int]:
    """Count the transactions of each database."""
    with psycopg.connect(url, autocommit=True) as connection:
        rows = connection.execute(
            "SELECT datname, xact_commit + xact_rollback FROM pg_stat_database WHERE datname IS NOT NULL"
        ).fetchall()
    return {str(name): int(count) for name, count in rows}


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
def installation() -> Iterator[Path]:
    """Run an installation with the example fleet."""
    with tempfile.TemporaryDirectory(prefix="switchyard-idle-") as folder:
        home = Path(folder) / "home"
        environment = os.environ | {"SWITCHYARD_HOME": str(home)}
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


def main() -> None:
    """Measure and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a running installation; else one is started")
    parser.add_argument("--rest", type=float, default=60.0, help="seconds before the measurement")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    if options.home:
        found = measure(options.home, options.seconds)
    else:
        with installation() as home:
            time.sleep(options.rest)
            found = measure(home, options.seconds)
    print(json.dumps({"idle": found}, indent=2))


if __name__ == "__main__":
    main()

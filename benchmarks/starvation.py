"""The demo with too little processor: beside busy loops, and with workers that run a tenth of the time.

Each case plays the whole demo on the running product, and ends by itself or not at all. Reported are the demo's own
counts (what was lost, and which of the sentences it read on the way contradicted the facts), its phases, and how late
the classes of work were while the load lasted and a minute after it ended.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

from benchmarks.readings import environment_of
from console.demo.stand import environment, stand
from console.env import ROOT

CASES = ("calm", "loops", "duty")
WORKERS = ("worker", "switch")
CYCLE_SECONDS = 2.0
RECOVERY_SECONDS = 60.0
LATEST = """
SELECT coalesce(extract(epoch FROM max(clock_timestamp() - due_at)), 0)::float
FROM switchyard_work WHERE due_at < clock_timestamp() AND leased_until IS NULL
"""
FIGURES = (
    "seconds", "took_seconds", "phases_seconds", "rates_per_second", "freeze_ms", "longest_gap_ms", "looks",
    "contradictions", "lost", "stale", "differing", "duplicated", "clean",
)  # fmt: skip


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Use as much of the processors as `count` processes can."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def throttle(home: Path, share: float, seconds: float, ended: threading.Event) -> None:
    """Stop the worker processes for all but `share` of each cycle, for `seconds` or until the demo has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and not ended.is_set():
        send(home, signal.SIGSTOP)
        ended.wait(CYCLE_SECONDS * (1 - share))
        send(home, signal.SIGCONT)
        time.sleep(CYCLE_SECONDS * share)


def send(home: Path, number: signal.Signals) -> None:
    """Send a signal to the groups of the worker processes."""
    for name in WORKERS:
        try:
            os.killpg(int((home / "run" / f"{name}.pid").read_text().split()[0]), number)
        except (FileNotFoundError, ProcessLookupError, ValueError):
            continue


def latest(home: Path) -> float:
    """Tell how many seconds the key has been due that waits longest."""
    with psycopg.connect(environment_of(home)["DATABASE_URL"], autocommit=True) as connection:
        row = connection.execute(LATEST).fetchone()
    return round(float(row[0]) if row else 0.0, 1)


def watch(home: Path, seen: list[float], ended: threading.Event) -> None:
    """Look every five seconds how late the work is."""
    while not ended.wait(5.0):
        seen.append(latest(home))


def play(case: str, options: argparse.Namespace) -> dict[str, object]:
    """Play the demo in one case; its figures, and how late the work was."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="switchyard-starved-")))
        load = stack.enter_context(ExitStack())
        if case == "loops":
            load.enter_context(busy_loops(options.loops))
        began = time.monotonic()
        stack.enter_context(stand(home))
        up_seconds = time.monotonic() - began
        ended, late = threading.Event(), list[float]()
        threads = [threading.Thread(target=watch, args=(home, late, ended))]
        if case == "duty":
            threads.append(
                threading.Thread(target=throttle, args=(home, options.share, options.seconds, ended))
            )
        for thread in threads:
            thread.start()
        report = home / "report.json"
        command = [
            sys.executable,
            str(ROOT / "manage.py"),
            "demo",
            "--inside",
            str(home),
            "--json",
            str(report),
        ]
        try:
            code = subprocess.run(
                [*command, "--resources", str(options.resources)],
                env=environment(home), cwd=ROOT, check=False, stdout=sys.stderr,
            ).returncode  # fmt: skip
        finally:
            ended.set()
            for thread in threads:
                thread.join()
        load.close()
        time.sleep(RECOVERY_SECONDS)
        told = json.loads(report.read_text()) if report.exists() else {}
        return {
            "exit_code": code,
            "up_after_seconds": round(up_seconds, 1),
            **{name: told.get(name) for name in FIGURES},
            "latest_key_seconds": {
                "most": max(late, default=None),
                "median": sorted(late)[len(late) // 2] if late else None,
                "a_minute_after": latest(home),
            },
        }


def main() -> None:
    """Play the cases and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", nargs="+", choices=CASES, default=CASES)
    parser.add_argument("--resources", type=int, default=50_000)
    parser.add_argument("--loops", type=int, default=8, help="busy processes beside the product")
    parser.add_argument("--share", type=float, default=0.1, help="of the time that workers run")
    parser.add_argument("--seconds", type=float, default=300.0, help="how long workers are held back")
    options = parser.parse_args()
    print(json.dumps({case: play(case, options) for case in options.cases}, indent=2))


if __name__ == "__main__":
    main()

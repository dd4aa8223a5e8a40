"""How long an upgrade stands still after its workers were killed: `kill -9` while it copies, and while it follows.

Run as `python -m benchmarks.resume [--resources 20000] [--kills 5]`; it brings an installation of its own up, prints
JSON, and a table to standard error.
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
from pathlib import Path

from benchmarks.things import table
from console.demo.stand import environment, stand
from console.env import ROOT

PATIENCE_SECONDS = 60.0


def workers(home: Path) -> list[int]:
    """Find the sync workers of the installation in `home`, and of no other."""
    mark, found = f"SWITCHYARD_HOME={home}".encode(), []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if b"celery_worker.app" in words and mark in (folder / "environ").read_bytes().split(b"\0"):
                found += [int(folder.name)] * any(word.startswith(b"worker@") for word in words)
        except OSError:
            continue
    return found


def inside(home: Path, resources: int, kills: int) -> dict[str, float]:
    """Play it on the installation in `home`."""
    # The settings are read when Django starts: hence only here.
    import logging

    import django

    django.setup()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    from django.utils import timezone

    from console.demo.clients import DemoClient
    from console.demo.loading import fill, register
    from console.demo.people import People
    from migrations_app.models.sync import SyncCheckpoint
    from migrations_app.models.upgrades import UpgradeShard

    place = register(ROOT / "examples" / "cloud-tasks", "", "")
    fill(place, [DemoClient(place, 0, 1.0)], resources, lambda count: None)
    people = People(home, lambda seen: None)
    upgrade, _ = people.plan(place.served.deployment, place.new)

    def kill() -> None:
        for pid in workers(home):
            os.kill(pid, signal.SIGKILL)

    def copied() -> int:
        return sum(SyncCheckpoint.objects.filter(upgrade=upgrade).values_list("copied", flat=True))

    def until(done: object) -> float:
        began = time.monotonic()
        while not done() and time.monotonic() < began + PATIENCE_SECONDS:  # type: ignore[operator]
            time.sleep(0.02)
        return time.monotonic() - began

    until(lambda: copied() > resources // 10)
    kill()
    stood = copied()
    result: dict[str, float] = {"resources": resources, "copied_when_killed": stood}
    result["copy_goes_on_after_seconds"] = until(lambda: copied() > stood)
    people.wait(upgrade, "READY")
    first, every = [], []
    for _ in range(kills):
        time.sleep(3.0)
        kill()
        at = timezone.now()
        reports = UpgradeShard.objects.filter(upgrade=upgrade, reported_at__gt=at)
        began = time.monotonic()
        until(lambda reports=reports: reports.exists())
        first.append(time.monotonic() - began)
        until(lambda reports=reports: reports.count() == 16)
        every.append(time.monotonic() - began)
    people.wait(upgrade, "READY")
    result["copied_in_the_end"] = copied()
    result["kills_while_following"] = kills
    result["first_shard_after_seconds_longest"] = max(first)
    result["every_shard_after_seconds_longest"] = max(every)
    return result


def main() -> None:
    """Measure on an installation of one's own, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resources", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--inside", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        result = inside(Path(options.inside), options.resources, options.kills)
        print(table(result), file=sys.stderr)
        json.dump({key: round(value, 3) for key, value in result.items()}, sys.stdout, indent=2)
        print()
        return
    with tempfile.TemporaryDirectory(prefix="switchyard-resume-") as folder, stand(Path(folder)):
        again = [sys.executable, "-m", "benchmarks.resume", *sys.argv[1:], "--inside", folder]
        here = environment(Path(folder)) | {"DJANGO_SETTINGS_MODULE": "console.settings"}
        raise SystemExit(subprocess.run(again, env=here, cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()

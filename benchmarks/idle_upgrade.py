"""An upgrade alone and among a fleet at rest, on the same installation and the same resources, and their ratio."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.readings import environment_of
from console.demo.stand import environment
from console.env import ROOT

GONE_SECONDS = 300.0
LEFT = "SELECT count(*) FROM switchyard_work WHERE controller IN ('sync', 'parity', 'switch')"
FIGURES = ("start_to_ready_seconds", "ready_to_compared_seconds")


@dataclass(frozen=True, slots=True)
class UpgradeRuns:
    """Runs upgrades of one deployment in an installation, each from the start until everything was compared."""

    home: Path
    resources: int
    writes_per_second: float
    rounds: int

    def run(self) -> list[dict[str, Any]]:
        """Run so many upgrades one after the other, and tell what each took."""
        return [self._once() for _ in range(self.rounds)]

    def _once(self) -> dict[str, Any]:
        command = [sys.executable, "-m", "benchmarks.product", "--inside", str(self.home),
                   "--resources", str(self.resources), "--writes-per-second", str(self.writes_per_second), "--calm-seconds", "5"]  # fmt: skip
        settings = environment(self.home) | {"DJANGO_SETTINGS_MODULE": "console.settings"}
        done = subprocess.run(command, env=settings, cwd=ROOT, check=True, stdout=subprocess.PIPE)
        self._wait_until_ended()
        told: dict[str, Any] = json.loads(done.stdout)
        return {name: told[name] for name in (*FIGURES, "copied", "waiting_seconds", "phases_seconds")}

    def _wait_until_ended(self) -> None:
        """Wait until nothing of the aborted upgrade is left to do."""
        until = time.monotonic() + GONE_SECONDS
        with psycopg.connect(environment_of(self.home)["DATABASE_URL"], autocommit=True) as connection:
            while time.monotonic() < until:
                row = connection.execute(LEFT).fetchone()
                if row is None or not row[0]:
                    return
                time.sleep(1.0)


def compare(alone: list[dict[str, Any]], among: list[dict[str, Any]]) -> dict[str, Any]:
    """Tell the runs, and the ratio of their medians: among others to alone."""
    ratios = {
        name: round(
            statistics.median(each[name] for each in among) / statistics.median(each[name] for each in alone),
            2,
        )
        for name in FIGURES
    }
    return {"alone": alone, "among": among, "among_over_alone": ratios}

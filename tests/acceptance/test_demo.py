"""The demo on an installation of its own: real servers, real workers, live writes, nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from console.env import ROOT


@pytest.mark.parametrize(
    ("example", "refused"),
    [
        ("cloud-tasks", set()),
        # Types that split, merge, go and come; references lead to resources that clients also delete.
        ("delivery", {"deletion-blocked", "reference-missing"}),
    ],
)
def test_the_demo_switches_goes_back_and_switches_again_without_losing_a_write(
    tmp_path: Path, example: str, refused: set[str]
) -> None:
    report = tmp_path / "report.json"
    asked = ["--example", example, "--resources", "400", "--writes-per-second", "20", "--json", str(report)]
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SWITCHYARD_", "DATABASE_URL", "REDIS_URL"))
    }
    played = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "demo", *asked],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert played.returncode == 0, played.stdout[-3000:] + played.stderr[-3000:]
    told = json.loads(report.read_text())
    assert (told["lost"], told["stale"], told["differing"], told["duplicated"]) == (0, 0, 0, 0)
    assert told["compared"] > 1000
    assert set(told["freeze_ms"]) == set(told["gap_ms"]) == {"first switch", "rollback", "second switch"}
    assert told["refused_writes"].keys() <= refused
    assert told["quarantined"] == [0, 0]
    assert set(told["parity"]) == {"first switch", "second switch"}
    assert max(told["freeze_ms"].values()) < 5000
    assert told["writes"] > 50
    # Each call of a custom method, in whichever version, was carried out exactly once.
    assert told["miscounted_calls"] == 0
    calls = told["method_calls"]
    versions = {"v2beta2", "v2beta3"} if example == "cloud-tasks" else set()
    assert {version for version, count in calls.items() if count > 0} == versions

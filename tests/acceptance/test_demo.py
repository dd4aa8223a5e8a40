"""The demo on an installation of its own: real servers, real workers, live writes, nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from console.demo.stand import environment, stand
from console.env import ROOT
from tests import migrated


def test_the_demo_on_an_installation_of_its_own(tmp_path: Path) -> None:
    ours = ("SWITCHYARD_", "DATABASE_URL", "REDIS_URL")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    assert_nothing_is_lost(play("cloud-tasks", tmp_path, clean), refused=set(), called={"v2beta2", "v2beta3"})


def test_the_demo_of_types_that_split_merge_go_and_come_on_one_that_is_there(tmp_path: Path) -> None:
    # Beside the logs of the run: a first start prints the passwords of its accounts.
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        migrated.furnish(home)
        with stand(home):
            told = play("delivery", tmp_path, environment(home), "--inside", str(home))
    # References lead to resources that clients also delete.
    assert_nothing_is_lost(told, refused={"deletion-blocked", "reference-missing"}, called=set())


def play(example: str, folder: Path, given: dict[str, str], *more: str) -> dict[str, Any]:
    """Run the demo to its end; gives its report."""
    report = folder / "report.json"
    asked = ["--example", example, "--resources", "400", "--writes-per-second", "20", "--json", str(report)]
    played = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "demo", *asked, *more],
        env=given,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert played.returncode == 0, played.stdout[-3000:] + played.stderr[-3000:]
    told: dict[str, Any] = json.loads(report.read_text())
    return told


def assert_nothing_is_lost(told: dict[str, Any], refused: set[str], called: set[str]) -> None:
    """See that every write is there, through a switch, the way back and another switch."""
    found = ("lost", "stale", "differing", "duplicated", "not_compared")
    assert [told[name] for name in found] == [0, 0, 0, 0, 0]
    assert told["compared"] > 1000
    assert set(told["freeze_ms"]) == set(told["gap_ms"]) == {"first switch", "rollback", "second switch"}
    assert told["refused_writes"].keys() <= refused
    assert told["quarantined"] == [0, 0]
    assert set(told["parity"]) == {"first switch", "second switch"}
    # No freeze outlasts its deadline: the flip would be refused.
    assert max(told["freeze_ms"].values()) < 5000
    assert told["writes"] > 50
    # Each call of a custom method, in whichever version, was carried out exactly once.
    assert told["miscounted_calls"] == 0
    assert {version for version, count in told["method_calls"].items() if count > 0} == called

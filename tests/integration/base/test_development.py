"""`make dev`: a changed Python file restarts web and workers, the front end is served as it is written; `make seed`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from console.env import ROOT
from tests import migrated


def wait_for(what: object, seconds: float = 240) -> object:
    """Wait until a call gives something, and give it."""
    assert callable(what)
    until = time.monotonic() + seconds
    while True:
        try:
            if answer := what():
                return answer
        except (OSError, ValueError):
            pass
        assert time.monotonic() < until
        time.sleep(0.2)


def fetched(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:
        return str(answer.read().decode())


def test_a_changed_file_restarts_web_and_workers_and_vite_serves_the_console(tmp_path: Path) -> None:
    home, watched, output = tmp_path / "home", tmp_path / "watched", tmp_path / "output.txt"
    watched.mkdir()
    migrated.furnish(home)
    ours = ("SWITCHYARD_", "DATABASE_URL", "REDIS_URL", "PYTEST_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environment |= {"SWITCHYARD_HOME": str(home), "SWITCHYARD_EXAMPLE": "true", "PYTHONUNBUFFERED": "1"}
    with output.open("wb") as out:
        running = subprocess.Popen(
            [sys.executable, "development.py", str(watched)], cwd=ROOT, env=environment, stdout=out, stderr=out,
            start_new_session=True,
        )  # fmt: skip
    try:
        wait_for(lambda: "Stop: Ctrl-C" in output.read_text())
        address = re.search(r"hot reload: (http://localhost:\d+)/", output.read_text())
        assert address is not None
        assert "/src/main.tsx" in str(wait_for(lambda: fetched(f"{address[1]}/")))
        assert '"ok"' in str(wait_for(lambda: fetched(f"{address[1]}/healthz")))
        seed = [sys.executable, "development_fleet.py", "--resources", "5"]
        filled = subprocess.run(seed, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert filled.returncode == 0, filled.stdout + filled.stderr
        said = [line.split(maxsplit=1)[1] for line in filled.stdout.splitlines()[-3:]]
        assert said == ["is planned", "waits for two votes", "has switched"]
        again = subprocess.run(seed, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert (again.returncode, again.stdout) == (1, "")
        pids = {name: (home / "run" / f"{name}.pid").read_text() for name in ("web", "worker")}
        (watched / "changed.py").write_text("VALUE = 1\n")
        for name, before in pids.items():
            wait_for(lambda name=name, before=before: (home / "run" / f"{name}.pid").read_text() != before)
        assert '"ok"' in str(wait_for(lambda: fetched(f"{address[1]}/healthz")))
    finally:
        running.send_signal(signal.SIGTERM)
        assert running.wait(timeout=120) == 0, output.read_text()

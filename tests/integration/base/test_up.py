"""`make up` as a person meets it: starts, survives faults, stops, refuses with one sentence."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from console.env import ROOT
from tests import migrated
from tests.processes import free_port

ACCOUNTS = ["admin", "operator", "approver", "approver2", "viewer", "auditor", "automation"]


class Up:
    """One `manage.py up` in a folder of its own; `command` starts another installation of the product."""

    def __init__(
        self,
        home: Path,
        command: Sequence[str] = (sys.executable, "manage.py"),
        cwd: Path = ROOT,
        **extra: str,
    ) -> None:
        ours = ("SWITCHYARD_", "DATABASE_URL", "REDIS_URL", "PYTEST_")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        self.home, self.output = home, home.parent / f"{home.name}-{time.monotonic_ns()}.txt"
        self.port = int(extra.get("SWITCHYARD_PORT") or free_port())
        environment = {
            **clean,
            "SWITCHYARD_HOME": str(home),
            "SWITCHYARD_PORT": str(self.port),
            "SWITCHYARD_EXAMPLE": "false",
            "PYTHONUNBUFFERED": "1",
            **extra,
        }
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [*command, "up"],
                cwd=cwd,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def text(self) -> str:
        return self.output.read_text(errors="replace")

    def wait_for(self, pattern: str, seconds: float = 240) -> str:
        until = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)):
            assert time.monotonic() < until, f"no {pattern!r} within {seconds} s in:\n{self.text}"
            assert self.process.poll() is None, f"ended with {self.process.returncode}:\n{self.text}"
            time.sleep(0.05)
        return found.group(0)

    def ready(self) -> Up:
        self.wait_for(r"Stop: Ctrl-C")
        return self

    def pid(self, child: str) -> int:
        return int((self.home / "run" / f"{child}.pid").read_text())

    def get(self, path: str) -> int:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
            return answer.status

    def becomes_ready(self, seconds: float = 120) -> bool:
        """Wait until `/readyz` says so: a worker is heard from a moment after the page is served."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                if self.get("/readyz") == 200:
                    return True
            except OSError:
                pass
            time.sleep(0.1)
        return False

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


def processes_of(home: Path) -> list[int]:
    """Every process that runs for this home, by the mark in its environment."""
    mark, found = f"SWITCHYARD_HOME={home}".encode(), []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the installation that the tests share."""
    return tmp_path_factory.mktemp("up") / "home"


@pytest.fixture(scope="module")
def up(home: Path) -> Iterator[Up]:
    """A running installation, the same for every test that leaves it running."""
    running = Up(home).ready()
    yield running
    running.stop()


def test_the_first_start_makes_every_account_and_prints_them_once(up: Up) -> None:
    path = up.home / "credentials.json"
    written = json.loads(path.read_text())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(written["accounts"]) == ACCOUNTS
    assert all(
        len(each["password"]) >= 16 for name, each in written["accounts"].items() if name != "automation"
    )
    assert all(each["token"].startswith("swy_") for each in written["accounts"].values())


def test_a_killed_supervisor_leaves_nothing_that_the_next_start_and_ctrl_c_do_not_clear(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    migrated.furnish(home)
    first = Up(home).ready()
    os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait()
    second = Up(home).ready()
    assert (second.get("/healthz"), second.get("/")) == (200, 200)
    assert second.becomes_ready()
    assert "operator " in first.text
    assert "operator " not in second.text
    assert second.stop() == 0
    assert processes_of(home) == []
    assert not (home / "environment").exists()


@pytest.mark.parametrize("child", ["web", "worker", "valkey", "postgres"])
def test_a_crashed_child_is_started_again_and_said_so(up: Up, child: str) -> None:
    before = up.pid(child)
    os.kill(before, signal.SIGKILL)
    up.wait_for(rf"{child} ended \(signal SIGKILL\); starting it again in 0\.5 s")
    until = time.monotonic() + 120
    while up.pid(child) == before:
        assert time.monotonic() < until, up.text
        time.sleep(0.1)
    assert up.becomes_ready(), up.text


def test_a_web_process_that_hangs_is_noticed_and_started_again(up: Up) -> None:
    before = up.pid("web")
    os.kill(before, signal.SIGSTOP)
    up.wait_for("web lives and does not answer; it is ended and started again")
    until = time.monotonic() + 120
    while up.pid("web") == before:
        assert time.monotonic() < until, up.text
        time.sleep(0.1)
    assert up.becomes_ready(), up.text


def test_after_everything_was_killed_at_once_the_very_next_start_comes_up(tmp_path: Path) -> None:
    home = tmp_path / "home"
    migrated.furnish(home)
    first = Up(home).ready()
    for pid in processes_of(home):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    os.kill(first.process.pid, signal.SIGKILL)
    second = Up(home).ready()
    first.process.wait()
    assert second.becomes_ready(), second.text
    assert second.stop() == 0
    assert processes_of(home) == []


def test_a_second_start_in_the_same_home_is_refused_and_told_where_the_first_runs(up: Up) -> None:
    second = Up(up.home.parent / "home")
    assert second.process.wait(timeout=120) == 1
    assert f"Switchyard already runs from {up.home}: http://localhost:{up.port}." in second.text
    assert up.get("/healthz") == 200


def test_two_homes_run_side_by_side(up: Up, tmp_path: Path) -> None:
    migrated.furnish(tmp_path / "other")
    other = Up(tmp_path / "other").ready()
    assert up.becomes_ready()
    assert other.becomes_ready()
    assert other.stop() == 0


def test_an_occupied_port_is_refused_with_the_remedy(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = Up(tmp_path / "home", SWITCHYARD_PORT=str(port))
        assert refused.process.wait(timeout=120) == 1
    assert (
        f"Port {port} is taken by another program. Stop that one, or choose another SWITCHYARD_PORT."
        in refused.text
    )
    assert "Traceback" not in refused.text
    assert processes_of(tmp_path / "home") == []


def test_data_of_another_major_version_is_refused_and_left_as_it_is(home: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    (old / "postgres" / "data").mkdir(parents=True)
    (old / "postgres" / "data" / "PG_VERSION").write_text("15\n")
    refused = Up(old)
    assert refused.process.wait(timeout=120) == 1
    assert "is of PostgreSQL 15; this Switchyard brings 18" in refused.text
    assert "Traceback" not in refused.text
    assert [path.name for path in (old / "postgres" / "data").iterdir()] == ["PG_VERSION"]


def test_a_wrong_setting_ends_the_start_with_one_sentence(tmp_path: Path) -> None:
    refused = Up(tmp_path / "home", SWITCHYARD_TLS="perhaps")
    assert refused.process.wait(timeout=120) == 1
    assert refused.text == (
        "switchyard: SWITCHYARD_TLS='perhaps' is neither `true` nor `false`; write one of them.\n"
    )
    assert not (tmp_path / "home").exists()

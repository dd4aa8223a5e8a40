"""What becomes of a test run's own processes when it is killed, and when it ends by itself."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from console.env import ROOT

RUN = """
import os, subprocess, sys
from tests.mourner import entrust, release
started = [subprocess.Popen(["sleep", "600"], stdout=-3, start_new_session=True) for _ in range(2)]
for each in started:
    entrust(each.pid)
release(started[1].pid)
print(*(each.pid for each in started), flush=True)
{ending}
"""


def _run(ending: str) -> tuple[int, list[int]]:
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(ending=ending)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, [int(each) for each in done.stdout.split()]


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except FileNotFoundError:
        return False


def _end(pids: list[int]) -> None:
    for pid in pids:
        if _lives(pid):
            subprocess.run(["kill", "-9", str(pid)], check=False)


def test_a_killed_run_leaves_nothing_behind_but_what_it_released() -> None:
    code, pids = _run("os.kill(os.getpid(), 9)")
    try:
        until = time.monotonic() + 60
        while _lives(pids[0]) and time.monotonic() < until:
            time.sleep(0.02)
        assert (code, [_lives(each) for each in pids]) == (-signal.SIGKILL, [False, True])
    finally:
        _end(pids)


def test_a_run_that_ends_by_itself_ends_no_process() -> None:
    code, pids = _run("sys.exit(0)")
    try:
        assert (code, [_lives(each) for each in pids]) == (0, [True, True])
    finally:
        _end(pids)

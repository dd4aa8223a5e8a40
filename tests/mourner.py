"""Ends what a killed test run leaves behind: it reads the run's processes from a pipe, and acts when that breaks.

A run that is killed cannot end its own processes. This one has a session of its own, so that it outlives the run;
a run that ends by itself says so first, and then nothing is touched.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import time
from functools import cache
from typing import IO

PATIENCE_SECONDS = 8.0
FAREWELL = "farewell\n"


def entrust(pid: int) -> None:
    """Have a process group ended should this process die."""
    _tell(f"+{pid}\n")


def release(pid: int) -> None:
    """Leave a process group alone: it has ended."""
    _tell(f"-{pid}\n")


def _tell(line: str) -> None:
    pipe = _pipe(os.getpid())
    pipe.write(line.encode())
    pipe.flush()


@cache
def _pipe(owner: int) -> IO[bytes]:
    """Start the one mourner of this process, on the first word to it."""
    mourner = subprocess.Popen(
        [sys.executable, "-S", __file__], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    assert mourner.stdin is not None
    mourner.returncode = 0  # it outlives this process on purpose: Popen need not warn of it
    atexit.register(_farewell, owner)
    return mourner.stdin


def _farewell(owner: int) -> None:
    """Say that this run ended by itself; a fork of it says nothing."""
    if os.getpid() == owner:
        _tell(FAREWELL)


def main() -> None:
    """Remember the groups, and end those that are left when no process can name more."""
    groups = set[int]()
    for line in sys.stdin:
        if line == FAREWELL:
            return
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    _signal(groups, signal.SIGTERM)
    until = time.monotonic() + PATIENCE_SECONDS
    while (groups := {each for each in groups if _lives(each)}) and time.monotonic() < until:
        time.sleep(0.05)
    _signal(groups, signal.SIGKILL)


def _signal(groups: set[int], number: int) -> None:
    for group in groups:
        try:
            os.killpg(group, number)
        except ProcessLookupError:
            continue


def _lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    main()

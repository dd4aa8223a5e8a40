"""Processes of tests that are forked from one that has imported what they need, where that makes no difference."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from console.embedded.forked import ForkServer, Process
from console.env import ROOT
from tests.mourner import entrust, release

PATIENCE_SECONDS = 120.0
OWN = ("SWITCHYARD_", "DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "PYTHONUNBUFFERED")
"""What a process reads of its environment once it runs; what others set may have been read by an import."""


def start_process(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], output: Path
) -> Process:
    """Start a process in a session of its own, its output added to a file."""
    if _may_fork(command, folder, environment):
        server = _server(os.getpid())
        forked = server.start(command, output, environment, patience_seconds=PATIENCE_SECONDS)
        assert forked is not None, (
            "the process that forks others has ended; its log is forks.log, see _server"
        )
        return forked
    with output.open("ab") as out:
        return subprocess.Popen(
            command, cwd=folder, env=environment, stdout=out, stderr=out, stdin=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip


def _may_fork(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> bool:
    """Tell whether a process is of this code, and no variable differs that an import may have read."""
    if [*command[:2]] != [sys.executable, "-m"] or folder != ROOT:
        return False
    names = {*environment, *os.environ}
    return all(environment.get(each) == os.environ.get(each) for each in names if not each.startswith(OWN))


@cache
def _server(owner: int) -> ForkServer:
    """Start the one that forks for this process; its log lies beside those of the servers of the tests."""
    log = Path(os.environ["SWITCHYARD_TEST_POSTGRES"]).parent / "forks.log"
    server = ForkServer(log, os.environ | {"DJANGO_SETTINGS_MODULE": "console.settings"})
    entrust(server.process.pid)

    def end() -> None:
        if os.getpid() == owner:
            server.close()
            release(server.process.pid)

    atexit.register(end)
    return server

"""The demo's own installation: `make up` in a folder of its own, taken down at the end."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from console.embedded.commands import COMMAND
from console.env import ROOT

METHODS_EXTENSION = "examples.cloud-tasks.methods"
"""The handlers of custom methods that the demo calls."""
EXTENSIONS = (METHODS_EXTENSION, "examples.person.hooks")
"""What examples need beside their definitions."""
START_SECONDS = 1200.0
"""The installation ends by itself when a process of it does not start; this is for one that says nothing at all."""
_OWN = (
    "DATABASE_URL",
    "REDIS_URL",
    "SWITCHYARD_DATA_URLS",
    "SWITCHYARD_OWNER_URL",
    "SWITCHYARD_PORT",
    "SWITCHYARD_SECRET_KEY",
)


class DidNotStart(Exception):
    """The installation did not come up; the message ends with its last words."""


def environment(home: Path) -> dict[str, str]:
    """Give the environment of a process that belongs to the installation in `home`."""
    kept = {name: value for name, value in os.environ.items() if name not in _OWN}
    own = {"SWITCHYARD_HOME": str(home), "SWITCHYARD_EXAMPLE": "false", "PYTHONUNBUFFERED": "1"}
    return kept | own | {"SWITCHYARD_EXTENSIONS": _extensions()}


def _extensions() -> str:
    """Name the handlers of the examples beside those that are installed already; an installed wheel has none to import."""
    given = os.environ.get("SWITCHYARD_EXTENSIONS", "")
    own = EXTENSIONS if (ROOT / "examples").is_dir() else ()
    return ",".join(each for each in (given, *own) if each)


@contextmanager
def stand(home: Path) -> Iterator[None]:
    """Bring an installation up in `home` and take it down afterwards.

    Raises: DidNotStart.
    """
    home.mkdir(parents=True, exist_ok=True)
    log = home / "up.log"
    with log.open("wb") as out:
        child = subprocess.Popen(
            [*COMMAND, "up"],
            env=environment(home),
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
    try:
        _wait(child, log)
        yield
    finally:
        child.send_signal(signal.SIGINT)
        try:
            child.wait(60)
        except subprocess.TimeoutExpired:
            child.kill()


def _wait(child: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if "Switchyard is up" in log.read_text(errors="replace"):
            return
        if child.poll() is not None:
            break
        time.sleep(0.2)
    raise DidNotStart(f"Switchyard did not come up:\n{log.read_text(errors='replace')[-2000:]}")

"""Where the servers of a test process keep their files: in memory where there is room, else where temporary files are.

To make and to drop a database, as many tests do, takes a third of the processor time there. A run that was killed leaves
its folder behind; the next one removes it.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM_BYTES = 6 << 30
PREFIX = "switchyard-tests-"


def make_folder() -> Path:
    """Make a folder of this process."""
    parent = MEMORY if _has_room() else None
    if parent is not None:
        _remove_left(parent)
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=parent))


def _has_room() -> bool:
    """Tell whether all processes of a run find room in memory."""
    try:
        disk = os.statvfs(MEMORY)
        available = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    except OSError:
        return False
    known = int(available[1]) * 1024 if available else 0
    return os.access(MEMORY, os.W_OK) and min(disk.f_bavail * disk.f_frsize, known) >= ROOM_BYTES


def _remove_left(parent: Path) -> None:
    for left in parent.glob(f"{PREFIX}*"):
        owner = re.match(rf"{PREFIX}(\d+)-", left.name)
        with suppress(OSError):
            if owner and left.stat().st_uid == os.geteuid() and not Path(f"/proc/{owner[1]}").exists():
                shutil.rmtree(left, ignore_errors=True)

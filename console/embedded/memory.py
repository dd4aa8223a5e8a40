"""How much memory the embedded PostgreSQL holds pages in, by what this machine or its container has."""

from __future__ import annotations

import os
from pathlib import Path

LEAST_MB, MOST_MB = 128, 2048
SHARE = 16
"""One part in so many of the memory: the machine does other things too. What is never read takes none."""
CGROUPS = Path("/sys/fs/cgroup")


def machine_memory() -> int:
    """Tell how many bytes the processes of this machine may have together, or less where this process may have less."""
    all_of_it = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([all_of_it, *group_limits(Path("/proc/self/cgroup"), CGROUPS)])


def buffer_megabytes(memory: int) -> int:
    """Tell how many megabytes of pages a server holds on a machine with so many bytes of memory."""
    return min(MOST_MB, max(LEAST_MB, memory // SHARE // 2**20))


def group_limits(membership: Path, root: Path) -> list[int]:
    """Read the limits of the control groups that a process is in, the inner and the outer ones; none without such."""
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        return []
    inside = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), None)
    if inside is None:
        return []
    groups = [root / inside, *(root / inside).parents]
    limits = []
    for folder in (group for group in groups if group.is_relative_to(root)):
        try:
            limit = (folder / "memory.max").read_text().strip()
        except OSError:
            continue
        limits += [int(limit)] if limit.isdigit() else []
    return limits

"""What a running installation used: processor time of its processes, and transactions of its databases."""

from __future__ import annotations

import os
from pathlib import Path

import psycopg

TICKS = os.sysconf("SC_CLK_TCK")


def environment_of(home: Path) -> dict[str, str]:
    """Read what the supervisor gave its processes."""
    lines = (home / "environment").read_text().splitlines()
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def processes(home: Path) -> dict[int, str]:
    """Find the supervised processes and their descendants, each with the name of its part."""
    parts = {int(path.read_text().split()[0]): path.stem for path in (home / "run").glob("*.pid")}
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    found: dict[int, str] = {}
    for pid in parents:
        above = pid
        while above and above not in parts:
            above = parents.get(above, 0)
        if above:
            found[pid] = parts[above]
    # The supervisor itself is the parent of its parts.
    for pid, part in list(found.items()):
        if part == "web" and parents[pid] > 1 and parents[pid] not in found:
            found[parents[pid]] = "supervisor"
    return found


def cpu_seconds(home: Path) -> dict[str, float]:
    """Add up the processor time of each part, that of processes which ended below it included."""
    used: dict[str, float] = {}
    for pid, part in processes(home).items():
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        used[part] = used.get(part, 0.0) + sum(map(int, fields[11:15])) / TICKS
    return used


def transactions(url: str) -> dict[str, int]:
    """Count the transactions of each database."""
    with psycopg.connect(url, autocommit=True) as connection:
        rows = connection.execute(
            "SELECT datname, xact_commit + xact_rollback FROM pg_stat_database WHERE datname IS NOT NULL"
        ).fetchall()
    return {str(name): int(count) for name, count in rows}

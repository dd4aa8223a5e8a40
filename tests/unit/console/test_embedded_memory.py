"""How much memory the embedded PostgreSQL holds pages in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from console.embedded.memory import buffer_megabytes, group_limits, machine_memory
from console.embedded.postgres import Postgres

GIB = 2**30


@pytest.mark.parametrize(
    ("memory", "megabytes"), [(GIB, 128), (2 * GIB, 128), (8 * GIB, 512), (24 * GIB, 1536), (256 * GIB, 2048)]
)
def test_a_sixteenth_of_the_memory_holds_pages_within_bounds(memory: int, megabytes: int) -> None:
    assert buffer_megabytes(memory) == megabytes


def test_the_limits_of_all_control_groups_around_a_process_count(tmp_path: Path) -> None:
    root = tmp_path / "cgroup"
    (root / "outer" / "inner").mkdir(parents=True)
    (root / "outer" / "memory.max").write_text("4294967296\n")
    (root / "outer" / "inner" / "memory.max").write_text("max\n")
    # Above the root of the file system of groups nothing is read.
    (tmp_path / "memory.max").write_text("1\n")
    membership = tmp_path / "membership"
    membership.write_text("12:cpu:/old\n0::/outer/inner\n")
    assert group_limits(membership, root) == [4 * GIB]


def test_without_control_groups_the_machine_is_the_limit(tmp_path: Path) -> None:
    membership = tmp_path / "membership"
    assert group_limits(membership, tmp_path) == []
    membership.write_text("3:memory:/old\n")
    assert group_limits(membership, tmp_path) == []
    assert machine_memory() > GIB // 4


def test_the_server_is_started_with_buffers_of_the_size_for_this_machine(tmp_path: Path) -> None:
    command = " ".join(Postgres(tmp_path / "postgres").command())
    assert re.findall(r"shared_buffers=(\d+)MB", command) == [str(buffer_megabytes(machine_memory()))]
    assert "shared_buffers=32MB" in " ".join(Postgres(tmp_path / "postgres", fast_and_loose=True).command())

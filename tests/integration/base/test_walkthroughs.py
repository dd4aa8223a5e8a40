"""The steps of docs/how-to/contribute.md, replayed on a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from console.env import ROOT

PAGE = (ROOT / "docs" / "how-to" / "contribute.md").read_text()
SECTIONS = {
    part.partition("\n")[0]: part.partition("\n")[2]
    for part in re.split(r"(?m)^## ", PAGE)[1:]
    if part.startswith("Add ")
}
BLOCK = re.compile(r'```(\w+)(?: title="(append: )?([^"]+)")?\n(.*?)```', re.DOTALL)
LEFT_OUT = (
    ".git",
    ".venv",
    "node_modules",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    "dist",
    "screenshots",
)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository that uses this one's packages."""
    folder = tmp_path_factory.mktemp("walkthrough") / "switchyard"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT, ".switchyard", "results"))
    (folder / ".venv").symlink_to((ROOT / ".venv").resolve())
    (folder / "frontend" / "node_modules").symlink_to((ROOT / "frontend" / "node_modules").resolve())
    return folder


def insert(text: str, block: str) -> str:
    """Add the lines with a plus after the line above them, each of which must stand in the text once."""
    lines, place = text.splitlines(), -1
    for line in block.splitlines():
        if line.startswith("+"):
            place += 1
            lines.insert(place, line[1:])
        else:
            places = [number for number, here in enumerate(lines) if here == line[1:]]
            assert len(places) == 1, f"{line[1:]!r} stands in the file {len(places)} times"
            place = places[0]
    return "\n".join((*lines, ""))


def replay(clone: Path, section: str) -> list[str]:
    """Take every step of a section; give the commands that ran."""
    ran: list[str] = []
    ours = (
        "SWITCHYARD_",
        "DATABASE_URL",
        "REDIS_URL",
        "PYTEST_",
        "TEST_SECRETS_FILE",
        "PYTHONPATH",
        "DJANGO_",
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    for kind, append, name, text in BLOCK.findall(section):
        path = clone / name
        if kind == "sh":
            done = subprocess.run(
                ["sh", "-ec", text], cwd=clone, env=clean, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr
            ran.append(text.strip())
        elif kind == "diff":
            path.write_text(insert(path.read_text(), text))
        elif append:
            path.write_text(path.read_text() + text)
        else:
            assert not path.exists(), f"{name} exists already"
            path.write_text(text)
    return ran


def test_the_steps_of_every_walkthrough_work_in_their_order(clone: Path) -> None:
    assert set(SECTIONS) == {
        "Add an op",
        "Add a check of health",
        "Add an endpoint",
        "Add a page of the console",
    }
    ran = [command for section in SECTIONS.values() for command in replay(clone, section)]
    assert [command.partition("tests/")[2] for command in ran if "pytest" in command] == [
        "unit/conversion/test_negate.py",
        "integration/access/test_degraded.py",
    ]
    assert sum("vitest" in command for command in ran) == 1
    ruff = subprocess.run(
        [str(clone / ".venv" / "bin" / "ruff"), "check", "migrations_app", "tests"],
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ruff.returncode == 0, ruff.stdout

"""The pytest plugin: laws and goldens of a folder as tests that say what was lost."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.conversion.services import folder

ROOT = Path(__file__).resolve().parents[3]
HOOKS = """
from migrations_app.domain.conversion.hooks import Hooks

def drop(old, made):
    return {key: value for key, value in made.items() if key != "b"}

def keep(new, made):
    return made

HOOKS = Hooks(objects={"things.example.com v1-v2 Thing": (drop, keep)})
"""


def run(at: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "console.pytest_laws", "-p", "no:cacheprovider"]
    command += ["-c", os.devnull, "--rootdir", str(at), "-W", "error", *arguments]
    found = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    return subprocess.run(
        command,
        cwd=at,
        env={**found, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def lay(at: Path) -> Path:
    made = folder(
        "Thing: {fields: {name: string, a: string, c: string}}",
        "Thing: {fields: {name: string, b: string, c: string}}",
        "- rename: {from: a, to: b}",
    )
    for path, data in made.files.items():
        (at / path).write_bytes(data)
    return at


def test_every_law_and_golden_is_a_test(tmp_path: Path) -> None:
    lay(tmp_path)

    first = run(tmp_path, "--switchyard-service", ".", "--switchyard-documents", "3", "--switchyard-accept")
    again = run(tmp_path, "--switchyard-service", ".", "--switchyard-documents", "3", "-k", "L3 or goldens")

    assert first.stdout.splitlines()[-1].startswith("38 passed"), first.stdout + first.stderr
    assert again.stdout.splitlines()[-1].startswith("4 passed, 34 deselected"), again.stdout + again.stderr
    assert sorted(path.name for path in (tmp_path / "goldens").iterdir()) == [
        "Thing.v1-v2.jsonl",
        "Thing.v2-v1.jsonl",
    ]


def test_a_failure_shows_the_smallest_document_and_where_it_was_lost(tmp_path: Path) -> None:
    lay(tmp_path)
    (tmp_path / "hooks.py").write_text(HOOKS)

    told = run(tmp_path, "--switchyard-service", ".", "--switchyard-hooks", "hooks.py", "-k", "L1s and v1")

    assert told.returncode == 1, told.stdout + told.stderr
    assert "L1s Thing v1 → v2: back(forth(s)) = s" in told.stdout
    assert "  first difference at a (seed " in told.stdout
    assert '  smallest document: {"a":"' in told.stdout
    assert '"c"' not in told.stdout.split("smallest document")[1].splitlines()[0]
    assert "Traceback" not in told.stdout


@pytest.mark.parametrize("broken", ["service.yaml", "edge.yaml"])
def test_a_folder_that_does_not_compile_is_one_error(tmp_path: Path, broken: str) -> None:
    lay(tmp_path)
    text = (tmp_path / broken).read_text()
    (tmp_path / broken).write_text(text.replace("rename", "renaim").replace("kind: ir", "kind: yr"))

    told = run(tmp_path, "--switchyard-service", ".")

    assert told.returncode == 2
    assert ("edge.yaml:6" in told.stdout) == (broken == "edge.yaml"), told.stdout
    assert "1 error" in told.stdout


def test_a_golden_that_differs_shows_both_lines(tmp_path: Path) -> None:
    lay(tmp_path)
    assert run(tmp_path, "--switchyard-service", ".", "--switchyard-accept", "-k", "goldens").returncode == 0
    golden = tmp_path / "goldens" / "Thing.v1-v2.jsonl"
    golden.write_text(golden.read_text().replace('"b":', '"z":', 1))

    told = run(tmp_path, "--switchyard-service", ".", "-k", "goldens")

    assert told.returncode == 1
    assert re.search(r"goldens/Thing.v1-v2.jsonl:\d differs from what was accepted\.", told.stdout), (
        told.stdout
    )
    assert "  made now: " in told.stdout

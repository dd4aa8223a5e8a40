"""A clone is made ready once; a second run installs and builds nothing, and an interrupted one is mended."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from console.env import ROOT

VENV, INSTALL = "Making the virtual environment", "Installing Python packages"
PACKAGES, BUILD = "Installing the front end's packages", "Building the front end"
DEFINITIONS, COPY = "Installing published API definitions", "Copying them to the examples"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with nothing to download: no packages, and a front end that one line builds."""
    folder = tmp_path_factory.mktemp("clone")
    shutil.copy(ROOT / "bootstrap.py", folder)
    (folder / "requirements").mkdir()
    for name in ("run", "dev"):
        (folder / "requirements" / f"{name}.lock").write_text("# nothing\n")
    (folder / "frontend" / "src").mkdir(parents=True)
    (folder / "frontend" / "src" / "main.ts").write_text("export const one = 1;\n")
    package = {"name": "nothing", "version": "1.0.0", "scripts": {"build": "mkdir -p dist"}}
    lock = {
        "name": "nothing",
        "version": "1.0.0",
        "lockfileVersion": 3,
        "packages": {"": {"name": "nothing", "version": "1.0.0"}},
    }
    definitions = {
        "scripts": {"copy": "mkdir -p ../examples/thing/protos"},
        "examples": {"thing": ["thing.proto"]},
    }
    for part, content in (("frontend", package), ("published_definitions", package | definitions)):
        (folder / part / "node_modules").mkdir(parents=True)
        (folder / part / "package.json").write_text(json.dumps(content))
        (folder / part / "package-lock.json").write_text(json.dumps(lock))
    (folder / "published_definitions" / "copy.mjs").touch()
    return folder


def steps(clone: Path) -> list[str]:
    """Make the clone ready and name the long steps that it took."""
    done = subprocess.run(
        [sys.executable, "bootstrap.py"], cwd=clone, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.strip().partition(" …")[0].partition(" (")[0] for line in done.stdout.splitlines()]


def test_a_second_run_installs_and_builds_nothing_and_a_changed_source_is_only_built(clone: Path) -> None:
    assert steps(clone) == [VENV, INSTALL, PACKAGES, BUILD, DEFINITIONS, COPY]
    assert steps(clone) == []
    (clone / "examples" / "thing" / "protos").rmdir()
    assert steps(clone) == [DEFINITIONS, COPY]
    (clone / "frontend" / "src" / "main.ts").write_text("export const one = 2;\n")
    assert steps(clone) == [BUILD]
    (clone / "requirements" / "run.lock").write_text("# nothing more\n")
    (clone / "requirements" / "dev.lock").write_text("# nothing more\n")
    assert steps(clone) == [INSTALL]


def test_swy_runs_the_code_of_the_clone_by_whose_environment_it_is_called(
    clone: Path, tmp_path: Path
) -> None:
    linked = tmp_path / "linked"
    shutil.copytree(clone, linked, ignore=shutil.ignore_patterns(".venv"))
    for folder in (clone, linked):
        (folder / "console" / "cli").mkdir(parents=True, exist_ok=True)
        (folder / "console" / "__init__.py").touch()
        (folder / "console" / "cli" / "__init__.py").touch()
        (folder / "console" / "cli" / "main.py").write_text("def main() -> None:\n    print(__file__)\n")
    steps(clone)
    (linked / ".venv").symlink_to(clone / ".venv")
    before = (clone / ".venv" / "bin" / "swy").read_text()
    steps(linked)
    (tmp_path / "swy").symlink_to(clone / ".venv" / "bin" / "swy")

    assert (clone / ".venv" / "bin" / "swy").read_text() == before
    for command, owner in (
        (clone / ".venv" / "bin" / "swy", clone),
        (linked / ".venv" / "bin" / "swy", linked),
        (tmp_path / "swy", clone),
    ):
        done = subprocess.run([command], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == str(owner / "console" / "cli" / "main.py")


def test_two_starts_at_once_do_each_step_once(clone: Path) -> None:
    (clone / "frontend" / "src" / "main.ts").write_text("export const one = 3;\n")
    starts = [
        subprocess.Popen([sys.executable, "bootstrap.py"], cwd=clone, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    told = [start.communicate()[0] for start in starts]
    assert [start.returncode for start in starts] == [0, 0]
    assert "".join(told).count(BUILD) == 1


def test_an_environment_whose_making_was_interrupted_is_made_anew(clone: Path) -> None:
    shutil.rmtree(clone / ".venv", ignore_errors=True)
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (clone / ".venv" / ".unfinished").touch()
    assert steps(clone)[:2] == [VENV, INSTALL]


def packed(folder: Path, content: str) -> Path:
    """Write a wheel of one module."""
    wheel = folder / "locked_thing-1-py3-none-any.whl"
    about = "locked_thing-1.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("locked_thing.py", content)
        archive.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: locked_thing\nVersion: 1\n")
        archive.writestr(
            f"{about}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        archive.writestr(f"{about}/RECORD", "".join(f"{name},,\n" for name in archive.namelist()))
    return wheel


def test_a_package_is_installed_only_with_the_hash_that_its_lock_names(clone: Path, tmp_path: Path) -> None:
    wheel = packed(tmp_path, "content = 'locked'\n")
    locked = f"locked_thing @ {wheel.as_uri()}"
    right = hashlib.sha256(wheel.read_bytes()).hexdigest()
    for case, requirement in (
        ("no hash", locked),
        ("another hash", f"{locked} --hash=sha256:{hashlib.sha256(b'another').hexdigest()}"),
    ):
        (clone / "requirements" / "run.lock").write_text(requirement + "\n")
        refused = subprocess.run(
            [sys.executable, "bootstrap.py"], cwd=clone, capture_output=True, text=True, check=False
        )
        assert refused.returncode == 1, case
        assert "hash" in refused.stderr.lower(), case
        assert not list(clone.glob(".venv/lib/python*/site-packages/locked_thing.py")), case
    (clone / "requirements" / "run.lock").write_text(f"{locked} --hash=sha256:{right}\n")
    assert steps(clone)[0] == INSTALL
    assert list(clone.glob(".venv/lib/python*/site-packages/locked_thing.py"))


def test_a_step_that_fails_shows_its_reason_and_one_sentence(clone: Path) -> None:
    (clone / "requirements" / "run.lock").write_text(
        "no_such_thing @ file:///nowhere/no_such_thing-1-py3-none-any.whl --hash=sha256:" + "0" * 64 + "\n"
    )
    refused = subprocess.run(
        [sys.executable, "bootstrap.py"], cwd=clone, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert "no_such_thing" in refused.stderr
    assert refused.stderr.splitlines()[-1] == (
        "switchyard: Installing Python packages (half a minute) failed. The reason is above; mend it and run the "
        "same command again."
    )


def test_on_a_platform_without_any_chromium_the_browser_stage_fails_and_names_the_remedy() -> None:
    another = (
        "import platform, runpy, sys; platform.machine = lambda: 'riscv64'; sys.argv[1:] = ['browser']; "
    )
    refused = subprocess.run(
        [sys.executable, "-c", another + "runpy.run_module('tests.stages', run_name='__main__')"],
        cwd=ROOT, env={"PATH": "/nowhere"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert refused.returncode == 1
    assert "There is no Chromium on this machine" in refused.stdout
    assert 'make test STAGES="lint types architecture unit fuzz contract' in refused.stdout


def test_stages_that_run_beside_others_are_reported_in_the_order_in_which_they_were_named() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.stages", "lint", "fuzz", "simulation"],
        cwd=ROOT, env={**os.environ, "PYTEST_ADDOPTS": "--collect-only"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    table = done.stdout[done.stdout.rindex("stage  ") :].splitlines()
    rows = [line.split() for line in table[1:4]]
    assert [row[0] for row in rows] == ["lint", "fuzz", "simulation"], done.stdout
    # Collecting imports Django and the product: that takes processor time, and it is counted.
    assert float(rows[1][3]) > 0.5

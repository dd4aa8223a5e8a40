"""What is installed is pinned by content: every package of every lock file, in every place that installs."""

from __future__ import annotations

import json
import re

import pytest

from console.env import ROOT

REQUIREMENTS = ROOT / "requirements"
SETS = sorted(path.stem for path in REQUIREMENTS.glob("*.in"))
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def locked(name: str) -> dict[str, str]:
    """Read the requirements of one lock file: package and version, and the rest of its entry."""
    text = re.sub(r"(?m)^\s*#.*$", "", (REQUIREMENTS / f"{name}.lock").read_text()).replace("\\\n", " ")
    return {line.split()[0]: line for line in text.splitlines() if line.strip()}


@pytest.mark.parametrize("name", SETS)
def test_every_package_is_pinned_by_version_and_hash(name: str) -> None:
    packages = locked(name)
    assert packages
    for package, entry in packages.items():
        assert re.fullmatch(r"[a-z0-9][a-z0-9._-]*==[^=\s]+", package), entry
        assert HASH.search(entry), f"{package} has no hash in {name}.lock: run `make lock`"


@pytest.mark.parametrize("name", SETS)
def test_every_package_that_is_asked_for_is_locked(name: str) -> None:
    packages = {package.partition("==")[0] for package in locked(name)}
    lines = (REQUIREMENTS / f"{name}.in").read_text().splitlines()
    asked = [re.split(r"[\[<>=~!;\s]", line)[0].lower() for line in lines if line and line[0] not in "#-"]
    assert asked
    assert {each.replace("_", "-") for each in asked} <= packages, f"{name}.lock is old: run `make lock`"


def test_the_locks_of_product_and_developers_agree() -> None:
    assert locked("run").items() <= locked("dev").items(), "run `make lock`"


@pytest.mark.parametrize("path", [*REQUIREMENTS.iterdir()], ids=lambda path: path.name)
def test_no_file_of_requirements_names_an_index(path) -> None:
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host", path.read_text())


@pytest.mark.parametrize("name", ["bootstrap.py", "Dockerfile", "Makefile", ".ci/run"])
def test_every_installation_checks_hashes(name: str) -> None:
    text = (ROOT / name).read_text().replace("\\\n", " ")
    for line in text.splitlines():
        if re.search(r"""pip"?,?\s+"?install\b""", line) and not line.lstrip().startswith("#"):
            follows = text[text.index(line) :][: len(line) + 120]
            assert "--require-hashes" in follows, f"{name}: {line.strip()}"


def test_the_packages_of_the_front_end_are_pinned_by_integrity() -> None:
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text())
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert packages
    assert [name for name, entry in packages.items() if not entry.get("integrity")] == []

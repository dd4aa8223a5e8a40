"""What is installed is pinned by content: every package of every lock file, in every place that installs."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from console.env import ROOT
from console.release_check import unpinned

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


DOCKERFILE = ("NODE_IMAGE", "PYTHON_IMAGE")
IMAGES = ("NODE_IMAGE", "POSTGRES_IMAGE", "PYTHON_IMAGE", "VALKEY_IMAGE")


def test_the_images_of_a_release_are_named_by_digest() -> None:
    assert unpinned(ROOT, {}) == []


def test_the_image_and_compose_start_from_the_same_bases() -> None:
    compose, dockerfile = ((ROOT / name).read_text() for name in ("docker-compose.yml", "Dockerfile"))
    for name in ("NODE_IMAGE", "PYTHON_IMAGE"):
        assert re.findall(rf"\$\{{{name}:-(.*)\}}", compose) == re.findall(
            rf"(?m)^ARG {name}=(.*)$", dockerfile
        )


def test_an_image_that_was_given_without_a_digest_is_refused() -> None:
    pinned = {name: f"registry.example.com/{name.lower()}:1@sha256:{'a' * 64}" for name in IMAGES}
    assert unpinned(ROOT, pinned) == []
    for name in IMAGES:
        for value in ("image:latest", f"image@sha256:{'a' * 63}"):
            places = ["Dockerfile", "docker-compose.yml"] if name in DOCKERFILE else ["docker-compose.yml"]
            assert unpinned(ROOT, pinned | {name: value}) == [
                f"{place}: {name} is {value}, which names no digest (name@sha256:…)" for place in places
            ]


def test_an_image_without_a_digest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("ARG BASE=node:22\nFROM python:3.13\nFROM ${BASE}\nFROM ${OTHER}\n")
    (tmp_path / "docker-compose.yml").write_text(
        "services:\n  a:\n    image: postgres:18\n  b:\n    image: ${V:-v:1}\n"
    )
    assert unpinned(tmp_path, {}) == [
        "Dockerfile: BASE is node:22, which names no digest (name@sha256:…)",
        "Dockerfile: OTHER is empty, which names no digest (name@sha256:…)",
        "Dockerfile: python:3.13, which names no digest (name@sha256:…)",
        "docker-compose.yml: V is v:1, which names no digest (name@sha256:…)",
        "docker-compose.yml: postgres:18, which names no digest (name@sha256:…)",
    ]


def test_definitions_that_a_package_publishes_are_taken_from_it_and_not_kept_here() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "examples"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert [path for path in tracked.stdout.splitlines() if path.endswith(".proto")] == []
    folder = ROOT / "published_definitions"
    package = json.loads((folder / "package.json").read_text())
    ((name, version),) = package["dependencies"].items()
    for example, paths in package["examples"].items():
        assert f"{name} {version} " in (ROOT / "examples" / example / "NOTICE").read_text(), example
        assert [path for path in paths if not (ROOT / "examples" / example / "protos" / path).is_file()] == []

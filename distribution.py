"""Builds two wheels into dist/: the product, and its Python client.

The product's has the packages, the built front end, the examples, and the documentation site if it is built.

python3 distribution.py [FOLDER]

An installation from it consists of the packages that `requirements/run.lock` names, in the versions that the tests ran
with. `bootstrap.py --dev` installs the builder (uv) and builds the front end.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import bootstrap

CLIENT = "switchyard_client"
PACKAGES = ("console", "celery_worker", "migrations_app", CLIENT)
FILES = ("pyproject.toml", "README.md", "LICENSE")
BUNDLED = ("frontend/dist", "examples")
IGNORED = shutil.ignore_patterns("__pycache__", "*.pyc", ".built")


def pinned(lock: str) -> list[str]:
    """List the requirements of a lock file: name, version and marker, without hashes."""
    lines = re.sub(r"(?m)^\s*#.*$", "", lock).replace("\\\n", " ").splitlines()
    return [line.partition(" --hash")[0].strip() for line in lines if line.strip()]


def stage(folder: Path) -> None:
    """Copy what the wheel is made of."""
    for name in FILES:
        shutil.copy(bootstrap.ROOT / name, folder)
    for name in PACKAGES:
        shutil.copytree(bootstrap.ROOT / name, folder / name, ignore=IGNORED)
    for name in BUNDLED:
        shutil.copytree(bootstrap.ROOT / name, folder / "console" / "bundle" / name, ignore=IGNORED)
    documentation = Path("docs_site", "dist")
    if (bootstrap.ROOT / documentation).is_dir():
        shutil.copytree(bootstrap.ROOT / documentation, folder / "console" / "bundle" / documentation)
    (folder / "requirements").mkdir()
    requirements = pinned((bootstrap.ROOT / "requirements" / "run.lock").read_text())
    (folder / "requirements" / "run.in").write_text("\n".join((*requirements, "")))


def build(target: Path) -> None:
    """Build both wheels into `target`."""
    if not (bootstrap.ROOT / "frontend" / "dist" / "index.html").is_file():
        bootstrap.fail("the front end is not built. Run `make dist`, which builds it first.")
    with tempfile.TemporaryDirectory(prefix="switchyard-dist-") as folder:
        stage(Path(folder))
        _build_wheel(Path(folder), target)
    build_client(target)


def build_client(target: Path) -> None:
    """Build the wheel of the Python client into `target`; it needs the client's folder alone."""
    with tempfile.TemporaryDirectory(prefix="switchyard-client-") as folder:
        # What a build leaves beside the sources stays out of the repository.
        copy = Path(folder) / CLIENT
        shutil.copytree(bootstrap.ROOT / CLIENT, copy, ignore=IGNORED)
        shutil.copy(bootstrap.ROOT / "LICENSE", copy)
        _build_wheel(copy, target)


def _build_wheel(folder: Path, target: Path) -> None:
    command = [str(bootstrap.VENV / "bin" / "uv"), "build", "-q", "--wheel", str(folder), "-o", str(target)]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    build(Path(sys.argv[1] if sys.argv[1:] else "dist").resolve())

"""Builds three wheels into dist/: the product, its Python client, and the SDK for services.

python3 distribution.py [FOLDER]

The product's is the packages, the built front end, the examples, and the documentation site if it is built. An
installation from it consists of the packages that `requirements/run.lock` names, in the versions that the tests ran
with. `bootstrap.py --dev` installs the builder (uv) and builds the front end. The SDK's is `sdk/switchyard_sdk` and the
modules of the product that it stands on, as `switchyard_sdk.core`.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import bootstrap

CLIENT = "switchyard_client"
PACKAGES = ("console", "celery_worker", "migrations_app", CLIENT)
FILES = ("pyproject.toml", "README.md", "LICENSE")
BUNDLED = ("frontend/dist", "examples", "sdk")
IGNORED = shutil.ignore_patterns("__pycache__", "*.pyc", ".built", "*.egg-info", "build")
SDK = bootstrap.ROOT / "sdk"
CORE = "migrations_app"


def pinned(lock: str) -> list[str]:
    """List the requirements of a lock file: name, version and marker, without hashes."""
    lines = re.sub(r"(?m)^\s*#.*$", "", lock).replace("\\\n", " ").splitlines()
    return [line.partition(" --hash")[0].strip() for line in lines if line.strip()]


def stage(folder: Path) -> None:
    """Copy what the wheel of the product is made of."""
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
    """Build the wheels of the product and of its client into `target`."""
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


def imported(source: str) -> Iterator[str]:
    """Name the modules, and what may be modules, that a module imports of the product."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and f"{node.module}.".startswith(f"{CORE}."):
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))


def core_modules() -> list[Path]:
    """List the files of the product that the SDK imports, and that these import, with the packages around them."""
    found: set[Path] = set()
    waiting = [name for path in SDK.rglob("*.py") for name in imported(path.read_text())]
    while waiting:
        place = bootstrap.ROOT / waiting.pop().replace(".", "/")
        path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if path.is_file() and path not in found:
            found.add(path)
            waiting += imported(path.read_text())
            waiting += [
                ".".join(each.parts) for each in place.relative_to(bootstrap.ROOT).parents if each.parts
            ]
    return sorted(found)


def stage_sdk(folder: Path) -> None:
    """Copy what the wheel of the SDK is made of; imports of the product become imports of `switchyard_sdk.core`."""
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(SDK / name, folder)
    package = folder / "switchyard_sdk"
    shutil.copytree(SDK / "switchyard_sdk", package, ignore=IGNORED)
    for path in core_modules():
        copy = package / "core" / path.relative_to(bootstrap.ROOT / CORE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    for path in package.rglob("*.py"):
        path.write_text(re.sub(rf"\b{CORE}\b", "switchyard_sdk.core", path.read_text()))


def build_sdk(target: Path) -> None:
    """Build the wheel of the SDK into `target`."""
    with tempfile.TemporaryDirectory(prefix="switchyard-sdk-") as folder:
        stage_sdk(Path(folder))
        _build_wheel(Path(folder), target)


def _build_wheel(folder: Path, target: Path) -> None:
    command = [str(bootstrap.VENV / "bin" / "uv"), "build", "-q", "--wheel", str(folder), "-o", str(target)]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    wheels = Path(sys.argv[1] if sys.argv[1:] else "dist").resolve()
    build(wheels)
    build_sdk(wheels)

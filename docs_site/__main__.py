"""Builds the documentation site into docs_site/dist: `python -m docs_site`, or `make docs`.

MkDocs and its theme are installed into docs_site/.venv from requirements/docs.lock, the drawing library into
docs_site/node_modules from the lock beside this file. A link that leads nowhere fails the build.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import bootstrap

FOLDER = Path(__file__).resolve().parent
VENV = FOLDER / ".venv"
LOCK = bootstrap.ROOT / "requirements" / "docs.lock"


def install() -> None:
    """Install what builds the site, where its locks changed since."""
    python, modules = VENV / "bin" / "python", FOLDER / "node_modules"
    packages, drawing = VENV / ".installed", modules / ".installed"
    if not bootstrap.is_done(packages, bootstrap.fingerprint(LOCK)):
        bootstrap.step(
            "Making the environment of the documentation",
            [sys.executable, "-m", "venv", "--clear", str(VENV)],
        )
        command = [str(python), "-m", "pip", "install", "-q", "--require-hashes", "-r", str(LOCK)]
        bootstrap.step("Installing MkDocs and its theme", command)
        packages.write_text(bootstrap.fingerprint(LOCK))
    lock = bootstrap.fingerprint(FOLDER / "package-lock.json")
    if not bootstrap.is_done(drawing, lock):
        command = [*bootstrap.node(), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        bootstrap.step("Installing the drawing library", command, cwd=FOLDER)
        drawing.write_text(lock)


def build() -> None:
    """Build the site."""
    command = [str(VENV / "bin" / "mkdocs"), "build", "--strict", "-q", "-f", str(FOLDER / "mkdocs.yml")]
    bootstrap.step("Building the documentation", command, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})


if __name__ == "__main__":
    install()
    build()
    print(f"{FOLDER / 'dist' / 'index.html'}")

"""Builds the documentation site into docs_site/dist: `python -m docs_site [VERSION …]`, or `make docs VERSIONS="…"`.

The pages of this clone stand under the version of the product, `dist/0.1.0/`. A VERSION adds the pages of a tag, such
as `v0.1.0`, or of any commit under a name of its own, `0.1.0=COMMIT`; the pages name all versions that were built. The
layout is the one that the theme's selection of versions reads. MkDocs and its theme are installed into docs_site/.venv
from requirements/docs.lock, the drawing library into docs_site/node_modules from the lock beside this file. A link of
this clone's pages that leads nowhere fails the build.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

import bootstrap

FOLDER = Path(__file__).resolve().parent
VENV = FOLDER / ".venv"
LOCK = bootstrap.ROOT / "requirements" / "docs.lock"
SITE = FOLDER / "dist"
NAME = re.compile(r"\d+(?:\.\d+)+[a-z0-9.]*")
REDIRECT = (
    '<!doctype html><html lang="en"><title>Switchyard</title><meta http-equiv="refresh" content="0; url={0}/">'
    '<a href="{0}/">Documentation of Switchyard {0}</a></html>\n'
)


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


def build(source: Path, version: str, *options: str) -> None:
    """Build the pages of a source tree under a version."""
    command = [str(VENV / "bin" / "mkdocs"), "build", *options, "-q", "-f", str(FOLDER / "mkdocs.yml")]
    command += ["-d", str(SITE / version)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "DOCS_SOURCE": str(source / "docs")}
    bootstrap.step(f"Building the documentation of {version}", command, env=environment)


def build_commit(version: str, commit: str) -> None:
    """Build the pages of a commit under a version; its links are not checked."""
    with tempfile.TemporaryDirectory(prefix="switchyard-docs-") as folder:
        archive, source = Path(folder) / "pages.tar", Path(folder) / "source"
        command = ["git", "archive", "--format=tar", f"--output={archive}", commit, "docs", "CHANGELOG.md"]
        bootstrap.step(f"Reading the pages of {commit}", command, cwd=bootstrap.ROOT)
        with tarfile.open(archive) as pages:
            pages.extractall(source, filter="data")
        build(source, version)


def commits_of(arguments: list[str]) -> dict[str, str]:
    """Read which commit is which version; fail where an argument names none."""
    commits: dict[str, str] = {}
    for argument in arguments:
        name, _, commit = argument.partition("=")
        version = name if commit else name.removeprefix("v")
        if not NAME.fullmatch(version):
            bootstrap.fail(f"{argument!r} names no version. Give a tag such as v0.1.0, or 0.1.0=COMMIT.")
        commit = commit or name
        known = subprocess.run(
            ["git", "rev-parse", "-q", "--verify", f"{commit}^{{commit}}"],
            cwd=bootstrap.ROOT,
            capture_output=True,
            check=False,
        )
        if known.returncode != 0:
            bootstrap.fail(
                f"this clone has no {commit}. `git fetch --tags --unshallow` brings tags and history."
            )
        commits[version] = commit
    return commits


def main() -> None:
    """Build this clone's pages and those of the versions that are asked for."""
    project = tomllib.loads((bootstrap.ROOT / "pyproject.toml").read_text())
    latest = str(project["project"]["version"])
    commits = commits_of(sys.argv[1:])
    # At the tag itself the pages of the clone are those of the tag.
    commits.pop(latest, "")
    install()
    shutil.rmtree(SITE, ignore_errors=True)
    build(bootstrap.ROOT, latest, "--strict")
    for version, commit in commits.items():
        build_commit(version, commit)
    versions = [{"version": version, "title": version, "aliases": []} for version in (latest, *commits)]
    versions[0]["aliases"] = ["latest"]
    (SITE / "versions.json").write_text(json.dumps(versions))
    (SITE / "index.html").write_text(REDIRECT.format(latest))
    print(SITE / "index.html")


if __name__ == "__main__":
    main()

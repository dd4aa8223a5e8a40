"""Refuses a release whose images are not named by digest: `python3 -m console.release_check`. Standard library only.

A tag may name other content tomorrow. The files name digests; other images are given in the environment or in a file
named .env, which Compose reads as well (`docker buildx imagetools inspect IMAGE` shows the digest of one).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

PLACES = ("docker-compose.yml", "Dockerfile")
PINNED = re.compile(r"[a-z0-9./:_-]+@sha256:[0-9a-f]{64}")
_NAMED = re.compile(r"(?m)^\s*(?:image:|FROM|NODE_IMAGE:|PYTHON_IMAGE:)\s*(\S+)")
_VARIABLE = re.compile(r"\$\{([A-Z_]+)(?::-([^}]*))?\}")
_DEFAULT = re.compile(r"(?m)^ARG ([A-Z_]+)=(\S+)")


def unpinned(folder: Path, environ: Mapping[str, str]) -> list[str]:
    """Say which images of the release are not named by digest."""
    wrong: dict[str, str] = {}
    for place in PLACES:
        text = (folder / place).read_text()
        defaults = dict(_DEFAULT.findall(text))
        for named in _NAMED.findall(text):
            variable = _VARIABLE.fullmatch(named)
            if named == "switchyard:local":
                continue
            name = variable[1] if variable else ""
            image = (environ.get(name) or variable[2] or defaults.get(name, "")) if variable else named
            if not PINNED.fullmatch(image):
                what = f"{name} is {image or 'empty'}" if variable else image
                wrong[f"{place} {named}"] = f"{place}: {what}, which names no digest (name@sha256:…)"
    return sorted(wrong.values())


def read_dotenv(path: Path) -> dict[str, str]:
    """Read the lines NAME=value of a file, if it is there."""
    lines = path.read_text().splitlines() if path.exists() else []
    pairs = (line.partition("=") for line in lines if "=" in line and not line.lstrip().startswith("#"))
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs}


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent
    found = unpinned(here, read_dotenv(here / ".env") | dict(os.environ))
    sys.exit("\n".join(f"switchyard: {sentence}" for sentence in found) if found else 0)

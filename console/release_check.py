"""Refuses a release whose images are not named by digest: `python3 -m console.release_check`. Standard library only.

A tag may name other content tomorrow. Digests are looked up by whoever releases (`docker buildx imagetools inspect IMAGE`)
and given in the environment or in a file named .env, which Compose reads as well.
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
_VARIABLE = re.compile(r"\$\{([A-Z_]+)(?::-[^}]*)?\}")


def unpinned(folder: Path, environ: Mapping[str, str]) -> list[str]:
    """Say which images of the release are not named by digest."""
    wrong: dict[str, str] = {}
    for place in PLACES:
        for named in _NAMED.findall((folder / place).read_text()):
            variable = _VARIABLE.fullmatch(named)
            if named == "switchyard:local":
                continue
            if variable is None:
                wrong[named] = f"{place}: {named} is named without a variable for its digest"
            elif not PINNED.fullmatch(environ.get(variable[1], "")):
                wrong[variable[1]] = f"{variable[1]} is not set to an image by digest (name@sha256:…)"
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

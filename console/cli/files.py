"""Files that commands take: `-` is standard input."""

from __future__ import annotations

import sys
from pathlib import Path

STANDARD_INPUT = "-"


def read_text(path: Path) -> str:
    """Read a file, or standard input where the file is named `-`.

    Raises: OSError, UnicodeDecodeError.
    """
    return sys.stdin.read() if str(path) == STANDARD_INPUT else path.read_text()

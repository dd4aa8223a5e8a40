"""Where unix sockets live: beside the data, or in a short folder where the path would be too long."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

LONGEST = 80
"""Of the folder, in bytes: the socket's own name follows, and the kernel allows about 107 in all."""


def socket_folder(folder: Path) -> Path:
    """Choose the folder for the sockets of what lives in `folder`; the same for the same folder."""
    near = folder / "run"
    if len(os.fsencode(near)) <= LONGEST:
        return near
    name = hashlib.sha256(os.fsencode(near)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"switchyard-{os.getuid()}-{name}"

"""Who the embedded PostgreSQL runs as: it refuses root, so root lends it another user id."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from console.embedded.failure import CannotStart

NOBODY = 65534


@dataclass(frozen=True, slots=True)
class Identity:
    """How to start a program so that it does not run as root, and who must own its files."""

    prefix: tuple[str, ...] = ()
    uid: int | None = None
    gid: int | None = None

    def own(self, folder: Path) -> None:
        """Give `folder` to the user that the program will be."""
        if self.uid is not None and self.gid is not None:
            os.chown(folder, self.uid, self.gid)


@lru_cache(maxsize=1)
def unprivileged() -> Identity:
    """Find a way to run a program as another user than root.

    An ordinary user is that already. For root a user namespace is best, because the files stay
    root's own and no folder above them has to be opened; else the system user `nobody` serves.
    """
    if os.geteuid() != 0:
        return Identity()
    unshare = shutil.which("unshare")
    prefix = (unshare or "", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}")
    if unshare and subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0:
        return Identity(prefix)
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise CannotStart(
            "PostgreSQL refuses to run as root and this machine has neither user namespaces nor the user "
            "`nobody`. Run `make up` as an ordinary user."
        ) from None
    return Identity((), nobody.pw_uid, nobody.pw_gid)

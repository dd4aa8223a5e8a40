"""The folder of one embedded installation: its lock, secrets, logs and what it tells other shells."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from console.embedded.failure import CannotStart

FREE_MEGABYTES = 300
FULL_MEGABYTES = 20


@dataclass(slots=True)
class Home:
    """One installation's folder, held by a lock while it runs."""

    folder: Path
    _lock: IO[str] | None = None

    def take(self) -> None:
        """Make the folder and hold its lock.

        Raises: CannotStart when it cannot be written, is too full, or another `make up` holds it.
        """
        try:
            for part in (self.folder, self.logs, self.run):
                part.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = (self.folder / "lock").open("a+")
        except OSError as error:
            raise CannotStart(
                f"The folder {self.folder} cannot be written ({error.strerror}). Make it writable, or choose "
                "another with SWITCHYARD_HOME."
            ) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.seek(0)
            where = self._lock.read().strip()
            self._lock.close()
            self._lock = None
            raise CannotStart(
                f"Switchyard already runs from {self.folder}: {where}. Stop it there with "
                "Ctrl-C, or choose another folder with SWITCHYARD_HOME."
            ) from None
        if self._free_megabytes() < FREE_MEGABYTES:
            self.release()
            raise CannotStart(
                f"The disk of {self.folder} has less than {FREE_MEGABYTES} MB free. Free some, or choose "
                "another folder with SWITCHYARD_HOME."
            )

    def shortage(self) -> str:
        """Say that the disk is full, if that is what ended a process; else nothing."""
        if self._free_megabytes() >= FULL_MEGABYTES:
            return ""
        return f"The disk of {self.folder} is full. Free some; everything then goes on by itself."

    def _free_megabytes(self) -> float:
        disk = os.statvfs(self.folder)
        return disk.f_bavail * disk.f_frsize / 1_000_000

    def tell(self, sentence: str) -> None:
        """Leave word in the lock file for a second start."""
        if self._lock is not None:
            self._lock.truncate(0)
            self._lock.write(sentence)
            self._lock.flush()

    def release(self) -> None:
        """Give the folder free."""
        (self.folder / "environment").unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.truncate(0)
            self._lock.close()

    @property
    def logs(self) -> Path:
        """Where every process writes its log."""
        return self.folder / "logs"

    @property
    def run(self) -> Path:
        """Where pid files are."""
        return self.folder / "run"

    @property
    def credentials(self) -> Path:
        """Where the first accounts' passwords and tokens are."""
        return self.folder / "credentials.json"

    def credentials_of(self, url: str) -> dict[str, dict[str, str | None]]:
        """Give the first accounts, after noting where the console is this time."""
        if not self.credentials.exists():
            return {}
        kept = json.loads(self.credentials.read_text())
        if kept["url"] != url:
            write_private(self.credentials, json.dumps({**kept, "url": url}, indent=2) + "\n")
        accounts: dict[str, dict[str, str | None]] = kept["accounts"]
        return accounts

    @property
    def secret_key(self) -> str:
        """The installation's secret, made once."""
        path = self.folder / "secret_key"
        if not path.exists():
            write_private(path, secrets.token_urlsafe(48))
        return path.read_text().strip()


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    half = path.with_name(path.name + ".new")
    half.unlink(missing_ok=True)
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    half.rename(path)

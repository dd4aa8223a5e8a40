"""Writes the secrets that docker-compose.yml mounts: `python3 -m console.compose_secrets [folder]`. Standard library only.

A file that is there stays. POSTGRES_PASSWORD and SWITCHYARD_SECRET_KEY of an installation from before are taken over from
the environment.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

DATABASES = "postgres:5432"


def write_secrets(folder: Path, environ: Mapping[str, str]) -> list[str]:
    """Write the files that are missing and name them.

    The folder is its owner's alone. The files themselves can be read, because a container's user reads them.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    owner = (
        _kept(folder, "postgres_password") or environ.get("POSTGRES_PASSWORD") or secrets.token_urlsafe(32)
    )
    broker = secrets.token_urlsafe(32)
    texts = {
        "postgres_password": owner,
        "owner_url": f"postgresql://switchyard:{quote(owner, safe='')}@{DATABASES}/switchyard",
        "application_url": f"postgresql://switchyard_app:{secrets.token_urlsafe(32)}@{DATABASES}/switchyard",
        "data_urls": f"default=postgresql://switchyard_data:{secrets.token_urlsafe(32)}@{DATABASES}/data",
        "secret_key": environ.get("SWITCHYARD_SECRET_KEY") or secrets.token_urlsafe(48),
    }
    # The broker's password stands in two files: both are new, or none.
    if not all((folder / name).exists() for name in ("valkey_conf", "valkey_url")):
        for name in ("valkey_conf", "valkey_url"):
            (folder / name).unlink(missing_ok=True)
        texts |= {"valkey_conf": f"requirepass {broker}", "valkey_url": f"redis://:{broker}@valkey:6379/0"}
    written = [name for name in texts if not (folder / name).exists()]
    for name in written:
        file = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        with os.fdopen(file, "w") as opened:
            opened.write(texts[name] + "\n")
    return written


def _kept(folder: Path, name: str) -> str:
    path = folder / name
    return path.read_text().strip() if path.exists() else ""


if __name__ == "__main__":
    place = Path(sys.argv[1] if len(sys.argv) > 1 else "secrets")
    print(f"{place}: {', '.join(write_secrets(place, os.environ)) or 'everything is there'}")

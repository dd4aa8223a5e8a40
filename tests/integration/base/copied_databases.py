"""Databases of a test, copied to another server by a dump."""

from __future__ import annotations

import subprocess
from pathlib import Path

from django.conf import settings
from django.db import connection

from console.embedded.postgres import Postgres, binaries


def control_url() -> str:
    """Give the address of this test's control database."""
    base, _, query = str(settings.SWITCHYARD.database_url).partition("?")
    return f"{base.rpartition('/')[0]}/{connection.settings_dict['NAME']}?{query}"


def copy_database(source: str, name: str, server: Postgres, folder: Path) -> str:
    """Dump a database and restore it on another server; give its address there."""
    dump = folder / f"{name}.dump"
    subprocess.run([binaries() / "pg_dump", "-Fc", "-f", dump, source], check=True)
    server.ensure_database(name)
    restore = [binaries() / "pg_restore", "--no-owner", "--exit-on-error", "-d", server.url(name), dump]
    subprocess.run(restore, check=True)
    return server.url(name)

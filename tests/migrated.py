"""A PostgreSQL cluster with a migrated control database: made once for each state of the migrations, then copied.

To make a cluster and to migrate it takes several seconds of processor time, and every process of a test run needs one.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import psycopg
from psycopg import sql

from console.embedded.postgres import Postgres
from console.env import ROOT

UNUSED_SECONDS = 86_400
SOURCES = (
    "requirements/run.lock",
    "console/settings.py",
    "console/embedded/postgres.py",
    "tests/migrated.py",
)


@cache
def database() -> str:
    """Name the migrated database, by what it is made from."""
    found = hashlib.sha256()
    folder = ROOT / "migrations_app"
    made_from = [*folder.glob("migrations/*.py"), *folder.rglob("*.sql"), *(ROOT / name for name in SOURCES)]
    for path in sorted(made_from):
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return f"migrated_{found.hexdigest()[:16]}"


def create(postgres: Postgres) -> None:
    """Make a cluster, where there is none, that holds the migrated database."""
    if (postgres.data / "PG_VERSION").exists():
        return
    with kept_for_runs() as clusters:
        _forget_unused(clusters)
        cluster = clusters / database()
        if not cluster.exists():
            _make(cluster)
        os.utime(cluster)
        postgres.folder.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-a", "--", str(cluster / "postgres"), str(postgres.folder)], check=True)


def ensure(postgres: Postgres) -> None:
    """Make the migrated database in a server that runs, as one of an earlier state of the migrations may."""
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database()]).fetchone()
    if known is None:
        _migrate(postgres)


def copy(postgres: Postgres, name: str) -> None:
    """Make a copy of the migrated database under another name, in the place of what had it."""
    old, new = sql.Identifier(database()), sql.Identifier(name)
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(new))
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(new, old))


def furnish(home: Path) -> None:
    """Give the folder of an installation that was never started a cluster whose control database is migrated."""
    postgres = Postgres(home / "postgres", fast_and_loose=True)
    home.mkdir(mode=0o700, parents=True)
    create(postgres)
    rename = sql.SQL("ALTER DATABASE {} RENAME TO switchyard").format(sql.Identifier(database()))
    with (
        _running(postgres, home / "furnishing.log"),
        psycopg.connect(postgres.url("postgres"), autocommit=True) as connection,
    ):
        connection.execute(rename)


@contextmanager
def _running(postgres: Postgres, log: Path) -> Iterator[None]:
    """Run a cluster for a moment."""
    server = postgres.start(log)
    try:
        postgres.wait_ready(server)
        yield
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=120)


@contextmanager
def kept_for_runs() -> Iterator[Path]:
    """Give the folder of what runs of tests share, as the clusters, to one process at a time."""
    folder = Path(tempfile.gettempdir()) / f"switchyard-migrated-{os.geteuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to another user.")
    with (folder / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def _forget_unused(clusters: Path) -> None:
    for each in clusters.glob("migrated_*"):
        if is_unused(each):
            shutil.rmtree(each, ignore_errors=True)


def is_unused(path: Path) -> bool:
    """Tell whether no run has used something of that folder for a day."""
    return time.time() - path.stat().st_mtime > UNUSED_SECONDS


def _make(cluster: Path) -> None:
    half = cluster.with_suffix(".half")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(mode=0o755)
    postgres = Postgres(half / "postgres", fast_and_loose=True)
    postgres.create()
    with _running(postgres, half / "postgres.log"):
        _migrate(postgres)
    with suppress(FileNotFoundError):
        shutil.rmtree(postgres.sockets)
    half.rename(cluster)


def _migrate(postgres: Postgres) -> None:
    """Migrate under another name first, so that a half-migrated database is never taken for a whole one."""
    half = f"{database()}_half"
    given = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SWITCHYARD_", "DATABASE_URL", "REDIS_URL", "PYTEST_"))
    }
    given |= {"DATABASE_URL": postgres.url(half), "DJANGO_SETTINGS_MODULE": "console.settings"}
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(half)))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(half)))
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, cwd=ROOT, env=given, check=True)
        connection.execute(
            sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(half), sql.Identifier(database()))
        )

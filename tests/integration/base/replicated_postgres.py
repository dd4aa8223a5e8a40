"""A PostgreSQL with a physical replica that confirms every commit, and the address that leads to whichever is primary."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

import psycopg

from console.embedded.identity import unprivileged
from console.embedded.postgres import USER, Postgres, binaries
from tests.mourner import entrust, release

PATIENCE_SECONDS = 120.0


class ReplicatedPostgres:
    """Two servers in two folders: the first is the primary until it is killed, then the second is promoted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.primary = Postgres(folder / "primary", fast_and_loose=True)
        self.replica = Postgres(folder / "replica", fast_and_loose=True)
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def url(self, database: str) -> str:
        """Give the address of a database on whichever server takes writes: both hosts stand in it."""
        hosts = quote(f"{self.primary.sockets},{self.replica.sockets}", safe="")
        password = quote(self.primary.password)
        return f"postgresql://{USER}:{password}@/{database}?host={hosts}&target_session_attrs=read-write"

    def start(self) -> None:
        """Start the primary, copy it, start the copy as its replica, and have it confirm commits."""
        self.primary.create()
        self._start("primary", self.primary)
        self._copy()
        self._start("replica", self.replica)
        with psycopg.connect(self.primary.url("postgres"), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names TO '*'")
            connection.execute("SELECT pg_reload_conf()")
            until = time.monotonic() + PATIENCE_SECONDS
            query = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
            while connection.execute(query).fetchone() != (1,):
                assert time.monotonic() < until, self._log("replica")
                time.sleep(0.05)

    def kill_primary(self) -> None:
        """End the primary at once, as a crash does: no checkpoint, no goodbye to clients and replica."""
        self._end("primary")

    def promote(self) -> None:
        """Make the replica the primary."""
        with psycopg.connect(self.replica.url("postgres"), autocommit=True) as connection:
            assert connection.execute("SELECT pg_promote(true, 120)").fetchone() == (True,), self._log(
                "replica"
            )

    def stop(self) -> None:
        """End both servers."""
        for name in list(self._running):
            self._end(name)

    def _copy(self) -> None:
        identity, folder = unprivileged(), self.replica.folder
        folder.mkdir(mode=0o700)
        shutil.copy(self.primary.folder / "password", folder / "password")
        identity.own(folder)
        command = [
            *identity.prefix, str(binaries() / "pg_basebackup"), "-D", str(self.replica.data),
            "-d", self.primary.url("postgres"), "-R", "-X", "stream", "--checkpoint=fast", "--no-sync",
        ]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True, user=identity.uid, group=identity.gid)

    def _start(self, name: str, server: Postgres) -> None:
        process = server.start(self._folder / f"{name}.log")
        entrust(process.pid)
        self._running[name] = process
        server.wait_ready(process)

    def _end(self, name: str) -> None:
        process = self._running.pop(name)
        process.send_signal(signal.SIGQUIT)
        process.wait()
        release(process.pid)

    def _log(self, name: str) -> str:
        return (self._folder / f"{name}.log").read_text()[-3000:]

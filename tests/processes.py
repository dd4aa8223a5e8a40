"""Real processes for tests: web, worker and beat on the test's own databases."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from console.embedded import commands
from console.embedded.forked import Process
from console.env import ROOT
from tests.forks import start_process
from tests.mourner import entrust, release

PATIENCE_SECONDS = 120.0


def free_port() -> int:
    """Find a port without a listener."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Children:
    """The processes that one test started, of the code in a folder: this clone, or another version of it."""

    def __init__(self, folder: Path, code: Path = ROOT) -> None:
        self.folder, self.code = folder, code
        self.running: dict[str, Process] = {}

    def environment(self) -> dict[str, str]:
        """What a child gets: this process's settings, with the test's database in them."""
        from django.conf import settings
        from django.db import connection

        base, _, query = os.environ["DATABASE_URL"].partition("?")
        name = str(connection.settings_dict["NAME"])
        data = " ".join(f"{alias}={url}" for alias, url in settings.SWITCHYARD.data_urls.items())
        return os.environ | {
            "DATABASE_URL": f"{base.rpartition('/')[0]}/{name}?{query}",
            "SWITCHYARD_DATA_URLS": data,
            "DJANGO_SETTINGS_MODULE": "console.settings",
            "PYTHONUNBUFFERED": "1",
        }

    def start(self, name: str, command: list[str], **extra: str) -> Process:
        """Start a child; its output goes to `<name>.log` in the test's folder."""
        child = start_process(command, self.code, self.environment() | extra, self.folder / f"{name}.log")
        if (before := self.running.get(name)) is not None and before.poll() is not None:
            release(before.pid)
        entrust(child.pid)
        self.running[name] = child
        return child

    def start_worker(self, name: str = "worker", **extra: str) -> Process:
        """Start a worker of all queues."""
        return self.start(
            name, commands.worker(name, "sync,constraints,switch,housekeeping,notifications"), **extra
        )

    def start_beat(self, **extra: str) -> Process:
        """Start the sweep's clock."""
        return self.start("beat", commands.beat(str(self.folder / "beat")), **extra)

    def start_web(self, name: str = "web", **extra: str) -> str:
        """Start a web process and wait until it answers; give its address."""
        return self.start_web_at(name, free_port(), **extra)

    def start_web_at(self, name: str, port: int, **extra: str) -> str:
        """Start a web process at a port, where one may have been before."""
        self.begin_web_at(name, port, **extra)
        return self.wait_for_web(name, port)

    def begin_web_at(self, name: str, port: int, **extra: str) -> None:
        """Start a web process without waiting for it."""
        self.start(name, commands.web("127.0.0.1", port), SWITCHYARD_PORT=str(port), **extra)

    def wait_for_web(self, name: str, port: int) -> str:
        """Wait until a web process answers; give its address."""
        url, child = f"http://127.0.0.1:{port}", self.running[name]
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"{url}/healthz", timeout=30):
                    return url
            except OSError as error:
                if child.poll() is not None or time.monotonic() > until:
                    raise AssertionError(f"the web process does not answer\n{self.log(name)}") from error
                time.sleep(0.1)

    def start_grpc(self, name: str = "grpc", port: int = 0, **extra: str) -> str:
        """Start a gRPC server and wait until it listens; give its address."""
        port = port or free_port()
        log = self.folder / f"{name}.log"
        before = log.stat().st_size if log.exists() else 0
        child = self.start(name, commands.grpc("127.0.0.1", port), **extra)
        until = time.monotonic() + PATIENCE_SECONDS
        while f"listens on port {port}." not in log.read_text(errors="replace")[before:]:
            if child.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"the gRPC server does not listen\n{self.log(name)}")
            time.sleep(0.1)
        return f"127.0.0.1:{port}"

    def log(self, name: str) -> str:
        """What a child has written."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def kill(self, name: str) -> None:
        """End a child and its own children at once, as a power cut would."""
        child = self.running.pop(name)
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        release(child.pid)

    def stop(self) -> None:
        """End all children."""
        for child in self.running.values():
            if child.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGTERM)
        for child in self.running.values():
            try:
                child.wait(timeout=10)
            except subprocess.TimeoutExpired:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
                child.wait()
            release(child.pid)

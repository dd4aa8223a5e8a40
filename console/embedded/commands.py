"""The command lines of Switchyard's own processes, the same for the supervisor, the tests and Compose."""

from __future__ import annotations

import sys

COMMAND = (sys.executable, "-m", "console.manage")
"""Runs a command of `manage.py`, whose name follows."""


def web(bind: str, port: int) -> list[str]:
    """Serve the console, the APIs and the sockets."""
    return [
        sys.executable, "-m", "console.web_server", "--host", bind, "--port", str(port),
    ]  # fmt: skip


def web_on(listening: int) -> list[str]:
    """Serve the same on a socket that is already open, by the number of its descriptor."""
    return [sys.executable, "-m", "console.embedded.serve", str(listening)]


def grpc(bind: str, port: int) -> list[str]:
    """Serve the Meta API over gRPC."""
    return [
        sys.executable, "-m", "console.grpc_server", "--host", bind, "--port", str(port),
    ]  # fmt: skip


def worker(name: str, queues: str, *, pool: str = "threads", concurrency: int = 4) -> list[str]:
    """Reconcile keys from `queues`."""
    return [
        sys.executable, "-m", "celery", "-A", "celery_worker.app", "worker", "--loglevel", "WARNING",
        "--hostname", f"{name}@%h", "--queues", queues, "--pool", pool, "--concurrency", str(concurrency),
        "--without-gossip", "--without-mingle", "--without-heartbeat",
    ]  # fmt: skip


def beat(schedule: str) -> list[str]:
    """Tick the sweep; `schedule` is the file of its last runs."""
    return [
        sys.executable, "-m", "celery", "-A", "celery_worker.app", "beat", "--loglevel", "WARNING",
        "--schedule", schedule, "--pidfile", "",
    ]  # fmt: skip

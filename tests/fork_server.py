"""Forks Python processes from one that has imported what all of them need: starting one from nothing takes 1.5 s of a core.

`python -u -m tests.fork_server SOCKET` waits at a socket: a client that connects and sends a `Start` as a line of JSON gets the
id of a process that runs the module, and in another line, once it has ended, what it ended with. Nothing is imported
here that reads settings: each process has its own environment, and reads it as one that was started from nothing does.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
from dataclasses import asdict, dataclass

LIBRARIES = (
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.thread",
    "channels.generic.websocket",
    "django.contrib.admindocs.views",
    "django.core.asgi",
    "django.db.backends.postgresql.base",
    "drf_spectacular.utils",
    "httpx",
    "jwt",
    "kombu.transport.redis",
    "psycopg_pool",
    "structlog",
    "uvicorn.protocols.http.httptools_impl",
    "whitenoise.middleware",
)
"""What web processes and workers import, as far as it asks for no setting when it is imported."""
PURE = ("kernel", "domain", "ports", "engine")


@dataclass(frozen=True, slots=True)
class Start:
    """What a process runs: `python -m` of a module, its output added to a file."""

    module: str
    arguments: list[str]
    folder: str
    output: str
    environment: dict[str, str]

    def line(self) -> bytes:
        """Write it as a line."""
        return json.dumps(asdict(self)).encode() + b"\n"


def main(path: str) -> None:
    """Serve until standard input is closed; in a process that was forked, become what was asked for."""
    import_all()
    start = serve(path)
    if start is not None:
        runpy.run_module(start.module, run_name="__main__", alter_sys=True)


def import_all() -> None:
    """Import what processes need, and leave it out of their collections."""
    for name in LIBRARIES:
        importlib.import_module(name)
    for part in PURE:
        package = importlib.import_module(f"migrations_app.{part}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()


def serve(path: str) -> Start | None:
    """Fork for everybody who asks; gives what is to be run in the process that was forked, None at the end."""
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    callers: dict[int, socket.socket] = {}
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        while True:
            ready, _, _ = select.select([0, woken, listener], [], [])
            if 0 in ready:
                return None
            if woken in ready:
                os.read(woken, 4096)
                tell_ended(callers)
            if listener in ready:
                caller, _ = listener.accept()
                start = Start(**json.loads(caller.makefile("rb").readline()))
                pid = os.fork()
                if pid == 0:
                    signal.set_wakeup_fd(-1)
                    for each in (woken, wake):
                        os.close(each)
                    for other in callers.values():
                        other.close()
                    break
                callers[pid] = caller
    become(start, caller)
    return start


def tell_ended(callers: dict[int, socket.socket]) -> None:
    """Tell of every process that has ended what it ended with."""
    while callers:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with callers.pop(pid) as caller:
            try:
                caller.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
            except OSError:  # the client has gone
                continue


def become(start: Start, caller: socket.socket) -> None:
    """Be as a process that was started from nothing: a session, signals, output, folder and environment of its own."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    output = os.open(start.output, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    for each in (nothing, output):
        os.close(each)
    os.chdir(start.folder)
    os.environ.clear()
    os.environ.update(start.environment)
    sys.argv = [start.module, *start.arguments]
    with caller:
        caller.sendall(b"%d\n" % os.getpid())


if __name__ == "__main__":
    main(sys.argv[1])

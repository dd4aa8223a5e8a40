"""Forks processes of the product from one that has imported what all of them need: from nothing each takes 3 s of a core.

`python -u -m console.embedded.fork_server` reads packets from a socket, which is its standard input: each is a `Start`, with a
socket whose reader gets a line with the id of a process that runs the module, and another, once it has ended, with what
it ended with. The first packet that it sends says that all is imported. It ends when the socket is closed, and what it forked
gets SIGTERM then. It has one thread and no connection; each process reads the settings anew, from an environment of its own.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.cache import caches
from django.db import connections
from django.utils.functional import empty

from console.embedded.child import die_with_parent
from console.embedded.forked import ROOM, Start

SETTINGS = "console.settings"
IMPORTED = (
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.backends.base",
    "celery.bin.celery",
    "celery.concurrency.thread",
    "celery.contrib.django.task",
    "celery.fixups.django",
    "celery_worker.broker",
    "celery_worker.queues",
    "channels.generic.websocket",
    "console.grpc_server",
    "console.http_protocol",
    "console.proxies",
    "console.request_threads",
    "console.urls",
    "console.web_server",
    "django.core.asgi",
    "django.core.cache.backends.locmem",
    "django.db.backends.postgresql.base",
    "kombu.transport.redis",
    "migrations_app.adapters.leases.notifications",
    "migrations_app.control.registry.own_registration",
    "migrations_app.engine.worker",
    "migrations_app.live.routing",
    "migrations_app.meta_api.grpc_server.server",
    "migrations_app.resource_api.app",
    "psycopg_pool",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.auto",
)
"""What web, gRPC, workers and beat import. `console.asgi` and `celery_worker.app` are not here: they begin to serve."""
ARGUMENTS_FROM, ARGUMENTS_TO = 45, 46
"""Where `/proc/PID/stat`, behind the name, has the addresses between which the command line lies."""


def main() -> None:
    """Serve until the socket is closed; in a process that was forked, become what was asked for."""
    import_all()
    start = serve(socket.socket(fileno=0))
    if start is not None:
        runpy.run_module(start.module, run_name="__main__", alter_sys=True)


def import_all() -> None:
    """Import what processes need, and leave it out of their collections."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS)
    django.setup()
    for name in (*IMPORTED, *(path.rpartition(".")[0] for path in settings.MIDDLEWARE)):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def serve(control: socket.socket) -> Start | None:
    """Fork for every packet; gives what is to be run in the process that was forked, None at the end."""
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    readers: dict[int, socket.socket] = {}
    control.send(b"ready")
    while True:
        ready, _, _ = select.select([woken, control.fileno()], [], [])
        if woken in ready:
            os.read(woken, 4096)
            say_ended(readers)
        if control.fileno() in ready:
            packet, given, _, _ = socket.recv_fds(control, 1 << 20, 2)
            if not packet:
                return None
            reader = socket.socket(fileno=given[0])
            start, own = Start(**json.loads(packet)), os.getpid()
            pid = os.fork()
            if pid == 0:
                break
            readers[pid] = reader
            for each in given[1:]:
                os.close(each)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    control.detach()  # its number becomes that of nothing to read, below
    for each in (woken, wake, *(other.detach() for other in readers.values())):
        os.close(each)
    become(start, reader, given[1:], own)
    return start


def say_ended(readers: dict[int, socket.socket]) -> None:
    """Say of every process that has ended what it ended with."""
    while readers:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with readers.pop(pid) as reader:
            try:
                reader.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
            except OSError:  # its reader has gone
                continue


def become(start: Start, reader: socket.socket, sockets: list[int], parent: int) -> None:
    """Be as a process that was started from nothing: session, output, folder, environment, settings of its own."""
    os.setsid()
    die_with_parent()
    if os.getppid() != parent:  # it ended before this was said
        os._exit(1)
    with reader:
        try:
            reader.sendall(b"%d\n" % os.getpid())
        except OSError:  # the asking process has given up, and may have started another
            os._exit(1)
    output = os.open(start.output, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in (
        (nothing, 0),
        (output, 1),
        (output, 2),
        *((each, start.listening) for each in sockets),
    ):
        os.dup2(source, target)
    for each in {nothing, output, *sockets} - {start.listening}:
        os.close(each)
    os.chdir(start.folder)
    os.environ.clear()
    os.environ.update(start.environment)
    sys.argv = [start.module, *start.arguments]
    show_command([sys.executable, "-m", *sys.argv])
    forget_settings()


def forget_settings() -> None:
    """Have the settings read from the environment as it is now, when they are next asked for."""
    sys.modules.pop(SETTINGS, None)
    settings._wrapped = empty
    for handler in (connections, caches):  # a connection that is not open yet has settings as well
        vars(handler).clear()
        vars(handler).update(vars(type(handler)()))


def show_command(command: list[str]) -> None:
    """Let `ps` show the command that runs here, where the command of the process that forked stands."""
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    first, last = int(fields[ARGUMENTS_FROM]), int(fields[ARGUMENTS_TO])
    if last - first > ROOM:
        shown = "\0".join(command).encode()[: last - first - 1]
        ctypes.memmove(first, shown.ljust(last - first, b"\0"), last - first)


if __name__ == "__main__":
    main()

"""Workers without a broker, which take every due key in turn as Celery's would, until they are ended or killed.

`python -m tests.acceptance.crew SOCKET` waits at a socket: a process that connects and sends a line,
`[CONTROLLER]:FAILPOINTS`, gets a worker forked for them, its process id in one line, and in another one, once it has
ended, what it ended with.
Starting a worker from nothing takes a second or two, and these die by the dozen.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
django.setup()

from migrations_app import wiring  # noqa: E402
from migrations_app.engine.controller import Terms, reconcile  # noqa: E402
from migrations_app.kernel import failpoints  # noqa: E402
from tests.factories.due_keys import keys_due  # noqa: E402

TERMS = Terms(budget_seconds=1.0, lease_seconds=2.0)
CONTROLLERS = ("switch", "sync", "parity")


def main(path: str) -> None:
    """Fork a worker for everybody who asks. Nothing is opened here that a fork must not share."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        while True:
            caller, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                attend(caller)
            caller.close()


def attend(caller: socket.socket) -> None:
    """Have one worker, and tell how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    only, _, fail = caller.makefile().readline().strip().partition(":")
    worker = os.fork()
    if worker == 0:
        caller.close()
        failpoints.arm(fail)
        work_all((only,) if only else CONTROLLERS)
    caller.sendall(f"{worker}\n".encode())
    _, status = os.waitpid(worker, 0)
    caller.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def work_all(names: Sequence[str]) -> None:
    """Work on these controllers' keys; copying does not wait for proving."""
    wiring.controllers()
    for name in names[1:]:
        threading.Thread(target=work, args=(name,), daemon=True).start()
    work(names[0])


def work(name: str) -> None:
    """Take the keys of one controller."""
    controller, leases, clock = wiring.controllers()[name], wiring.leases(), wiring.clock()
    holder = f"crew:{os.getpid()}:{name}"
    while True:
        for key in keys_due(controller):
            reconcile(controller, key, leases=leases, clock=clock, holder=holder, terms=TERMS)
        time.sleep(0.05)


if __name__ == "__main__":
    main(sys.argv[1])

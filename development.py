"""Runs the whole system with hot reload of both halves: `make dev`.

.venv/bin/python development.py [FOLDER …]

`manage.py up` keeps servers, web and workers running. When a Python file changes in a folder, the processes that loaded
it are ended, and `up` starts them again; the socket of the web process stays open meanwhile. Vite serves the front end
and hands requests of the API to the web process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from watchfiles import PythonFilter, watch

import bootstrap
from console.embedded.commands import COMMAND
from console.env import current_env
from tests.processes import free_port

FOLDERS = ("console", "celery_worker", "migrations_app", "switchyard_client")
RELOADED = ("forks", "web", "grpc", "worker", "switch", "notifications", "beat")


def reload(home: Path) -> None:
    """End the processes that run our code; `up` starts each again."""
    for name in RELOADED:
        with contextlib.suppress(OSError, ValueError):
            os.killpg(int((home / "run" / f"{name}.pid").read_text()), signal.SIGTERM)


def main() -> int:
    """Run until Ctrl-C."""
    folders = [str(Path(folder).resolve()) for folder in sys.argv[1:]] or [
        str(bootstrap.ROOT / f) for f in FOLDERS
    ]
    env, stop = current_env(), threading.Event()
    port, page = env.port or free_port(), free_port()
    up = subprocess.Popen(
        [*COMMAND, "up"], cwd=bootstrap.ROOT, env=os.environ | {"SWITCHYARD_PORT": str(port)}
    )
    vite = subprocess.Popen(
        [*bootstrap.node(), "run", "--silent", "dev", "--", "--port", str(page), "--strictPort"],
        cwd=bootstrap.ROOT / "frontend",
        env=os.environ | {"SWITCHYARD_URL": f"http://127.0.0.1:{port}"},
        start_new_session=True,
    )
    print(
        f"  Console with hot reload: http://localhost:{page}/   Python files that are watched: {' '.join(folders)}",
        flush=True,
    )
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    try:
        for changes in watch(*folders, watch_filter=PythonFilter(), stop_event=stop, raise_interrupt=False):
            print(f"  Reloading: {', '.join(sorted(path for _, path in changes))}", flush=True)
            reload(env.home)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(vite.pid, signal.SIGTERM)
        if up.poll() is None:
            up.send_signal(signal.SIGINT)
        vite.wait(timeout=30)
        code = up.wait(timeout=90)
    return code


if __name__ == "__main__":
    sys.exit(main())

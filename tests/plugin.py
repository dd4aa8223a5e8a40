"""Starts the servers that tests need, before Django reads its settings.

Loaded by `-p tests.plugin`, because a conftest comes too late: pytest-django reads the settings first.
Tests of the pure layers start nothing. `SWITCHYARD_TEST_HOME` names a folder whose servers are kept
running between runs, which makes a second run start at once.
"""

from __future__ import annotations

import gc
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from console.embedded.postgres import Postgres
from console.embedded.valkey import Valkey
from tests import migrated
from tests.mourner import entrust, release
from tests.recording import sitecustomize as recording
from tests.recording.logs import contents, leaks, recorded
from tests.server_folder import make_folder

PURE = ("tests/unit", "tests/architecture", "tests/simulation")
STARTED = "SWITCHYARD_TEST_SERVERS"
# How long an example takes says something about the machine alone, and a gate that tries other examples every time
# fails for changes that did nothing. `--hypothesis-profile explore` tries new ones.
hypothesis.settings.register_profile("gate", deadline=None, derandomize=True)
hypothesis.settings.register_profile("explore", deadline=None, print_blob=True)
hypothesis.settings.load_profile("gate")
_ENDINGS: list[Callable[[], None]] = []
_CAPTURED: list[tuple[str, bytes]] = []
_LEAKS: list[str] = []
SLOW_COLLECTION_SECONDS = 0.02
_SLOW_COLLECTIONS: list[str] = []
_FROZEN_WITHIN: list[str] = []
"""The tests of the present module whose collection took long: of now, and after which what they left is left out."""


def _needs_servers(args: list[str]) -> bool:
    # Not by its first letters alone: this module, which an option names, would count as a path.
    paths = [arg for arg in args if arg == "tests" or arg.startswith("tests/")]
    return not paths or not all(path.startswith(PURE) for path in paths)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(args: list[str]) -> None:
    """Start PostgreSQL and Valkey, and point this process and its children at them.

    Each xdist worker has servers of its own: a transaction held open anywhere in a cluster stalls every
    change feed of it, so tests that share one would disturb each other.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker and not _needs_servers(args):
        os.environ[STARTED] = "no"
    if os.environ.get(STARTED) == "no":
        os.environ["SWITCHYARD_HOME"] = tempfile.gettempdir() + "/switchyard-no-home"
        return
    if not worker and any(arg == "-n" or arg.startswith(("-n", "--numprocesses")) for arg in args):
        return
    kept = os.environ.get("SWITCHYARD_TEST_HOME")
    home = Path(kept) / (worker or "main") if kept else make_folder()
    home.mkdir(parents=True, exist_ok=True)
    record_secrets(home)
    start_servers(home, keep=bool(kept))


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Stop what was started."""
    while _ENDINGS:
        _ENDINGS.pop()()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish() -> None:
    """Leave out of later collections what the imports made: it stays, and a collection takes 2 ms and not 200."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """After a module's last test leave out of later collections what it imported and pytest keeps of its tests.

    After another test only where that made its collection slow; what such a module dropped since is found at its end.
    """
    try:
        return (yield)
    finally:
        is_last = nextitem is None or nextitem.path != item.path
        if is_last and _FROZEN_WITHIN:
            gc.unfreeze()
            _FROZEN_WITHIN.clear()
        if is_last or _SLOW_COLLECTIONS:
            gc.collect()
            gc.freeze()
        if not is_last:
            _FROZEN_WITHIN.extend(_SLOW_COLLECTIONS)
        _SLOW_COLLECTIONS.clear()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Find what a test left open in that test, and not in a later one that the collector happens to run in."""
    try:
        return (yield)
    finally:
        began = time.thread_time()
        gc.collect()
        if time.thread_time() - began > SLOW_COLLECTION_SECONDS:
            _SLOW_COLLECTIONS.append(item.nodeid)


def record_secrets(home: Path) -> None:
    """Have this process and all that it starts note the secrets they make, in a file of `home`."""
    record = home / "secrets"
    record.unlink(missing_ok=True)
    for log in home.glob("*.log"):  # of an earlier run in a folder that is kept: its secrets are not known
        log.write_bytes(b"")
    os.environ[recording.RECORD] = str(record)
    folders = [str(Path(recording.__file__).parent), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, folders))
    recording.install()


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep what a test's log said; what a command prints for its caller may be a secret on purpose."""
    _CAPTURED.extend(
        (f"{report.nodeid} ({title})", text.encode())
        for title, text in report.sections
        if "log" in title or "stderr" in title
    )


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Search every log of the run for every secret that it made; one that is found fails the run."""
    gc.unfreeze()
    gc.collect()
    if hasattr(session.config, "workerinput"):
        session.config.workeroutput["leaks"] = found_leaks(session.config)  # type: ignore[attr-defined]
        return
    _LEAKS.extend(found_leaks(session.config))
    for line in _LEAKS:
        print(f"\nFAILED a secret stands in a log: {line}")
    if _LEAKS and session.exitstatus in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker of pytest-xdist found."""
    _LEAKS.extend(getattr(node, "workeroutput", {}).get("leaks", []))


def found_leaks(config: pytest.Config) -> list[str]:
    """Search the logs of the servers and of all processes that tests started, and what tests logged."""
    folders = [Path(os.environ[name]).parent for name in (recording.RECORD,) if name in os.environ]
    factory = getattr(config, "_tmp_path_factory", None)
    folders += [factory.getbasetemp()] if factory is not None and folders else []
    logs = sorted({path for folder in folders for path in folder.rglob("*.log")})
    captured, _CAPTURED[:] = [*_CAPTURED], []
    return leaks([*captured], recorded()) + leaks(contents(logs), recorded())


def start_servers(home: Path, *, keep: bool) -> None:
    """Start (or find running) both servers in `home` and publish their addresses in the environment."""
    postgres = Postgres(home / "postgres", fast_and_loose=True)
    valkey = Valkey(home / "valkey")
    migrated.create(postgres)
    children: list[subprocess.Popen[bytes]] = []
    if not (keep and postgres.pid()):
        children.append(postgres.start(home / "postgres.log"))
        postgres.wait_ready(children[-1])
    if not (keep and valkey.pid()):
        children.append(valkey.start(home / "valkey.log"))
        valkey.wait_ready(children[-1])
    migrated.ensure(postgres)
    for child in children if keep else []:
        child.returncode = 0  # left running on purpose: Popen need not warn of it
    if not keep:
        for child in children:
            entrust(child.pid)
        _ENDINGS.append(partial(_stop, children, home, os.getpid()))
    recording.note(postgres.password)
    os.environ.update(
        {
            "SWITCHYARD_HOME": str(home / "home"),
            "DATABASE_URL": postgres.url("switchyard"),
            "REDIS_URL": valkey.url(0),
            "SWITCHYARD_TEST_POSTGRES": str(home / "postgres"),
            "SWITCHYARD_TEST_VALKEY": str(home / "valkey"),
            "SWITCHYARD_SECRET_KEY": secrets.token_urlsafe(48),
            "SWITCHYARD_HOSTS": "localhost,127.0.0.1,testserver",
            "SWITCHYARD_DATA_URLS": f"default={postgres.url('postgres')}",
            "SWITCHYARD_LOG_LEVEL": "WARNING",
            # Receivers of tests listen on this machine.
            "SWITCHYARD_EGRESS_NETWORKS": "127.0.0.0/8",
        }
    )


def _stop(children: list[subprocess.Popen[bytes]], home: Path, owner: int) -> None:
    if os.getpid() != owner:
        return
    for child in children:
        child.send_signal(signal.SIGQUIT if child is children[0] else signal.SIGTERM)
    for child in children:
        child.wait(timeout=60)
        release(child.pid)
    shutil.rmtree(home, ignore_errors=True)

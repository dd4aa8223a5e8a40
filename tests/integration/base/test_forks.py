"""Processes that are forked from one that has imported what they need are as those that are started from nothing."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from console.embedded import commands
from console.embedded.forked import Forked, ForkServer
from console.env import ROOT
from tests.forks import start_process
from tests.processes import free_port

SERVER = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1"]


def test_its_output_and_what_it_ends_with_are_known(tmp_path: Path) -> None:
    given, output = tmp_path / "given.json", tmp_path / "log"
    output.write_text("before\n")
    for text, code in (('{"a": 1}', 0), ("{", 1)):
        given.write_text(text)
        command = [sys.executable, "-m", "json.tool", "--compact", str(given)]
        process = start_process(command, ROOT, os.environ, output)
        assert isinstance(process, Forked)
        assert process.wait(60) == process.poll() == process.returncode == code
    before, printed, *_ = output.read_text().splitlines()
    assert (before, printed) == ("before", '{"a":1}')


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_it_and_all_of_its_group(tmp_path: Path, number: signal.Signals) -> None:
    process = start_process([*SERVER, str(free_port())], ROOT, os.environ, tmp_path / "log")
    assert isinstance(process, Forked)
    assert (process.poll(), os.getpgid(process.pid), os.getsid(process.pid)) == (
        None,
        process.pid,
        process.pid,
    )
    os.killpg(process.pid, number)
    assert process.wait(60) == -number


def test_a_variable_that_an_import_may_have_read_has_it_started_from_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "json.tool", "--help"]
    own = start_process(command, ROOT, os.environ | {"SWITCHYARD_PORT": "1"}, tmp_path / "log")
    other = start_process(command, ROOT, os.environ | {"OTEL_SDK_DISABLED": "true"}, tmp_path / "log")
    assert [isinstance(each, Forked) for each in (own, other)] == [True, False]
    assert (own.wait(60), other.wait(60)) == (0, 0)
    elsewhere = start_process(command, tmp_path, os.environ, tmp_path / "log")
    assert (isinstance(elsewhere, Forked), elsewhere.wait(60)) == (False, 0)


def test_nothing_of_the_settings_of_the_one_that_forked_it_is_left(tmp_path: Path) -> None:
    log, key = tmp_path / "log", "k" * 40
    password = urlsplit(os.environ["DATABASE_URL"]).password
    assert password
    theirs = [password, os.environ["SWITCHYARD_SECRET_KEY"], os.environ["REDIS_URL"]]
    environment = os.environ | {
        "DATABASE_URL": "postgresql://one:secret@localhost/other",
        "REDIS_URL": "redis://localhost:1/7",
        "SWITCHYARD_SECRET_KEY": key,
        "SWITCHYARD_DATA_URLS": "default=postgresql:///other",
    }
    command = [sys.executable, "-m", "tests.factories.kept_settings", *(each[::-1] for each in theirs)]
    process = start_process(command, ROOT, environment, log)
    assert process.wait(120) == 0, log.read_text()
    assert json.loads(log.read_text()) == {
        "had_views": True,
        "own": [key, "other", "redis://localhost:1/7"],
        "left": [],
    }


def test_its_command_is_shown_and_a_socket_that_was_handed_over_is_its_own(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        command, environment = (
            commands.web_on(listening.fileno()),
            os.environ | {"DJANGO_SETTINGS_MODULE": "console.settings"},
        )
        server = ForkServer(tmp_path / "forks.log", environment)
        try:
            process = server.start(
                command, log, environment, listening=listening.fileno(), patience_seconds=120.0
            )
            assert process is not None, (tmp_path / "forks.log").read_text()
            shown = Path(f"/proc/{process.pid}/cmdline")
            with urllib.request.urlopen(
                f"http://127.0.0.1:{listening.getsockname()[1]}/healthz", timeout=120
            ) as answer:
                assert answer.status == 200
            assert shown.read_bytes().rstrip(b"\0").decode().split("\0") == command
            os.kill(server.process.pid, signal.SIGKILL)
            # It ends with the process that forked it, which forks nothing any more.
            assert process.wait(60) == -signal.SIGTERM
            assert server.start(command, log, environment) is None
        finally:
            server.close()

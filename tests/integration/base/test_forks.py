"""Processes that are forked from one that has imported what they need are as those that are started from nothing."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from console.env import ROOT
from tests.forks import Forked, start_process
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

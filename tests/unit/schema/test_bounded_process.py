"""A foreign program gets no environment, no network, and no more memory, space or output than it may have."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from migrations_app.domain.schema.loaders import bounded_process
from migrations_app.domain.schema.loaders.bounded_process import run_bounded


def test_a_program_inherits_no_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWITCHYARD_SECRET_KEY", "canary")

    result = run_bounded(["/usr/bin/env"], tmp_path)

    names = {line.partition("=")[0] for line in result.errors.splitlines()}
    assert result.code == 0
    assert names <= {"PWD", "OLDPWD", "SHLVL", "_"}


def test_a_program_has_no_network_where_the_system_allows_it(tmp_path: Path) -> None:
    if not bounded_process._without_network():
        pytest.skip("this system has no user namespaces")

    result = run_bounded(["/bin/cat", "/proc/net/dev"], tmp_path)

    assert [line.split(":")[0].strip() for line in result.errors.splitlines()[2:]] == ["lo"]


@pytest.mark.parametrize(
    "program",
    [
        "b = bytearray(3 << 30)",
        "while True: print('x' * 65536)",
        "open('big', 'wb').truncate(1 << 40)",
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass",
    ],
    ids=["memory", "output", "file", "time"],
)
def test_a_program_that_takes_too_much_fails(tmp_path: Path, program: str) -> None:
    result = run_bounded([sys.executable, "-I", "-S", "-c", program], tmp_path)

    assert result.code != 0
    assert len(result.errors) <= bounded_process.SHOWN_BYTES
    assert all(path.stat().st_size <= 512 * bounded_process.FILE_BLOCKS for path in tmp_path.iterdir())


def test_a_program_that_waits_for_ever_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_process, "TIMEOUT_SECONDS", 0.2)

    with pytest.raises(TimeoutError):
        run_bounded([sys.executable, "-I", "-S", "-c", "import time; time.sleep(3600)"], tmp_path)


def test_arguments_are_never_read_by_the_shell(tmp_path: Path) -> None:
    run_bounded(
        ["/bin/echo", "$(touch canary)", "; touch canary", "`touch canary`", "\ntouch canary"], tmp_path
    )

    assert list(tmp_path.iterdir()) == []

"""Long commands draw their progress on a terminal, on standard error, and write nothing of it elsewhere."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SECRETS = str(ROOT / "examples" / "secrets")


def swy(*arguments: str, terminal: bool) -> tuple[int, str, str]:
    """Run `swy schema` as a process; tell its exit code, its output, and what it wrote on standard error."""
    command = [sys.executable, "-m", "console.cli", "schema", *arguments]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "160"}
    if not terminal:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=theirs, text=True
    ) as process:
        os.close(theirs)
        drawn = bytearray()
        try:
            while part := os.read(ours, 65536):
                drawn += part
        except OSError:
            pass  # the other end is closed: the process has ended
        assert process.stdout is not None
        output = process.stdout.read()
    os.close(ours)
    return process.returncode, output, drawn.decode(errors="replace")


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_check_that_is_stopped_says_what_holds_so_far(stop: signal.Signals, code: int) -> None:
    """The process cannot end before the signal: it waits until the test has read what it draws."""
    people = ROOT / "examples" / "person"
    command = [sys.executable, "-m", "console.cli", "schema", "verify", str(people), "--law", "L1"]
    command += ["--hooks", str(people / "hooks.py"), "--documents", "5000"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "160"},
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        # A shell starts what runs in its background with SIGINT ignored, and that would be passed on to this process.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        os.close(theirs)
        drawn, seen = bytearray(), ""
        try:
            while part := os.read(ours, 65536):
                drawn += part
                if not seen and (step := re.search(rb" ([2-9])/20", drawn)):
                    seen = step[1].decode()
                    process.send_signal(stop)
        except OSError:
            pass  # the other end is closed: the process has ended
        assert process.stdout is not None
        output = " ".join(process.stdout.read().split())
    os.close(ours)

    assert process.returncode == code
    found = re.match(
        r"Stopped after (\d+) of 20 type and version pairs; of the rest nothing is known\.", output
    )
    assert found is not None, output
    # The step that is drawn is the one that runs.
    assert int(seen) - 1 <= int(found[1]) < 20
    assert (
        f"So far: 1 laws, {found[1]} type and version pairs, {int(found[1]) * 5000} checks: all hold."
        in output
    )


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        (("verify", SECRETS, "--count", "1"), "Checking"),
        (("propose", SECRETS), "Proposing"),
        (("compat", SECRETS, "v1alpha2", "v1"), "Comparing"),
    ],
)
def test_progress_is_drawn_on_a_terminal_only(arguments: tuple[str, ...], title: str) -> None:
    code, output, drawn = swy(*arguments, terminal=True)
    plain = swy(*arguments, terminal=False)

    assert title in drawn
    assert title not in output
    assert plain == (code, output, "")

"""Failpoints strike at the visit they are armed for, and nowhere else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import Busy, Invalid


@pytest.fixture(autouse=True)
def _disarmed() -> Iterator[None]:
    yield
    failpoints.arm("")


def test_an_armed_failpoint_strikes_at_its_visit_only() -> None:
    failpoints.arm("flip.before:raise@2")
    failpoints.reach("flip.before")
    failpoints.reach("flip.after")
    with pytest.raises(Busy, match=r"flip\.before"):
        failpoints.reach("flip.before")
    failpoints.reach("flip.before")


def test_exit_ends_the_process_as_a_kill_would() -> None:
    code = (
        "from migrations_app.kernel import failpoints\n"
        "failpoints.arm('x:exit')\n"
        "try:\n    failpoints.reach('x')\nfinally:\n    print('finally')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (137, "")


@pytest.mark.parametrize("text", ["flip", "flip:explode", "flip:raise@x"])
def test_a_failpoint_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        failpoints.arm(text)

"""Who waits for a process to end is told of it, and does not ask over and over."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from console.embedded.child import ended


class Counted(subprocess.Popen[bytes]):
    """A process that counts how often it was asked whether it has ended."""

    asked = 0

    def poll(self) -> int | None:
        self.asked += 1
        return super().poll()


@pytest.mark.skipif(sys.platform != "linux", reason="Other systems cannot tell of the end of a process.")
def test_a_process_that_runs_is_asked_once_and_one_that_ended_gives_its_code() -> None:
    process = Counted(
        [sys.executable, "-c", "import sys; sys.stdin.read(); sys.exit(3)"], stdin=subprocess.PIPE
    )

    async def wait() -> tuple[int, int]:
        waiting = asyncio.create_task(ended(process))
        await asyncio.sleep(0.5)
        before = process.asked
        assert process.stdin is not None
        process.stdin.close()
        return before, await asyncio.wait_for(waiting, 60)

    assert asyncio.run(wait()) == (1, 3)


def test_a_process_that_has_ended_before_is_known_at_once() -> None:
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(4)"])
    process.wait(60)
    assert asyncio.run(ended(process)) == 4

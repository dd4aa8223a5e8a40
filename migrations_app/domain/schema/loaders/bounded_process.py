"""One foreign program, run with bounds on time, memory and output, without environment, input or network."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import BinaryIO

TIMEOUT_SECONDS = 60
CPU_SECONDS = 60
MEMORY_KIB = 2_000_000
FILE_BLOCKS = 131_072
"""64 MiB in blocks of 512 bytes: no file that the program writes, its messages included, may be longer."""
SHOWN_BYTES = 1_000_000

# The shell sets the limits that it has and then becomes the program; no argument is ever read as a command.
_LIMITS = (
    f"ulimit -t {CPU_SECONDS} 2>/dev/null; ulimit -v {MEMORY_KIB} 2>/dev/null; "
    f'ulimit -f {FILE_BLOCKS} 2>/dev/null; ulimit -c 0 2>/dev/null; exec "$@"'
)


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """How a program ended: its exit code (negative: the signal) and what it wrote to standard error, cut."""

    code: int
    errors: str

    @property
    def is_out_of_bounds(self) -> bool:
        """Tell whether a bound of time, memory or output ended it."""
        return self.code in (-signal.SIGXCPU, -signal.SIGXFSZ, -signal.SIGKILL)


def run_bounded(command: list[str], folder: Path) -> ProcessResult:
    """Run a program in a folder and wait for it.

    The program gets no variables of this process, which hold passwords and keys, and where the system allows
    it (Linux with user namespaces) a network of its own without any interface.

    Raises: TimeoutError after 60 s; the program is killed by then.
    """
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [*_without_network(), "/bin/sh", "-c", _LIMITS, "sh", *command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
            env={},
            close_fds=True,
            start_new_session=True,
        )
        try:
            code = process.wait(timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"The program did not end within {TIMEOUT_SECONDS} s.") from error
        finally:
            process.kill()
            process.wait()
        return ProcessResult(code, _read(output))


@cache
def _without_network() -> tuple[str, ...]:
    """Give the start of a command that leaves the network; nothing where the system does not offer it."""
    program = shutil.which("unshare", path="/usr/bin:/bin")
    if program is None:
        return ()
    start = (program, "--user", "--net")
    probe = subprocess.run([*start, "/bin/true"], capture_output=True, env={}, check=False)
    return start if probe.returncode == 0 else ()


def _read(output: BinaryIO) -> str:
    output.seek(0)
    return output.read(SHOWN_BYTES).decode(errors="replace")

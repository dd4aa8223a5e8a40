"""`swy` in this process, as one account: starting an interpreter for each command takes seconds."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from console.cli.main import main


@dataclass(frozen=True)
class Done:
    """What a command came to."""

    returncode: int
    stdout: str
    stderr: str


class Swy:
    """The command line as one account."""

    def __init__(self, url: str, token: str) -> None:
        self.environment = {"SWITCHYARD_URL": url, "SWITCHYARD_TOKEN": token, "NO_COLOR": "1"}

    def run(self, *words: str, stdin: str = "") -> Done:
        """Run a command, with what standard input gives it."""
        out, err, code = io.StringIO(), io.StringIO(), 0
        with (
            patch.dict(os.environ, self.environment),
            patch.object(sys, "argv", ["swy", *words]),
            patch.object(sys, "stdin", io.StringIO(stdin)),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            try:
                main()
            except SystemExit as left:
                code = int(left.code or 0)
        return Done(code, out.getvalue(), err.getvalue())

    def __call__(self, *words: str, expect: int = 0) -> str:
        """Run a command, check what it exits with, give what it printed."""
        done = self.run(*words)
        assert done.returncode == expect, done.stdout + done.stderr
        return done.stdout + done.stderr

    def lines(self, *words: str) -> list[dict[str, object]]:
        """Run a command that prints lines of JSON."""
        return [json.loads(line) for line in self(*words).splitlines()]

    def told(self, *words: str) -> Any:
        """Run a command, and read the first line of JSON."""
        return json.loads(self(*words).splitlines()[0])

"""The entrance of `swy`: answers what needs nothing itself, and imports the rest when it is asked for."""

from __future__ import annotations

import sys

from console.cli.command_table import VERSION, help_text


def main() -> None:
    """Run a command; `--version` and the help import neither commands nor libraries."""
    words = sys.argv[1:]
    if words == ["--version"]:
        print(f"swy {VERSION}")
    elif words in ([], ["--help"]):
        print(help_text())
    else:
        from console.cli.application import run

        sys.exit(run())

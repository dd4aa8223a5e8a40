"""The progress of long commands: drawn on standard error where that is a terminal, else nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from console.cli.output import errors

Step = Callable[[str], None]
"""Says what is done now; each call is one step."""


@contextmanager
def progress(title: str, total: int | None = None) -> Iterator[Step]:
    """Draw how far a command is, out of `total` steps if that is known; it goes when the command ends."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors.console, transient=True) as bar:
        task = bar.add_task(title, total=total)

        def _step(text: str) -> None:
            bar.update(task, description=f"{title}: {text}", advance=1)

        yield _step

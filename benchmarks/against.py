"""Runs benchmarks of this checkout and of another commit in turn, and tells the ratio of every figure that both print.

`make bench ARGS="switch copying --against main~20 --rounds 3"`; `demo` is the demo.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from statistics import median

from console.env import ROOT

NUMBER = re.compile(r"(?<![\w.])\d[\d_,]*(?:\.\d+)?")
DEMO = "demo"
"""Not a benchmark, but it tells the phases and rates of its upgrades as well."""
INSTALLED = (".venv", "frontend/node_modules", "frontend/dist", "examples/*/protos")
"""Both run with what is installed and built here: only the code of the product and of the benchmarks differs."""

Figures = dict[str, list[float]]


def compare(names: Sequence[str], options: Sequence[str], commit: str, rounds: int) -> bool:
    """Run each benchmark so many times in both checkouts, turn by turn, and print the ratios; tell whether all ended well."""
    well = True
    with checkout(commit) as there:
        for name in names:
            said: dict[Path, list[str]] = {there: [], ROOT: []}
            for number in range(rounds):
                # Whichever is first finds other caches: they take turns at that, too.
                for tree in (there, ROOT) if number % 2 == 0 else (ROOT, there):
                    program = ["manage.py", "demo"] if name == DEMO else ["-m", "benchmarks", name]
                    command = [sys.executable, *program, *options]
                    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, text=True, check=False)
                    well = well and done.returncode == 0
                    said[tree].append(done.stdout)
            print(
                "\n".join([f"\n{name}, here beside {commit}", *ratios(said[there], said[ROOT])]), flush=True
            )
    return well


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Give a folder with the files of a commit, and what is installed here.

    Raises: CalledProcessError where there is no such commit.
    """
    with tempfile.TemporaryDirectory(prefix="switchyard-against-") as folder:
        tree = Path(folder) / "checkout"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            for here in chain.from_iterable(ROOT.glob(pattern) for pattern in INSTALLED):
                there = tree / here.relative_to(ROOT)
                if not there.exists():
                    there.symlink_to(here.resolve())
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def ratios(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Write a line for each line that both print, with the ratios of its figures: the medians here by those there."""
    earlier, later = figures_of(before), figures_of(after)
    lines = [
        f"{key.replace('#', '{}').format(*(_ratio(one, other) for one, other in zip(old, new, strict=True)))}"
        for key, old in earlier.items()
        if (new := later.get(key)) is not None and len(new) == len(old)
    ]
    return lines or ["nothing that both print has figures"]


def figures_of(outputs: Sequence[str]) -> Figures:
    """Give the medians of the figures of each line, by its text with # for each of them.

    Shape: a line that comes again in one output is numbered, and its key ends in how many came before it.
    """
    series: dict[str, list[list[float]]] = {}
    for output in outputs:
        seen: dict[str, int] = {}
        for line in output.splitlines():
            numbers = [float(re.sub(r"[_,]", "", number)) for number in NUMBER.findall(line)]
            if numbers:
                text = NUMBER.sub("#", line.replace("{", "(").replace("}", ")")).rstrip()
                key = f"{text}{' ' * seen.get(text, 0)}"
                seen[text] = seen.get(text, 0) + 1
                series.setdefault(key, []).append(numbers)
    return {key: [median(each) for each in zip(*rows, strict=True)] for key, rows in series.items()}


def _ratio(before: float, after: float) -> str:
    if before == after:
        return "="
    return f"×{after / before:.2f}" if before else "from 0"

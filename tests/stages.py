"""Runs the tests in stages and sums them up: `python -m tests.stages [stage …]`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import bootstrap
from tests import chromium

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
NO_TESTS = 5
NO_CHROMIUM = """\
There is no Chromium on this machine, and the one of the registry runs on Linux on x86-64 alone, so the browser tests
cannot run. Install Chromium, or run the other stages alone: make test STAGES="{others}"."""
# Long tests that mostly wait: two at a time, each worker given its next when it is free.
ONE_BY_ONE = ("-n", "2", "--maxschedchunk", "1")
# It computes and nothing else: it runs beside the others with what they leave of the processors, and is shown at the end.
BESIDE = "models"
NICE = ("nice", "-n", "19")
COUNTED = re.compile(r"(\d+) (passed|failed|error)")
FAILED = ("FAILED ", "ERROR ")
# So wide that pytest names a failed test and why it failed in one line.
COLUMNS = "200"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one stage went."""

    stage: str
    code: int
    seconds: float
    passed: int
    failed: int
    told: tuple[str, ...] = ()
    """What failed, a line each, with the first line of why."""


def pytest_of(folder: str, *options: str) -> list[list[str]]:
    """Run the tests of one folder, and name the slowest."""
    return [[str(BIN / "pytest"), "-q", f"tests/{folder}", "--durations", "10", *options]]


STAGES: dict[str, list[list[str]]] = {
    "lint": [
        [str(BIN / "ruff"), "check", "."],
        [str(BIN / "ruff"), "format", "--check", "-q", "."],
    ],
    "types": [[str(BIN / "mypy")]],
    "floors": [[str(BIN / "lint-imports")], *pytest_of("architecture", "-n", "2")],
    "unit": pytest_of("unit", "-n", "2"),
    "fuzz": pytest_of("fuzz"),
    "contract": pytest_of("contract", "-n", "2"),
    "simulation": pytest_of("simulation"),
    # Where spin is not installed the models are not checked; CI installs it.
    "models": [[str(ROOT / "docs/models/check_all.sh")]] if shutil.which("spin") else [],
    # Most of them wait for processes now and then: two at work keep two processors busy only with a third beside them.
    "integration": pytest_of("integration", "-n", "3", "--dist", "loadscope"),
    "acceptance": pytest_of("acceptance", *ONE_BY_ONE),
    "browser": pytest_of("browser", *ONE_BY_ONE),
    "front-end": [["npm", "run", "--silent", "check"]],
}


def run_stage(stage: str, say: Callable[[str], None], *first: str) -> Outcome:
    """Run one stage, its output as it comes; count what pytest or vitest say.

    Shape: `first` goes before each command, such as `nice`.
    """
    say(f"\n━━ {stage} " + "━" * (70 - len(stage)) + "\n")
    if stage == "browser" and not chromium.program():
        say(NO_CHROMIUM.format(others=" ".join(each for each in STAGES if each != stage)) + "\n")
        return Outcome(stage, 1, 0.0, 0, 0)
    began, code, passed, failed = time.monotonic(), 0, 0, 0
    told: list[str] = []
    folder = ROOT / "frontend" if stage == "front-end" else ROOT
    for command in STAGES[stage]:
        process = subprocess.Popen(
            [*first, *([*bootstrap.node(), *command[1:]] if command[0] == "npm" else command)],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "COLUMNS": COLUMNS},
        )
        assert process.stdout is not None
        last = ""
        for line in process.stdout:
            say(line)
            if COUNTED.search(line):
                last = line
            if line.startswith(FAILED):
                told.append(line.rstrip())
        ended = process.wait()
        for count, word in COUNTED.findall(last):
            passed, failed = (
                (passed + int(count), failed) if word == "passed" else (passed, failed + int(count))
            )
        code = code or (0 if ended == NO_TESTS else ended)
    # Named once more after the count: what keeps only a part of a long output keeps these lines together.
    say("".join(f"{line}\n" for line in told))
    return Outcome(stage, code, time.monotonic() - began, passed, failed, tuple(told))


def run(wanted: list[str]) -> list[Outcome]:
    """Run stages one after the other, and the one that only computes beside them."""
    say = partial(print, end="", flush=True)
    if BESIDE not in wanted or len(wanted) == 1:
        return [run_stage(stage, say) for stage in wanted]
    with ThreadPoolExecutor(1) as pool:
        kept: list[str] = []
        beside: Future[Outcome] = pool.submit(run_stage, BESIDE, kept.append, *NICE)
        outcomes = [run_stage(stage, say) for stage in wanted if stage != BESIDE]
        last = beside.result()
    say("".join(kept))
    return [*outcomes, last]


def main() -> int:
    """Run the stages named, or all; the exit code is 1 if any failed."""
    wanted = sys.argv[1:] or list(STAGES)
    unknown = [stage for stage in wanted if stage not in STAGES]
    if unknown:
        print(f"There is no stage {unknown[0]!r}; choose from: {', '.join(STAGES)}.", file=sys.stderr)
        return 2
    outcomes = run(wanted)
    print(f"\n{'stage':<12}  {'':<6}  {'seconds':>7}  {'passed':>6}  {'failed':>6}")
    for each in outcomes:
        verdict = "ok" if each.code == 0 else "FAILED"
        print(f"{each.stage:<12}  {verdict:<6}  {each.seconds:>7.1f}  {each.passed:>6}  {each.failed:>6}")
    told = [line for each in outcomes for line in each.told]
    print("".join(f"\n{line}" for line in told))
    broken = sum(each.code != 0 for each in outcomes)
    passed, failed = sum(each.passed for each in outcomes), sum(each.failed for each in outcomes)
    print(f"{passed} passed, {max(failed, broken)} failed")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

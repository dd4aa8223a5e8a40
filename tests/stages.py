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
# Stages that compute and hardly wait: they run beside the others with what those leave of the processors.
BESIDE = ("lint", "types", "architecture", "unit", "simulation", "front-end", "models")
NICE = ("nice", "-n", "19")
# The tests of pages wait for what is drawn, with a limit: at the lowest priority they can stand still for longer than it.
LESS_NICE = {"front-end": ("nice", "-n", "4")}
# The browser tests come first: they leave half of the processors to the stages that compute, which would have nothing
# left to do by the end. The other one waits for processes that were killed and for leases that end: it runs beside the
# other tests of servers.
FIRST, WAITING = "browser", "acceptance"
COUNTED = re.compile(r"(\d+) (passed|failed|error)")
FAILED = ("FAILED ", "ERROR ", " FAIL ", "AssertionError: ", "TestingLibraryElementError: ", "Error: ")
# So wide that pytest names a failed test and why it failed in one line.
COLUMNS = "200"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one stage went."""

    stage: str
    code: int
    seconds: float
    worked: float
    """Processor seconds of the stage and of all processes it started and waited for."""
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
    "architecture": [[str(BIN / "lint-imports")], *pytest_of("architecture", "-n", "2")],
    "unit": pytest_of("unit", "-n", "2"),
    "fuzz": pytest_of("fuzz"),
    "contract": pytest_of("contract", "-n", "2"),
    "simulation": pytest_of("simulation"),
    # Where spin is not installed the models are not checked; CI installs it.
    "models": [[str(ROOT / "docs/models/check_all.sh")]] if shutil.which("spin") else [],
    # Not by the number of tests: the files that start whole systems have few, and would be left for the end.
    # Most of them wait for processes now and then: two at work keep two processors busy only with a third beside them.
    "integration": pytest_of("integration", "-n", "3", "--dist", "loadscope", "--no-loadscope-reorder"),
    "acceptance": pytest_of("acceptance", *ONE_BY_ONE),
    "browser": pytest_of("browser", *ONE_BY_ONE),
    # `bootstrap.py` has built it already, within its budget.
    "front-end": [["npm", "run", "--silent", "check:sources"]],
}


def run_stage(stage: str, say: Callable[[str], None], *first: str) -> Outcome:
    """Run one stage, its output as it comes; count what pytest or vitest say.

    Shape: `first` goes before each command, such as `nice`.
    """
    say(f"\n━━ {stage} " + "━" * (70 - len(stage)) + "\n")
    if stage == "browser" and not chromium.program():
        say(NO_CHROMIUM.format(others=" ".join(each for each in STAGES if each != stage)) + "\n")
        return Outcome(stage, 1, 0.0, 0.0, 0, 0)
    began, worked, code, passed, failed = time.monotonic(), 0.0, 0, 0, 0
    told: list[str] = []
    folder = ROOT / "frontend" if stage == "front-end" else ROOT
    for command in STAGES[stage]:
        process = subprocess.Popen(
            [*first, *([*bootstrap.node(), *command[1:]] if command[0] == "npm" else command)],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "COLUMNS": COLUMNS, "NO_COLOR": "1"},
        )
        assert process.stdout is not None
        last = ""
        for line in process.stdout:
            say(line)
            if COUNTED.search(line):
                last = line
            if line.startswith(FAILED):
                told.append(line.rstrip())
        ended, seconds = finish(process)
        worked += seconds
        for count, word in COUNTED.findall(last):
            passed, failed = (
                (passed + int(count), failed) if word == "passed" else (passed, failed + int(count))
            )
        code = code or (0 if ended == NO_TESTS else ended)
    # Named once more after the count: what keeps only a part of a long output keeps these lines together.
    say("".join(f"{line}\n" for line in told))
    return Outcome(stage, code, time.monotonic() - began, worked, passed, failed, tuple(told))


def finish(process: subprocess.Popen[str]) -> tuple[int, float]:
    """Wait for a process; give its exit code and its processor seconds."""
    assert process.stdout is not None
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def run(wanted: list[str]) -> list[Outcome]:
    """Run the browser, then the others in turn beside the one that waits; those that compute at the lowest priority.

    Shape: outcomes in the order in which the stages were named; what ran beside others is shown as a whole at its end.
    """
    say = partial(print, end="", flush=True)
    if len(wanted) == 1 or {*wanted} <= {*BESIDE}:
        return [run_stage(stage, say) for stage in wanted]
    computing = [stage for stage in wanted if stage in BESIDE]
    waiting = [stage for stage in wanted if stage == WAITING]
    with ThreadPoolExecutor(2) as pool:
        computed = pool.submit(run_lane, computing, *NICE)
        outcomes = [run_stage(stage, say) for stage in wanted if stage == FIRST]
        waited = pool.submit(run_lane, waiting)
        outcomes += [run_stage(stage, say) for stage in wanted if stage not in (*BESIDE, WAITING, FIRST)]
        outcomes += finished(waited, say)
        outcomes += finished(computed, say)
    return sorted(outcomes, key=lambda outcome: wanted.index(outcome.stage))


Lane = tuple[list[Outcome], list[str]]


def run_lane(stages: list[str], *first: str) -> Lane:
    """Run stages one after the other and keep their output."""
    kept: list[str] = []
    return [
        run_stage(stage, kept.append, *(LESS_NICE.get(stage, first) if first else ())) for stage in stages
    ], kept


def finished(lane: Future[Lane], say: Callable[[str], None]) -> list[Outcome]:
    """Wait for stages that ran beside others, and show their output."""
    outcomes, kept = lane.result()
    say("".join(kept))
    return outcomes


def main() -> int:
    """Run the stages named, or all; the exit code is 1 if any failed."""
    wanted = sys.argv[1:] or list(STAGES)
    unknown = [stage for stage in wanted if stage not in STAGES]
    if unknown:
        print(f"There is no stage {unknown[0]!r}; choose from: {', '.join(STAGES)}.", file=sys.stderr)
        return 2
    outcomes = run(wanted)
    print(f"\n{'stage':<12}  {'':<6}  {'seconds':>7}  {'worked':>7}  {'passed':>6}  {'failed':>6}")
    for each in outcomes:
        verdict = "ok" if each.code == 0 else "FAILED"
        print(
            f"{each.stage:<12}  {verdict:<6}  {each.seconds:>7.1f}  {each.worked:>7.1f}"
            f"  {each.passed:>6}  {each.failed:>6}"
        )
    told = [line for each in outcomes for line in each.told]
    print("".join(f"\n{line}" for line in told))
    broken = sum(each.code != 0 for each in outcomes)
    passed, failed = sum(each.passed for each in outcomes), sum(each.failed for each in outcomes)
    print(f"{passed} passed, {max(failed, broken)} failed")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

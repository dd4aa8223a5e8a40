"""Runs the tests in stages and sums them up: `python -m tests.stages [stage …]`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import bootstrap

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
NO_TESTS = 5
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
NO_CHROMIUM = """\
There is no Chromium on this machine, so the browser tests cannot run. Let root install it
(`apt-get install chromium`), or run the other stages alone: make test STAGES="{others}"."""
# Long tests that mostly wait: two at a time, each worker given its next when it is free.
ONE_BY_ONE = ("-n", "2", "--maxschedchunk", "1")
COUNTED = re.compile(r"(\d+) (passed|failed|error)")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one stage went."""

    stage: str
    code: int
    seconds: float
    passed: int
    failed: int


def pytest_of(folder: str, *options: str) -> list[list[str]]:
    """Run the tests of one folder, and name the slowest."""
    return [[str(BIN / "pytest"), "-q", f"tests/{folder}", "--durations", "10", *options]]


STAGES: dict[str, list[list[str]]] = {
    "lint": [
        [str(BIN / "ruff"), "check", "."],
        [str(BIN / "ruff"), "format", "--check", "-q", "."],
    ],
    "types": [[str(BIN / "mypy")]],
    "floors": [[str(BIN / "lint-imports")], *pytest_of("architecture")],
    "unit": pytest_of("unit", "-n", "2"),
    "contract": pytest_of("contract", "-n", "2"),
    "simulation": pytest_of("simulation"),
    # Where spin is not installed the models are not checked; CI installs it.
    "models": [[str(ROOT / "docs/models/check_all.sh")]] if shutil.which("spin") else [],
    "integration": pytest_of("integration", "-n", "2", "--dist", "loadscope"),
    "acceptance": pytest_of("acceptance", *ONE_BY_ONE),
    "browser": pytest_of("browser", *ONE_BY_ONE),
    "front-end": [["npm", "run", "--silent", "check"]],
}


def run_stage(stage: str) -> Outcome:
    """Run one stage, its output as it comes; count what pytest or vitest say."""
    print(f"\n━━ {stage} " + "━" * (70 - len(stage)), flush=True)
    if stage == "browser" and not CHROMIUM:
        print(NO_CHROMIUM.format(others=" ".join(each for each in STAGES if each != stage)), flush=True)
        return Outcome(stage, 1, 0.0, 0, 0)
    began, code, passed, failed = time.monotonic(), 0, 0, 0
    folder = ROOT / "frontend" if stage == "front-end" else ROOT
    for command in STAGES[stage]:
        process = subprocess.Popen(
            [*bootstrap.node(), *command[1:]] if command[0] == "npm" else command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ,
        )
        assert process.stdout is not None
        last = ""
        for line in process.stdout:
            print(line, end="", flush=True)
            if COUNTED.search(line):
                last = line
        ended = process.wait()
        for count, word in COUNTED.findall(last):
            passed, failed = (
                (passed + int(count), failed) if word == "passed" else (passed, failed + int(count))
            )
        code = code or (0 if ended == NO_TESTS else ended)
    return Outcome(stage, code, time.monotonic() - began, passed, failed)


def main() -> int:
    """Run the stages named, or all; the exit code is 1 if any failed."""
    wanted = sys.argv[1:] or list(STAGES)
    unknown = [stage for stage in wanted if stage not in STAGES]
    if unknown:
        print(f"There is no stage {unknown[0]!r}; choose from: {', '.join(STAGES)}.", file=sys.stderr)
        return 2
    outcomes = [run_stage(stage) for stage in wanted]
    print(f"\n{'stage':<12}  {'':<6}  {'seconds':>7}  {'passed':>6}  {'failed':>6}")
    for each in outcomes:
        verdict = "ok" if each.code == 0 else "FAILED"
        print(f"{each.stage:<12}  {verdict:<6}  {each.seconds:>7.1f}  {each.passed:>6}  {each.failed:>6}")
    broken = sum(each.code != 0 for each in outcomes)
    passed, failed = sum(each.passed for each in outcomes), sum(each.failed for each in outcomes)
    print(f"\n{passed} passed, {max(failed, broken)} failed")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

"""Torture on real PostgreSQL: clients that never stop, workers that die at any call, people who change their minds.

`TORTURE_RUNS` says how many seeds (40; `make torture`: 1,000), `TORTURE_FIRST` the first: `TORTURE_FIRST=17
TORTURE_RUNS=1` runs seed 17 again, with the same weather and the same wishes.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import ExitStack
from typing import Any

from console.embedded.postgres import Postgres
from tests.conftest import empty_database
from tests.processes import Children

RUNS = int(os.environ.get("TORTURE_RUNS", "40"))
FIRST = int(os.environ.get("TORTURE_FIRST", "0"))
TORTURERS = 2


def test_no_seed_loses_doubles_or_tears_anything(postgres: Postgres, children: Children) -> None:
    share = -(-RUNS // TORTURERS)
    seeds = [(at, min(at + share, FIRST + RUNS)) for at in range(FIRST, FIRST + RUNS, share)]
    with ExitStack() as stack:
        for number, (first, last) in enumerate(seeds):
            aliases = [stack.enter_context(empty_database(postgres)) for _ in range(2)]
            words = [sys.executable, "-m", "tests.acceptance.torturer", str(first), str(last), *aliases]
            children.start(f"torturer-{number}", words)
        for number, (first, last) in enumerate(seeds):
            child = children.running[f"torturer-{number}"]
            assert child.wait(timeout=300 + 60 * (last - first)) == 0, children.log(f"torturer-{number}")
    told = [each for number in range(len(seeds)) for each in lines(children.log(f"torturer-{number}"))]
    failed = [each for each in told if each["error"]]
    assert not failed, "\n".join(map(_word, failed))
    assert [each["seed"] for each in told] == list(range(FIRST, FIRST + RUNS))
    # No run may end before its story does, wherever that leads.
    assert {each["state"] for each in told} <= {"REVERSIBLE", "REVERTED", "COMPLETED", "ABORTED"}
    if RUNS >= 40:
        # The weather is rough enough to kill.
        assert sum(each["kills"] for each in told) > RUNS
        assert {each["state"] for each in told} == {"REVERSIBLE", "REVERTED", "COMPLETED", "ABORTED"}


def _word(failed: dict[str, Any]) -> str:
    """Say which seed failed, first in one line, then at length."""
    error = str(failed["error"]).strip()
    return f"seed {failed['seed']} ({', '.join(failed['goal'])}): {error.splitlines()[-1]}\n{error}"


def lines(log: str) -> list[dict[str, Any]]:
    """Read what a torturer told, a line for each seed."""
    return [json.loads(line) for line in log.splitlines() if line.startswith('{"seed"')]

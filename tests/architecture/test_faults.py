"""The table of faults is whole: every state has its cell, every name its test, every boundary its kill."""

from __future__ import annotations

import ast
import re

from console.env import ROOT
from migrations_app.domain.switch.states import FINAL, State
from tests.acceptance.test_kills import BOUNDARIES
from tests.acceptance.test_moves import BOUNDARIES as MOVING

PAGE = (ROOT / "docs/explanation/faults.md").read_text()
NOTHING = "–"
# What is interrupted by tests of its own: pruning after an upgrade, and reverse replication that begins late.
HOUSEKEEPING = {"drop.before", "drop.after", "late-reverse.registered"}


def rows(title: str) -> list[list[str]]:
    """Read the table below a heading, its head first."""
    part = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|") and "---" not in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def named_tests() -> dict[str, str]:
    """Name the tests."""
    return {name: test.strip("`") for name, test in rows("The tests")[1:]}


def test_every_state_has_a_column_and_every_fault_a_cell_in_it() -> None:
    head, *faults = rows("Faults by state")
    # Nothing happens in HALTED until a person settles it; tests/integration/upgrades/test_settling.py.
    live = [state.value for state in State if state not in FINAL and state is not State.HALTED]
    assert sorted(head[1:]) == sorted([*live, "ended"])
    assert len(faults) >= 9
    known = named_tests()
    for fault, *cells in faults:
        assert len(cells) == len(head) - 1, fault
        for cell in cells:
            assert cell == NOTHING or set(cell.split(", ")) <= known.keys(), (fault, cell)


def test_every_name_leads_to_a_test_that_is_there() -> None:
    for name, place in named_tests().items():
        path, _, function = place.partition("::")
        tree = ast.parse((ROOT / path).read_text())
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


def test_every_boundary_of_sync_and_switch_kills_a_process() -> None:
    reached: set[str] = set()
    for room in ("sync", "switch", "parity"):
        for module in (ROOT / "migrations_app/engine" / room).glob("*.py"):
            reached |= set(re.findall(r'reach\("([a-z.-]+)"\)', module.read_text()))
    assert reached - HOUSEKEEPING == BOUNDARIES | set(MOVING)

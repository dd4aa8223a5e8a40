"""Figures of how the code is organised: what is counted, and that reached goals stay reached."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.structure import modules
from tests.structure.modules import Module
from tests.structure.table import Measure, at_most, written
from tests.structure.words import REFUSED_WORDS, comparisons_in, refused_identifiers

REACHED = {
    "modules of control that cast_vote reaches",
    "modules in adapters that fill no port",
    "class names used more than once",
    "comparisons of error.code with literals",
    "folders with more than 25 modules",
    "refused words as identifiers",
    "of these, commands",
    "climbs, in all layers",
    "files for one field of an approval policy",
    "state machines with a table, and a diagram",
    "wire declarations: Structs",
    "wire declarations: serializers",
    "wire declarations: types of the front end",
    "paths under response conformance",
    "front end: folders with more than 25 modules",
    "front end: calls with hand-chosen answer types",
    "front end: upward imports",
    "front end: files in import cycles",
    "front end: hand-made tables",
    "front end: lines of tests for a line with behaviour",
    "front end: forms without the form library",
    "wiring: modules, longest",
    "modules that a resource write reaches in engine.serving",
}
"""Figures whose goal was reached once."""


@pytest.fixture(autouse=True, scope="module")
def _release() -> Iterator[None]:
    """Drop the trees of all modules afterwards: garbage is collected after each test, and they make that slow."""
    yield
    modules.modules.cache_clear()


def _module(text: str, name: str = "migrations_app.engine.example") -> Module:
    return Module(name, Path("example.py"), ast.parse(text), is_package=False)


def test_goals_that_were_reached_stay_reached() -> None:
    """In a process of its own: what it reads would be with every later test of this one."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.structure"],
        cwd=modules.ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = {re.split(r"  +", line)[0]: line for line in done.stdout.splitlines()}
    assert len(rows) == 25
    assert REACHED - rows.keys() == set()
    assert [line for name, line in rows.items() if name in REACHED and line.endswith("not reached")] == []


def test_every_figure_is_printed_with_its_goal_and_what_misses_it_by_name() -> None:
    found = [at_most("folders", ["a: 26", "b: 30"], 0), Measure("paths", "3 of 3", "all", True, ["x"])]
    assert written(found, names=True).splitlines() == [
        "measure          now     goal",
        "folders            2        0  not reached",
        "    a: 26",
        "    b: 30",
        "paths         3 of 3      all",
    ]


@pytest.mark.parametrize(
    ("imported", "found"),
    [
        (("migrations_app.engine.serving.reading", "migrations_app.kernel.json"), False),
        (("migrations_app.kernel.json", "migrations_app.engine.serving.reading"), True),
        (("migrations_app.control.access.passkeys", "migrations_app.control.upgrades.controller"), True),
        (("migrations_app.models.upgrades", "migrations_app.engine.controller"), False),
        (("migrations_app.apps", "console.settings"), True),
    ],
)
def test_an_import_into_a_higher_layer_is_a_climb(
    imported: tuple[str, str], found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = imported
    monkeypatch.setattr(modules, "imports", lambda: {source: frozenset({target})})
    assert modules.climbs() == ([imported] if found else [])


def test_a_module_reaches_what_it_imports_through_others_and_not_beyond() -> None:
    start = "migrations_app.control.approvals.commands.cast_vote"
    reached = modules.reach(start, lambda name: name.startswith("migrations_app.control."))
    assert {start, "migrations_app.control.approvals.repository.rounds"} <= reached
    assert {each.split(".")[1] for each in reached} == {"control"}
    with pytest.raises(KeyError):
        modules.reach("migrations_app.control.no_such_module", lambda _: True)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("try: f()\nexcept E as bad:\n    if bad.code == 'gone': pass", 1),
        (
            "GONE = frozenset({'a', 'b'})\ntry: f()\nexcept E as error:\n    if error.code not in GONE: pass",
            1,
        ),
        ("try: f()\nexcept E as error:\n    match error.code:\n        case 'gone': pass", 1),
        ("try: f()\nexcept E as error:\n    if error.code == Code.GONE: pass", 0),
        ("if answer.code == 'gone': pass", 0),
    ],
)
def test_comparisons_of_the_code_of_an_error_with_literals_are_counted(text: str, count: int) -> None:
    assert len(list(comparisons_in(_module(text)))) == count


def test_a_refused_word_counts_where_it_is_the_whole_name(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "class Keeper:\n    level_shards: int\ndef _told(): raise E(code='went-back')\ndef untold_stories(): ..."
    found = {"migrations_app.engine.yard": _module(text, "migrations_app.engine.yard")}
    monkeypatch.setattr("tests.structure.words.modules", lambda: found)
    assert [each.partition(": ")[2] for each in refused_identifiers()] == [
        "Keeper",
        "_told",
        "level_shards",
        "went-back",
        "yard",
    ]
    assert len(REFUSED_WORDS) == 66

"""What is wrong with an input is said by messages: a plain text would stay in English in every language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from console.env import ROOT

PLACES = (1, 2)
"""Of the arguments of a violation, its message and its remedy."""
AS_THEY_ARE = frozenset(
    {
        "compatibility/in_place/phase_definitions.py",
        "compatibility/brown_outs.py",
        "conversion/proposals/samples.py",
        "engine/methods/messages.py",
    }
)
"""Said to authors of definitions and to clients of services, who have no console."""


def plain_texts(source: str) -> Iterator[int]:
    """Find the lines of violations whose message or remedy is written out as a text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Violation":
            said = [node.args[place] for place in PLACES if place < len(node.args)]
            said += [named.value for named in node.keywords if named.arg in ("message", "remedy")]
            for text in said:
                is_written = isinstance(text, ast.Constant) and text.value != ""
                if is_written or (isinstance(text, ast.JoinedStr | ast.BinOp) and not _is_message(text)):
                    yield node.lineno


def _is_message(text: ast.expr) -> bool:
    """Tell a sum of messages from a sum of texts."""
    return any(isinstance(node, ast.Call) for node in ast.walk(text)) and isinstance(text, ast.BinOp)


def test_every_violation_is_said_by_a_message() -> None:
    root = ROOT / "migrations_app"
    found = [
        f"{path.relative_to(root)}:{line}"
        for path in sorted(root.rglob("*.py"))
        if not _is_left(path)
        for line in plain_texts(path.read_text())
    ]
    assert found == []


def _is_left(path: Path) -> bool:
    return any(path.as_posix().endswith(name) for name in AS_THEY_ARE)


def test_plain_texts_are_found() -> None:
    source = (
        "Violation('a', 'A text.')\n"
        "Violation('a', f'{b}')\n"
        "Violation('a', message('A text.'), 'Mend it.')\n"
        "Violation('a', message('A text.') + error.words, '', 'code')\n"
        "Violation('a', words, remedy='Mend it.')\n"
    )
    assert list(plain_texts(source)) == [1, 2, 3, 5]

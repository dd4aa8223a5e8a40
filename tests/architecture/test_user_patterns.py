"""No text of a user reaches `re`, which backtracks: patterns go through `kernel/linear_regex`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CALLS = {"compile", "fullmatch", "match", "search", "sub", "subn", "split", "findall", "finditer"}
# What is put together here is escaped text and classes that end at a slash: it cannot backtrack.
ESCAPED = {
    ("migrations_app/domain/resources/names.py", "'/'.join(parts)"),
    ("migrations_app/domain/conversion/compile/names.py", "_grammar(source)"),
    ("migrations_app/adapters/search/memory.py", "parent_pattern(sought.parent) if sought.parent else ''"),
    ("migrations_app/adapters/store/memory/reading.py", "parent_pattern(query.parent)"),
    ("migrations_app/adapters/store/memory/reading.py", "name_pattern(query.named)"),
    ("migrations_app/adapters/registry_clients/published_requests.py", "whole"),
    (
        "migrations_app/domain/conversion/proposals/names/words.py",
        "f'(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])'",
    ),
}
MODULES = sorted(
    path for room in ("console", "celery_worker", "migrations_app") for path in (ROOT / room).rglob("*.py")
)


def _is_constant(given: ast.expr) -> bool:
    """Tell whether a pattern is written in the code: text, capitals, or text with capitals in it."""
    match given:
        case ast.Constant():
            return True
        case ast.Name():
            return given.id.isupper()
        case ast.JoinedStr():
            return all(map(_is_constant, given.values))
        case ast.FormattedValue():
            return _is_constant(given.value)
    return False


def _from_outside(text: str) -> list[str]:
    return [
        ast.unparse(node.args[0])
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in CALLS
        and not _is_constant(node.args[0])
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_patterns_given_to_re_are_written_in_the_code(path: Path) -> None:
    where, text = path.relative_to(ROOT).as_posix(), path.read_text()

    assert {(where, each) for each in _from_outside(text)} <= ESCAPED
    assert "from re import" not in text
    # Its validators use an engine that backtracks; the product checks documents itself.
    assert "jsonschema_rs" not in text


def test_what_comes_from_outside_is_seen() -> None:
    assert _from_outside("re.compile(given)\nre.match(f'{A}{b}', x)\nre.sub('a', b, c)") == [
        "given",
        "f'{A}{b}'",
    ]

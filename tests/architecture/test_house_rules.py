"""The house rules that an import graph cannot see: sizes, names, docstrings, strings."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("console", "celery_worker", "migrations_app")
PURE = tuple(f"migrations_app/{floor}" for floor in ("kernel", "domain", "ports", "engine"))
MODULE_LINES, FUNCTION_LINES = 400, 50
DRAWERS = {"utils", "util", "helpers", "misc", "common", "base_classes", "manager", "handlers"}
STRING_DOORS = {"get_model(": "migrations_app/migrations", "send_task(": "migrations_app/adapters/dispatch"}
REFUSED_IN_PROSE = re.compile(r"(?<!`)\b(?:nobody|somebody|whoever)\b(?!`)", re.IGNORECASE)
REFUSED_IN_NAMES = re.compile(r"nobody|somebody|whoever", re.IGNORECASE)
"""Say which it is: a person, an account, the caller, a process, a worker, a client; names in backticks do not count."""

MODULES = sorted(
    path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if "migrations" not in path.relative_to(ROOT).parts[1:-1]
)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _prose(text: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Give docstrings, also those below a name, and comments, with the lines that they begin at."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_module_keeps_the_house_rules(path: Path) -> None:
    text, where = path.read_text(), _name(path)
    tree = ast.parse(text)

    assert len(text.splitlines()) <= MODULE_LINES, (
        f"{where}: split it; a module has at most {MODULE_LINES} lines"
    )
    assert path.stem not in DRAWERS, f"{where}: name the module after what it knows"
    if tree.body:
        assert ast.get_docstring(tree), f"{where}: a module opens with one sentence saying what lives here"

    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = node.end_lineno - node.lineno + 1
            assert length <= FUNCTION_LINES, f"{where}:{node.lineno} {node.name} has {length} lines"
        if where.startswith(PURE) and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            assert node.name.startswith("_") or ast.get_docstring(node), (
                f"{where}:{node.lineno} {node.name}: docstring"
            )

    for call, home in STRING_DOORS.items():
        assert call not in text or where.startswith(home), (
            f"{where}: {call} hides an import; it belongs in {home}"
        )

    wrong = _refused_in_prose(path)
    assert wrong == [], f"{REFUSED_IN_PROSE.pattern} in the docstrings or comments of these lines"


def test_the_prose_of_tests_and_pages_says_who_it_is() -> None:
    """Also in the names of tests; the pages of docs are held to it as a whole, code in backticks left out."""
    tests = sorted(path for folder in ("tests", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
    pages = [
        f"{_name(page)}:{number}"
        for page in sorted((ROOT / "docs").rglob("*.md"))
        for number, line in enumerate(page.read_text().splitlines(), 1)
        if REFUSED_IN_PROSE.search(line)
    ]
    assert [*(line for path in tests for line in _refused_in_prose(path)), *pages] == []


def _refused_in_prose(path: Path) -> list[str]:
    text = path.read_text()
    if not REFUSED_IN_NAMES.search(text):
        return []
    tree = ast.parse(text)
    prose = [line for line, words in _prose(text, tree) if REFUSED_IN_PROSE.search(words)]
    names = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and REFUSED_IN_PROSE.search(node.name.replace("_", " "))
    ]
    return [f"{_name(path)}:{line}" for line in sorted({*prose, *names})]

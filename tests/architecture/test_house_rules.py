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

    if REFUSED_IN_PROSE.search(text):
        wrong = [line for line, prose in _prose(text, tree) if REFUSED_IN_PROSE.search(prose)]
        assert wrong == [], (
            f"{where}: {REFUSED_IN_PROSE.pattern} in the docstrings or comments of these lines"
        )

"""Identifiers, error codes and control flow by strings, read from the source."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.structure.modules import APP, ROOT, Module, modules

REFUSED_WORDS = frozenset(
    word
    for line in (Path(__file__).parent / "refused_words.txt").read_text().splitlines()
    if not line.startswith("#")
    for word in line.split()
)
DECIDING = (f"{APP}.engine.", f"{APP}.control.")
STATE_MACHINES = ROOT / "docs/reference/state-machines.md"
POLICY_FIELD = "last_approver_may_run"


def refused_identifiers() -> list[str]:
    """List the modules, packages, classes, functions, fields and error codes whose whole name is a refused word."""
    return sorted(
        f"{module.name}: {word}"
        for module in modules().values()
        for word in {*_names(module)}
        if _plain(word) in REFUSED_WORDS
    )


def code_comparisons() -> list[str]:
    """List the comparisons of the `code` of a caught error with literals, in engine and control."""
    return [
        f"{module.path.relative_to(ROOT)}:{node.lineno}"
        for module in modules().values()
        if module.name.startswith(DECIDING)
        for node in comparisons_in(module)
    ]


def state_machines() -> tuple[int, int]:
    """Count the state machines with a table, and those of them whose diagram is on the page."""
    tables = [
        node
        for module in modules().values()
        for node in module.nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "StateMachine"
    ]
    return len(tables), STATE_MACHINES.read_text().count("stateDiagram-v2")


def files_with_a_policy_field() -> list[str]:
    """List the files that name one field of an approval policy; not migrations and generated files."""
    found = subprocess.run(
        ["git", "grep", "-lw", POLICY_FIELD, "--", *("migrations_app", "console", "frontend/src")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return [each for each in found if "/migrations/" not in each and not each.endswith("schema.ts")]


def serializers() -> list[str]:
    """List the classes that derive, directly or through others, from a serializer of DRF."""
    return _derived("Serializer", "ListSerializer")


def structs() -> list[str]:
    """List the Structs of msgspec in control: what goes over the wire of /api/v1."""
    return [each for each in _derived("Struct") if each.startswith((f"{APP}.control.", f"{APP}.web."))]


def _derived(*bases: str) -> list[str]:
    known, derived = {*bases}, set[str]()
    while fresh := {
        (name, where) for name, where, from_ in _bases() if where not in derived and from_ & known
    }:
        known |= {name for name, _ in fresh}
        derived |= {where for _, where in fresh}
    return sorted(derived)


@cache
def _bases() -> list[tuple[str, str, frozenset[str]]]:
    """Give each class, also inside others, with where it is and the names of its bases."""
    return [
        (node.name, f"{module.name}.{node.name}", frozenset(map(_base, node.bases)))
        for module in modules().values()
        for node in module.nodes
        if isinstance(node, ast.ClassDef)
    ]


def _base(node: ast.expr) -> str:
    return ast.unparse(node).partition("[")[0].rpartition(".")[2]


def _names(module: Module) -> Iterator[str]:
    yield module.name.rpartition(".")[2]
    for node in module.nodes:
        if isinstance(node, ast.ClassDef):
            yield node.name
            yield from _fields(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.keyword) and node.arg == "code" and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def _fields(node: ast.ClassDef) -> Iterator[str]:
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield each.target.id
        elif isinstance(each, ast.Assign):
            yield from (target.id for target in each.targets if isinstance(target, ast.Name))


def _plain(name: str) -> str:
    """Write `LevelShards`, `_level_shards` and `level-shards` the same way."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().replace("-", "_").strip("_")


def comparisons_in(module: Module) -> Iterator[ast.expr]:
    """List the comparisons of the `code` of a caught error with literals in one module."""
    caught = {node.name for node in module.nodes if isinstance(node, ast.ExceptHandler)} | {"error"}
    literals = {
        target.id
        for node in module.tree.body
        if isinstance(node, ast.Assign) and _is_literal(node.value, set())
        for target in node.targets
        if isinstance(target, ast.Name)
    }

    def is_code(node: ast.expr) -> bool:
        return (
            isinstance(node, ast.Attribute)
            and node.attr == "code"
            and isinstance(node.value, ast.Name)
            and node.value.id in caught
        )

    for node in module.nodes:
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(is_code, sides)) and any(_is_literal(each, literals) for each in sides):
                yield node
        elif isinstance(node, ast.Match) and is_code(node.subject):
            yield node.subject


def _is_literal(node: ast.expr, named: set[str]) -> bool:
    match node:
        case ast.Constant(value=str()):
            return True
        case ast.Name(id=name):
            return name in named
        case ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.List(elts=parts):
            return bool(parts) and all(_is_literal(each, named) for each in parts)
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple"), args=[inner]):
            return _is_literal(inner, named)
    return False

"""What the product imports is asked for by name: a package that comes along with another may leave with it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

import pytest

from console.env import ROOT

PRODUCT = ("console", "celery_worker", "migrations_app", "switchyard_client")
OWN = frozenset({*sys.stdlib_module_names, *PRODUCT})
"""What no package brings: the library of Python and the product."""
PLUGIN_OF_PYTEST = ROOT / "console" / "pytest_laws.py"
"""Loaded by pytest alone, in the projects of those who write service definitions."""
SOURCES = sorted(
    path for folder in PRODUCT for path in (ROOT / folder).rglob("*.py") if path != PLUGIN_OF_PYTEST
)
EXTENDED = frozenset({"kombu"})
"""Packages whose classes the product derives from without a promise of theirs: `celery_worker/broker.py`."""
USED_BY_NAME = frozenset({"argon2-cffi", "grpcio-tools", "whitenoise"})
"""Packages that Django loads for the product, or the product starts as a process."""


def canonical(name: str) -> str:
    """Write the name of a package as lock files do."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def packages() -> dict[str, frozenset[str]]:
    """Name, for each module that is installed and for each one right inside it, the packages that bring it."""
    brought: dict[str, set[str]] = {}
    for package in distributions():
        name = canonical(package.metadata["Name"])
        for file in package.files or ():
            if file.suffix in (".py", ".so", ".pyi") and ".." not in file.parts:
                parts = [part.partition(".")[0] for part in file.parts[:2]]
                for depth in range(1, len(parts) + 1):
                    brought.setdefault(".".join(parts[:depth]), set()).add(name)
    return {module: frozenset(names) for module, names in brought.items()}


def brought_by(module: str) -> frozenset[str]:
    """Name the packages that bring a module; several share a namespace such as `google`."""
    outer, inner = module.split(".")[0], ".".join(module.split(".")[:2])
    shared = packages().get(outer, frozenset())
    return packages().get(inner, shared) if len(shared) > 1 else shared


@cache
def imported(path: Path) -> frozenset[str]:
    """Name the modules of others that a file imports, wherever in it."""
    return frozenset(name for name in _imported(path) if name.split(".")[0] not in OWN)


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def asked_for(name: str) -> set[str]:
    """Read which packages a file of requirements names."""
    lines = (ROOT / "requirements" / name).read_text().splitlines()
    return {canonical(re.split(r"[\[<>=~!;\s]", line)[0]) for line in lines if line and line[0] not in "#-"}


def missing(modules: set[str], asked: set[str]) -> list[str]:
    """List modules none of whose packages is asked for."""
    return sorted(module for module in modules if not brought_by(module) & asked)


def test_every_package_that_the_product_imports_is_asked_for() -> None:
    modules = {module for path in SOURCES for module in imported(path)}
    assert {"httpcore", "cryptography"} <= {module.split(".")[0] for module in modules}
    assert missing(modules, asked_for("run.in")) == [], "name their packages in requirements/run.in"


@pytest.mark.parametrize("module", ["google.protobuf.message", "cryptography.exceptions", "no_such_package"])
def test_a_module_whose_package_is_not_named_is_found(module: str) -> None:
    asked = asked_for("run.in") - {"protobuf", "cryptography"}
    assert missing({module}, asked) == [module]


def test_what_only_tests_import_is_not_asked_for_with_the_product() -> None:
    used = {name for path in SOURCES for module in imported(path) for name in brought_by(module)}
    for path in (ROOT / "tests").rglob("*.py"):
        modules = {module for module in imported(path) if module.split(".")[0] not in ("tests", "benchmarks")}
        for brought in map(brought_by, modules):
            needless = not brought & (used | USED_BY_NAME) and brought & asked_for("run.in")
            assert not needless, f"{path}: requirements/dev.in is the place of {sorted(brought)}"


def test_packages_whose_insides_are_used_are_held_to_one_minor_version() -> None:
    """What a package does not promise may change with its next version: take that on purpose, and run the tests."""
    modules = {module for path in SOURCES for module in imported(path) if {"internal"} & {*module.split(".")}}
    inside = EXTENDED.union(*map(brought_by, modules))
    assert inside == {"django-allauth", "kombu"}
    lines = (ROOT / "requirements" / "run.in").read_text().splitlines()
    bounds = {canonical(re.split(r"[\[<>=~!;\s]", line)[0]): line for line in lines}
    assert [name for name in inside if not re.search(r",<\d+\.\d+$", bounds[name])] == []

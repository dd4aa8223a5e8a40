"""The modules of the product and their imports, read from the source without running it."""

from __future__ import annotations

import ast
import configparser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("console", "celery_worker", "migrations_app")
APP = "migrations_app"


@dataclass(frozen=True, eq=False)
class Module:
    """One module: its dotted name, its file, its tree, and whether it is the `__init__` of a package."""

    name: str
    path: Path
    tree: ast.Module
    is_package: bool

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """List every node of its tree."""
        return tuple(ast.walk(self.tree))

    @property
    def lines(self) -> int:
        """Count its lines."""
        return len(self.path.read_text().splitlines())


@cache
def modules() -> dict[str, Module]:
    """Read every module of the product, without the migrations of the database."""
    found = {}
    for path in sorted(each for package in PACKAGES for each in (ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        if "migrations" in parts[:-1] or "node_modules" in parts:
            continue
        name = ".".join(parts[:-1] if is_package else parts)
        found[name] = Module(name, path, ast.parse(path.read_text()), is_package)
    return found


@cache
def imports() -> dict[str, frozenset[str]]:
    """Give for each module the modules that it imports, also inside functions; not those for types alone."""
    return {name: frozenset(_imports(module)) - {name} for name, module in modules().items()}


def reach(start: str, within: Callable[[str], bool]) -> frozenset[str]:
    """Give a module and all that it imports, directly or through others, without leaving what `within` accepts.

    Raises: KeyError where there is no such module.
    """
    reached, pending = set(), [modules()[start].name]
    while pending:
        name = pending.pop()
        if name not in reached and within(name):
            reached.add(name)
            pending.extend(imports()[name])
    return frozenset(reached)


def climbs() -> list[tuple[str, str]]:
    """List the imports from a layer into a higher one, of all `layers` contracts in .importlinter."""
    linter = configparser.ConfigParser()
    linter.read(ROOT / ".importlinter")
    found = []
    for section in linter.sections():
        contract = linter[section]
        if contract.get("type") != "layers":
            continue
        layers = [line for line in contract["layers"].split("\n") if line.strip()]
        rank = {name.strip(" ()"): at for at, line in enumerate(layers) for name in line.split("|")}
        for container in contract.get("containers", "").split() or [""]:
            found += [
                (name, imported)
                for name, targets in imports().items()
                for imported in targets
                if (low := _layer(name, container, rank)) is not None
                and (high := _layer(imported, container, rank)) is not None
                and high < low
            ]
    return sorted(found)


def wide_folders(most: int) -> dict[str, int]:
    """Count the modules side by side in each folder that has more than so many; `__init__` does not count."""
    counts: dict[str, int] = {}
    for module in modules().values():
        if not module.is_package:
            folder = module.path.parent.relative_to(ROOT).as_posix()
            counts[folder] = counts.get(folder, 0) + 1
    return {folder: count for folder, count in sorted(counts.items()) if count > most}


def portless_adapters() -> list[str]:
    """List the modules of adapters that neither fill a port nor are part of one that does.

    A module fills a port where it imports one, or defines a class that wiring imports. It is part of another where that
    imports it, directly or through others of the adapters.
    """
    connected = {
        (base, alias.name)
        for name, module in modules().items()
        if name.startswith(f"{APP}.wiring")
        for node in module.nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        for base in (node.module or "",)
    }
    adapters = {
        name: module
        for name, module in modules().items()
        if name.startswith(f"{APP}.adapters.") and not module.is_package
    }
    pending = [
        name
        for name, module in adapters.items()
        if any(each.startswith(f"{APP}.ports") for each in imports()[name])
        or any((name, each.name) in connected for each in classes(module))
    ]
    reached: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += imports()[name] & adapters.keys()
    return [name for name in adapters if name not in reached]


def classes(module: Module) -> Iterator[ast.ClassDef]:
    """List the classes at the top of a module."""
    return (node for node in module.tree.body if isinstance(node, ast.ClassDef))


def repeated_classes() -> dict[str, list[str]]:
    """Give the public names that several classes have, with their modules; Django wants every `Command`."""
    named: dict[str, list[str]] = {}
    for name, module in modules().items():
        for node in classes(module):
            if not node.name.startswith("_") and node.name != "Command":
                named.setdefault(node.name, []).append(name)
    return {name: where for name, where in sorted(named.items()) if len(where) > 1}


def _layer(name: str, container: str, rank: dict[str, int]) -> int | None:
    prefix = f"{container}." if container else ""
    if not name.startswith(prefix):
        return None
    return rank.get(name.removeprefix(prefix).partition(".")[0])


def _imports(module: Module) -> Iterator[str]:
    package = module.name if module.is_package else module.name.rpartition(".")[0]
    for node in _nodes(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules())
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            parts = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*parts, *([node.module] if node.module else [])])
            for alias in node.names:
                target = f"{base}.{alias.name}"
                if target in modules() or base in modules():
                    yield target if target in modules() else base


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        yield node
        yield from _nodes(node)

"""A contract for import-linter: each module of a package fills a port, or is part of what fills one.

.importlinter names it as `fills_ports`, with these options:

- `package`: whose modules are looked at, without the `__init__` of packages;
- `ports`: modules and packages that declare ports. A module that imports from one fills it;
- `parts`: modules that fill none by an import; each needs a comment with the reason. One that fills a port after all, or
  is not there, is an error.

A module is a part of what fills a port where that imports it, directly or through others of the package.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class FillsPortsContract(Contract):
    """Refuses modules that fill no port."""

    type_name = "fills_ports"
    package: Any = fields.ModuleField()
    ports: Any = fields.ListField(subfield=fields.ModuleField())
    parts: Any = fields.ListField(subfield=fields.ModuleField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Find the modules that fill no port, and the parts that need not be named."""
        portless = portless_modules(graph, self.package.name, [each.name for each in self.ports])
        parts = {each.name for each in self.parts or ()}
        refused = {"portless": sorted(portless - parts), "needless": sorted(parts - portless)}
        return ContractCheck(kept=not any(refused.values()), metadata=refused)

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name them."""
        for name in check.metadata["portless"]:
            output.print_error(f"{name} fills no port: derive its class from one, or move it to its subject.")
        for name in check.metadata["needless"]:
            output.print_error(f"{name} need not be among `parts`: it fills a port, or is not there.")


def portless_modules(graph: ImportGraph, package: str, ports: Collection[str]) -> set[str]:
    """Find the modules of a package that neither import a port nor are part of one that does."""
    modules = {name for name in graph.find_descendants(package) if not graph.find_children(name)}
    reached: set[str] = set()
    pending = [name for name in modules if any(_is_in(each, ports) for each in _imports(graph, name))]
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += _imports(graph, name) & modules
    return modules - reached


def _imports(graph: ImportGraph, name: str) -> set[str]:
    return set(graph.find_modules_directly_imported_by(name))


def _is_in(name: str, packages: Collection[str]) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in packages)

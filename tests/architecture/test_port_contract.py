"""The contract that adapters fill ports: what it finds in a graph of imports."""

from __future__ import annotations

import pytest
from grimp import ImportGraph

from tests.structure.port_contract import FillsPortsContract, portless_modules

ADAPTERS, PORTS = "app.adapters", "app.ports"
IMPORTS = {
    "app.adapters.feed.postgres": ["app.ports.feed", "app.adapters.rows"],
    "app.adapters.rows": ["app.adapters.databases"],
    "app.adapters.databases": ["app.kernel"],
    "app.adapters.worker": ["app.adapters.rows", "app.models"],
    "app.adapters.signals": ["app.portside"],
}


def _graph() -> ImportGraph:
    graph = ImportGraph()
    for name in {
        *IMPORTS,
        *(each for targets in IMPORTS.values() for each in targets),
        "app.adapters.feed",
        "app.adapters",
    }:
        graph.add_module(name)
    for importer, targets in IMPORTS.items():
        for imported in targets:
            graph.add_import(importer=importer, imported=imported)
    return graph


def test_what_neither_fills_a_port_nor_is_part_of_it_is_found() -> None:
    assert portless_modules(_graph(), ADAPTERS, [PORTS]) == {"app.adapters.worker", "app.adapters.signals"}


@pytest.mark.parametrize(
    ("parts", "portless", "needless"),
    [
        ([], ["app.adapters.signals", "app.adapters.worker"], []),
        (["app.adapters.signals", "app.adapters.worker"], [], []),
        (
            ["app.adapters.signals", "app.adapters.rows", "app.adapters.gone"],
            ["app.adapters.worker"],
            ["app.adapters.gone", "app.adapters.rows"],
        ),
    ],
)
def test_parts_are_named_only_where_they_fill_none(
    parts: list[str], portless: list[str], needless: list[str]
) -> None:
    options = {"package": ADAPTERS, "ports": [PORTS], "parts": parts}
    check = FillsPortsContract("adapters", {}, options).check(_graph(), verbose=False)
    assert check.metadata == {"portless": portless, "needless": needless}
    assert check.kept is (not portless and not needless)

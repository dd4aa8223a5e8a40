"""Resource types and custom methods that go without a counterpart: an edge may say so, and it is no all-clear."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.domain.conversion.metadata.edge import Edge
from migrations_app.domain.conversion.metadata.findings import EdgeFinding, FindingLevel
from migrations_app.domain.schema.ir import Schema

_REMEDY = "`swy schema compat` reports it as a break until a person accepts it."


def removal_notes(edge: Edge, old: Schema, new: Schema) -> Iterator[EdgeFinding]:
    """Note each resource type and each custom method that the newer version has nothing for."""
    for name in edge.removed:
        if name in old.resources:
            yield _note(
                edge,
                f"{name} of {edge.source} has no counterpart in {edge.target}: its resources are kept and served by "
                f"{edge.source}, and clients have nothing to move to.",
            )
    for name, method in old.methods.items():
        if method.verb and edge.methods.renamed.get(name, name) not in new.methods:
            yield _note(
                edge, f"The method {name} of {edge.source} ends with it: {edge.target} has none like it."
            )


def _note(edge: Edge, message: str) -> EdgeFinding:
    return EdgeFinding("W-REMOVED", message, edge.place(), _REMEDY, FindingLevel.WARNING)

"""Resource types that become several between two versions, or several that become one, as the edges declare it."""

from __future__ import annotations

from migrations_app.adapters import definitions
from migrations_app.domain.conversion.metadata.edge import Edge, Fork, read_edge
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject


def type_changes(service: str, fingerprint: str) -> list[JsonObject]:
    """List the splits and merges of a service's current definition, edge by edge; none of one that cannot be read.

    Raises: Missing (`definition-missing`).
    """
    try:
        edges = [read_edge(each.text, each.path) for each in definitions.folder(service, fingerprint).edges]
    except Invalid:
        # An earlier release kept it: its page is shown all the same.
        return []
    return [_change(edge, fork) for edge in edges for fork in edge.forks]


def _change(edge: Edge, fork: Fork) -> JsonObject:
    whole: list[str] = [fork.whole]
    before, after = (whole, [*fork.parts]) if fork.is_split else ([*fork.parts], whole)
    return {
        "kind": "split" if fork.is_split else "merge",
        "before": edge.source,
        "after": edge.target,
        "types_before": [*before],
        "types_after": [*after],
        "by": fork.by,
    }

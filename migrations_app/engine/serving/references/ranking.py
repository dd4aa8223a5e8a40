"""Which of the resources beside others a graph keeps when it may not keep all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from migrations_app.engine.serving.references.nodes import ReferenceEdge, ReferenceNode


def foremost(
    found: Iterable[tuple[ReferenceEdge, ReferenceNode]], looked_up: Mapping[str, ReferenceNode]
) -> list[ReferenceNode]:
    """Rank what was found beside others, each once: broken, blocking, across regions, changed lately, with many.

    Shape: references to or from a resource, and that resource; `looked_up` by full name, as far as that was done.
    """
    degree: Counter[str] = Counter()
    blocking, crossing, nodes = set[str](), set[str](), dict[str, ReferenceNode]()
    for edge, node in found:
        nodes[node.id] = looked_up.get(node.id, node)
        degree[node.id] += 1
        if edge.kind == "BLOCK":
            blocking.add(node.id)
        if ReferenceNode.parse(edge.source).region != ReferenceNode.parse(edge.target).region:
            crossing.add(node.id)

    def _rank(node: ReferenceNode) -> tuple[bool, bool, bool, float, int, str]:
        return (
            node.is_found,
            node.id not in blocking,
            node.id not in crossing,
            -(node.changed.timestamp() if node.changed else 0.0),
            -degree[node.id],
            node.id,
        )

    return sorted(nodes.values(), key=_rank)

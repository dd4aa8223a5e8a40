"""The versions of a service as a graph of edges: the hub, and the one way between any two."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from migrations_app.domain.schema.ir import Schema, VersionStage
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.messages import message


@dataclass(frozen=True, slots=True)
class Hop:
    """One edge, walked one way."""

    edge: tuple[str, str]
    forward: bool


def hub_of(schemas: Mapping[str, Schema]) -> str:
    """Tell the canonical storage version: the newest that is no preview."""
    ordered = sorted(schemas.values(), key=lambda schema: schema.ordinal)
    stable = [schema.version for schema in ordered if schema.stage is not VersionStage.PREVIEW]
    return (stable or [schema.version for schema in ordered])[-1]


def way(edges: Mapping[tuple[str, str], object], source: str, target: str) -> tuple[Hop, ...]:
    """Find the shortest way between two versions; edges are walked either way.

    Raises: Missing (`conversion-way`).
    """
    came: dict[str, tuple[str, Hop] | None] = {source: None}
    queue = deque([source])
    while queue:
        here = queue.popleft()
        for old, new in edges:
            for start, end, forward in ((old, new, True), (new, old, False)):
                if start == here and end not in came:
                    came[end] = (start, Hop((old, new), forward))
                    queue.append(end)
    if target not in came:
        raise Missing(
            message("No edges lead from {source} to {target}.", source=source, target=target),
            code="conversion-way",
            remedy=message("Add the edge file to service.yaml."),
        )
    hops: list[Hop] = []
    at = came[target]
    while at is not None:
        hops.append(at[1])
        at = came[at[0]]
    return tuple(reversed(hops))

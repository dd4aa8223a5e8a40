"""References as they are looked at here, with those of the other deployments."""

from __future__ import annotations

from collections.abc import Sequence

from migrations_app.engine.constraints.remote_referrers import RemoteReferrers
from migrations_app.engine.serving.references.graph import ReferenceGraph
from migrations_app.engine.serving.references.groups import ReferenceGroups
from migrations_app.ports.regions.peers import Peer
from migrations_app.wiring.registry import looked_at
from migrations_app.wiring.serving import peers, router


def reference_graph() -> ReferenceGraph:
    """Give the graph of references over what is looked at here; the others are asked."""
    here = looked_at()
    return ReferenceGraph(router(), here, _remote_referrers(here))


def reference_groups() -> ReferenceGroups:
    """Give the references of a resource in groups, counted where they are looked at here; the others are asked."""
    here = looked_at()
    remote_referrers = _remote_referrers(here)
    graph = ReferenceGraph(router(), here, remote_referrers)
    return ReferenceGroups(router(), here, graph, remote_referrers)


def _remote_referrers(here: Sequence[tuple[str, str]]) -> RemoteReferrers:
    seen = {Peer(service, region) for region, service in here}
    return RemoteReferrers(router(), peers(), seen.__contains__)

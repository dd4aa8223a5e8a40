"""What refers to what, and what a deletion would meet, as the console shows it."""

from __future__ import annotations

from dataclasses import asdict

from django.conf import settings

from migrations_app import wiring
from migrations_app.domain.access import Actor, Target, require
from migrations_app.engine.constraints.abroad import Abroad
from migrations_app.engine.serving.graph import DeletionCheck, Edge, Graph, Node, Place, ReferenceGraph
from migrations_app.kernel.json import JsonObject
from migrations_app.models import registry as rows
from migrations_app.ports.peers import Peer


def references(
    actor: Actor, name: str, direction: str = "both", depth: int = 1, most: int = 300
) -> JsonObject:
    """Show the references around a resource, named in full or by its plain name.

    Raises: Denied, Invalid (`depth`), Missing (`not-found`).
    """
    require(actor, "resource.read")
    graph = _graph()
    focus = _focus(graph, name)
    require(actor, "resource.read", Target("deployment", service=focus.service, region=focus.region))
    return _shown(graph.around(focus, direction, depth, most))


def graph_around(focus: Node, direction: str, depth: int, most: int) -> JsonObject:
    """Show the references around a resource to whoever was already asked whether they may see it.

    Raises: Invalid (`depth`), Missing (`deployment-missing`).
    """
    return _shown(_graph().around(focus, direction, depth, most))


def _shown(found: Graph) -> JsonObject:
    return {
        "focus": found.focus.id,
        "nodes": [_node(each) for each in found.nodes.values()],
        "edges": [_edge(each) for each in found.edges],
        "hidden": {"budget": found.beyond_budget, "filter": 0},
        "unknown": [asdict(each) for each in found.unknown.values()],
    }


def deletion_check(actor: Actor, name: str) -> JsonObject:
    """Tell whether a resource may be deleted, and what goes with it.

    Raises: Denied, Missing (`not-found`).
    """
    require(actor, "resource.read")
    graph = _graph()
    found = graph.deletion(_focus(graph, name))
    return {
        "focus": _node(found.focus),
        "verdict": found.verdict,
        "sentence": sentence(found),
        "blockers": [_edge(each) for each in found.blockers],
        "cascades": [_node(each) for each in found.cascades],
        "unsets": [_edge(each) for each in found.unsets],
        "unknown": [asdict(each) for each in found.unknown],
    }


def sentence(found: DeletionCheck) -> str:
    """Say the verdict in one sentence."""
    if found.blockers:
        places = {Node.parse(each.source).id.rsplit("/", 1)[0].split("/")[2] for each in found.blockers}
        count = len(found.blockers)
        return f"Blocked by {count} reference{'s' if count > 1 else ''} in {len(places)} service{'s' if len(places) > 1 else ''}."
    if found.unknown:
        return (
            f"Unknown: {len(found.unknown)} deployment{'s' if len(found.unknown) > 1 else ''} did not answer."
        )
    parts = []
    if found.cascades:
        parts.append(f"{len(found.cascades)} more would be deleted")
    if found.unsets:
        parts.append(f"{len(found.unsets)} references would be cleared")
    return "Safe now." if not parts else f"Safe now; {' and '.join(parts)}."


def places() -> list[Place]:
    """List the (region, service) pairs whose databases are looked at here."""
    hosted = (
        rows.Deployment.objects.exclude(database="").filter(is_disabled=False).exclude(current_version="")
    )
    every = hosted.order_by("service_id", "region_id").values_list("region_id", "service_id")
    return [(region, service) for region, service in every if settings.SWITCHYARD.serves(region)]


def _graph() -> ReferenceGraph:
    here = places()
    router = wiring.resource_servers().router
    seen = {Peer(service, region) for region, service in here}
    return ReferenceGraph(router, here, Abroad(router, wiring.peers(), seen.__contains__))


def _focus(graph: ReferenceGraph, name: str) -> Node:
    return Node.parse(name) if name.startswith("//") else graph.find(name)


def _node(node: Node) -> JsonObject:
    return {
        "id": node.id,
        "name": node.name,
        "type": node.type,
        "service": node.service,
        "region": node.region,
        "version": node.version,
        "state": node.state,
    }


def _edge(edge: Edge) -> JsonObject:
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind,
        "path": edge.path,
        "version": edge.version,
    }


__all__ = ["Graph", "deletion_check", "graph_around", "places", "references", "sentence"]

"""What refers to what, and what a deletion would meet, as the console shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from migrations_app import wiring
from migrations_app.control.references.queries.redaction import Redaction, redaction_of
from migrations_app.domain.access import Actor, Target, reach_of, require
from migrations_app.domain.registry.names import version_order
from migrations_app.engine.serving.references.graph import ReferenceGraph, ReferenceNeighbourhood
from migrations_app.engine.serving.references.nodes import ReferenceEdge, ReferenceNode, UnavailableDeployment
from migrations_app.engine.serving.resource_search import ResourceSearch, seek
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.wordings import phrases_as_json, sentence_as_json


def references(
    actor: Actor, name: str, direction: str = "both", depth: int = 1, most: int = 300
) -> JsonObject:
    """Show the references around a resource, named in full or by its plain name.

    Raises: Denied, Invalid (`depth`), Missing (`not-found`).
    """
    require(actor, "resource.read")
    graph = wiring.reference_graph()
    focus = focus_of(actor, graph, name)
    return _shown(graph.around(focus, direction, depth, most), redaction_of(actor))


def find_resources(actor: Actor, given: Mapping[str, str]) -> JsonObject:
    """Find resources by `text`, `type`, `service`, `region`, `version`, as far as this actor may read deployments.

    Raises: Denied.
    """
    require(actor, "resource.read")
    reach = reach_of(actor, "resource.read")
    places = [(region, service) for region, service in wiring.looked_at() if reach.covers(service, region)]
    found = seek(wiring.resource_servers().router, places, _search(given))
    return {
        "items": [shown_node(each) for each in found.nodes],
        "more": found.more,
        "types": [*sorted(found.types)],
        "versions": [*sorted(found.versions, key=version_order)],
        "unknown": [shown_unanswered(each) for each in found.unknown],
    }


def _search(given: Mapping[str, str]) -> ResourceSearch:
    return ResourceSearch(given["text"], given["type"], given["service"], given["region"], given["version"])


def graph_around(
    focus: ReferenceNode, direction: str, depth: int, most: int, redaction: Redaction
) -> JsonObject:
    """Show the references around a resource to a caller whose permission was checked before.

    Raises: Invalid (`depth`), Missing (`deployment-missing`).
    """
    return _shown(wiring.reference_graph().around(focus, direction, depth, most), redaction)


def _shown(found: ReferenceNeighbourhood, redaction: Redaction) -> JsonObject:
    return {
        "focus": found.focus.id,
        "nodes": [shown_node(redaction.node(each)) for each in found.nodes.values()],
        "edges": [_edge(each) for each in dict.fromkeys(redaction.edge(each) for each in found.edges)],
        "hidden": {"budget": len(found.beyond), "filter": 0},
        "unknown": [shown_unanswered(each) for each in found.unknown.values()],
    }


def deletion_check(actor: Actor, name: str) -> JsonObject:
    """Tell whether a resource may be deleted, and what goes with it.

    Raises: Denied, Missing (`not-found`).
    """
    require(actor, "resource.read")
    graph = wiring.reference_graph()
    found = graph.deletion(focus_of(actor, graph, name))
    known = graph.details([*found.blockers, *found.unsets])
    redaction = redaction_of(actor)
    return {
        "focus": shown_node(found.focus),
        "verdict": found.verdict,
        **sentence_as_json(found.sentence),
        "blockers": [_referring(each, known, redaction) for each in found.blockers],
        "cascades": [shown_node(redaction.node(each)) for each in found.cascades],
        "unsets": [_referring(each, known, redaction) for each in found.unsets],
        "unknown": [shown_unanswered(each) for each in found.unknown],
    }


def deletion_checks(actor: Actor, names: Sequence[str]) -> list[JsonObject]:
    """Tell of many resources, each by itself, whether they may be deleted.

    Raises: Denied.
    """
    require(actor, "resource.read")
    graph = wiring.reference_graph()
    return [_brief(actor, graph, name) for name in dict.fromkeys(names)]


def _brief(actor: Actor, graph: ReferenceGraph, name: str) -> JsonObject:
    try:
        found = graph.deletion(focus_of(actor, graph, name))
    except SwitchyardError as error:
        return {
            "name": name,
            "id": "",
            "verdict": "unknown",
            **sentence_as_json(error.words),
            "blockers": 0,
            "cascades": 0,
        }
    return {
        "name": name,
        "id": found.focus.id,
        "verdict": found.verdict,
        **sentence_as_json(found.sentence),
        "blockers": len(found.blockers),
        "cascades": len(found.cascades),
    }


def focus_of(actor: Actor, graph: ReferenceGraph, name: str) -> ReferenceNode:
    """Find what is asked about, where this actor may read.

    Raises: Denied, Invalid (`full-name`), Missing (`not-found`).
    """
    focus = ReferenceNode.parse(name) if name.startswith("//") else graph.find(name)
    require(actor, "resource.read", Target("deployment", service=focus.service, region=focus.region))
    return focus


def shown_node(node: ReferenceNode) -> JsonObject:
    return {
        "id": node.id,
        "name": node.name,
        "type": node.type,
        "service": node.service,
        "region": node.region,
        "version": node.version,
        "state": node.state.value,
        "changed_at": node.changed.isoformat() if node.changed else None,
    }


def shown_unanswered(deployment: UnavailableDeployment) -> JsonObject:
    """Show a deployment that did not answer, and why."""
    return {
        "service": deployment.service,
        "region": deployment.region,
        "reason": str(deployment.reason),
        "phrases": phrases_as_json(deployment.reason.phrases),
    }


def _referring(edge: ReferenceEdge, known: Mapping[str, ReferenceNode], redaction: Redaction) -> JsonObject:
    """Show a reference with who owns its source and since when that is there, where that is known."""
    source = redaction.node(known[edge.source]) if edge.source in known else None
    since = source.created.isoformat() if source and source.created else None
    return {
        **_edge(redaction.edge(edge)),
        "type": source.type if source else "",
        "owner": source.owner if source else "",
        "since": since,
    }


def _edge(edge: ReferenceEdge) -> JsonObject:
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind,
        "path": edge.path,
        "version": edge.version,
    }

"""Who refers from elsewhere, for people: told by the deployments themselves, which need not answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from migrations_app.domain.constraints.shadows import NodeState
from migrations_app.engine.constraints.messages import Dying, Referrings, Things, read, write
from migrations_app.engine.serving.references.graph import RemoteAnswer
from migrations_app.engine.serving.references.nodes import ReferenceEdge, ReferenceNode, UnavailableDeployment
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_names import names_of
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.messages import message
from migrations_app.ports.regions.peers import Peer, Peers, Question
from migrations_app.ports.store import Reading

Thing = tuple[Dying, tuple[str, ...]]


class RemoteReferrers:
    """Asks those who may refer to resources, other than the deployments whose databases are looked at anyway."""

    def __init__(self, router: Router, peers: Peers, is_seen: Callable[[Peer], bool]) -> None:
        self._router, self._peers, self._is_seen = router, peers, is_seen

    def __call__(self, nodes: Sequence[ReferenceNode]) -> RemoteAnswer:
        """Tell who refers to resources of one deployment, and who of those who may did not answer."""
        if not nodes:
            return (), ()
        here = Peer(nodes[0].service, nodes[0].region)
        known = self._router.read_active(
            here.region, here.service, lambda route, reading: _things(route, reading, nodes)
        )[1]
        by_uid = {thing.uid: node for node, (thing, _) in known}
        by_source: dict[str, list[Dying]] = {}
        for _, (thing, sources) in known:
            for source in sources:
                if not self._is_seen(Peer.parse(source)):
                    by_source.setdefault(source, []).append(thing)
        questions = [
            Question(Peer.parse(source), "describeReferrers", write(Things(tuple(things))))
            for source, things in sorted(by_source.items())
        ]
        edges: list[tuple[ReferenceEdge, ReferenceNode]] = []
        unknown: list[UnavailableDeployment] = []
        for question, answer in zip(questions, self._peers.call_all(here, questions), strict=True):
            there = question.target
            if isinstance(answer, SwitchyardError):
                unknown.append(UnavailableDeployment.after(there.service, there.region, answer))
                continue
            found = read(answer, Referrings)
            edges += _edges(there, found, by_uid)
            if found.more:
                more = message("It refers more often than it answers with.")
                unknown.append(UnavailableDeployment(there.service, there.region, more))
        return tuple(edges), tuple(unknown)


def _things(
    route: ServingRoute, reading: Reading, nodes: Sequence[ReferenceNode]
) -> list[tuple[ReferenceNode, Thing]]:
    found: list[tuple[ReferenceNode, Thing]] = []
    for node in nodes:
        shadow = reading.shadow(node.type, node.name)
        if shadow is None or shadow.uid is None or not shadow.sources:
            continue
        resource = reading.get(node.type, node.name)
        names = dict(shadow.names) or names_of(
            route, node.type, node.name, resource.body if resource else None
        )
        found.append((node, (Dying(shadow.uid, names), shadow.sources)))
    return found


def _edges(
    there: Peer, found: Referrings, targets: dict[UUID, ReferenceNode]
) -> list[tuple[ReferenceEdge, ReferenceNode]]:
    edges = []
    for each in found.referrers:
        if each.uid in targets:
            source = ReferenceNode(
                there.service, there.region, each.name, each.type, each.version, NodeState.ACTIVE
            )
            edges.append(
                (ReferenceEdge(source.id, targets[each.uid].id, each.kind, each.path, each.version), source)
            )
    return edges

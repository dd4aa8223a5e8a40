"""The graph of references around a resource, over all deployments that are hosted here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from migrations_app.domain.constraints.deletion import MOST_IN_A_CASCADE, DeletionVerdict, Thing
from migrations_app.domain.constraints.references import is_name_of
from migrations_app.domain.constraints.shadows import NodeState
from migrations_app.engine.serving.references.nodes import (
    DeletionCheck,
    Place,
    ReferenceEdge,
    ReferenceNode,
    UnavailableDeployment,
)
from migrations_app.engine.serving.references.ranking import foremost
from migrations_app.engine.serving.references.stored_references import OWNER_REFERENCES, judge
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_names import names_of, stored_as
from migrations_app.kernel.errors import Invalid, Missing, NotFound, SwitchyardError
from migrations_app.kernel.messages import message
from migrations_app.ports.store import Reading, Reference, StoredResource

DEEPEST = 4
MOST_NODES = 300
"""How many resources a graph holds by default, and of how many the state is looked up."""
LARGEST = 5_000


@dataclass(slots=True)
class ReferenceNeighbourhood:
    """What was found around a focus; `beyond` names what was left out."""

    focus: ReferenceNode
    nodes: dict[str, ReferenceNode] = field(default_factory=dict)
    edges: dict[ReferenceEdge, None] = field(default_factory=dict)
    unknown: dict[tuple[str, str], UnavailableDeployment] = field(default_factory=dict)
    beyond: set[str] = field(default_factory=set)
    most: int = LARGEST


RemoteAnswer = tuple[Sequence[tuple[ReferenceEdge, ReferenceNode]], Sequence[UnavailableDeployment]]
RemoteReferences = Callable[[Sequence[ReferenceNode]], RemoteAnswer]
"""Asks deployments whose databases are not looked at who of theirs refers to resources of one deployment."""


class ReferenceGraph:
    """Walks references; `places` are the (region, service) pairs whose databases are looked at, `remote_referrers` asks others."""

    def __init__(
        self, router: Router, places: Sequence[Place], remote_referrers: RemoteReferences = lambda _: ((), ())
    ) -> None:
        self._router = router
        self._places = tuple(places)
        self._remote_referrers = remote_referrers

    def find(self, name: str) -> ReferenceNode:
        """Find the deployment that holds a resource of this plain name.

        Raises: Missing (`not-found`).
        """
        for region, service in self._places:
            try:
                node = self._node(ReferenceNode(service, region, name))
            except SwitchyardError:
                continue
            if node.is_found:
                return node
        raise NotFound(message("No deployment here holds {name}.", name=name[:200]))

    def known(self, node: ReferenceNode) -> ReferenceNode:
        """Look a resource up where it lives.

        Raises: Missing (`deployment-missing`, `not-found`).
        """
        return self._node(node)

    def details(self, edges: Iterable[ReferenceEdge]) -> dict[str, ReferenceNode]:
        """Look up who refers, by full name, as far as their deployments are looked at here; the first of them."""
        names = [*dict.fromkeys(each.source for each in edges)][:MOST_NODES]
        return self._looked_up(ReferenceNode.parse(name) for name in names)

    def _looked_up(self, nodes: Iterable[ReferenceNode]) -> dict[str, ReferenceNode]:
        wanted: dict[Place, list[ReferenceNode]] = {}
        for node in nodes:
            wanted.setdefault(node.place, []).append(node)
        found: dict[str, ReferenceNode] = {}
        for place, held in wanted.items():
            if place in self._places:
                with suppress(SwitchyardError):
                    found |= self._router.read_active(*place, partial(_looked_up, held))[1]
        return found

    def around(
        self, focus: ReferenceNode, direction: str = "both", depth: int = 1, most: int = MOST_NODES
    ) -> ReferenceNeighbourhood:
        """Gather the references around a resource: at most so many resources, the nearer and the foremost first.

        Raises: Invalid (`direction`, `depth`), Missing (`deployment-missing`).
        """
        if direction not in ("in", "out", "both") or not 1 <= depth <= DEEPEST:
            raise Invalid(
                message("Ask for in, out or both, at a depth of 1 to {deepest}.", deepest=DEEPEST),
                code="depth",
            )
        graph = ReferenceNeighbourhood(self._node(focus), most=min(most, LARGEST))
        graph.nodes[graph.focus.id] = graph.focus
        frontier = [graph.focus]
        for _ in range(depth):
            # From thousands of neighbours no reader walks on; the first ones tell enough.
            spread = [each for node in frontier[:MOST_NODES] for each in self._spread(graph, node, direction)]
            frontier = self._kept(graph, spread)
        return graph

    def deletion(self, focus: ReferenceNode) -> DeletionCheck:
        """Judge a deletion without doing it."""
        here = self._node(focus)
        route, verdict = self._router.read_active(
            here.region,
            here.service,
            lambda route, reading: judge(route, reading, Thing(here.type, here.name)),
        )
        graph = ReferenceNeighbourhood(here)
        bare = replace(here, created=None, changed=None, owner="")
        dying = [replace(bare, type=each.type, name=each.name) for each in verdict.deleted]
        remote_referrers = [
            edge
            for node in dying
            for edge, source in self._seen(graph, node)
            if (source.service, source.region) != (here.service, here.region)
        ]
        remote_referrers += [edge for edge, _ in self._remote_edges(graph, dying)]
        local = self._local(here, route.stored_version, verdict)
        if not verdict.complete:
            # What was not looked at may block: never call that safe.
            reason = message(
                "More than {most} resources refer to it; not all of them were looked at.",
                most=MOST_IN_A_CASCADE,
            )
            graph.unknown[here.service, here.region] = UnavailableDeployment(
                here.service, here.region, reason
            )
        return DeletionCheck(
            here,
            (*local[0], *(edge for edge in remote_referrers if edge.kind in ("BLOCK", "OWNER"))),
            (
                *dying[1:],
                *(ReferenceNode.parse(edge.source) for edge in remote_referrers if edge.kind == "CASCADE"),
            ),
            (*local[1], *(edge for edge in remote_referrers if edge.kind == "UNSET")),
            tuple(graph.unknown.values()),
        )

    def _local(
        self, here: ReferenceNode, version: str, found: DeletionVerdict
    ) -> tuple[list[ReferenceEdge], list[ReferenceEdge]]:
        def _edge(source: str, target: str, kind: str, path: str) -> ReferenceEdge:
            ends = (replace(here, name=source).id, replace(here, name=target).id)
            return ReferenceEdge(*ends, kind, path, version)

        blockers = [
            _edge(each.source.name, each.target.name, each.kind, each.path) for each in found.blockers
        ]
        unsets = [_edge(each.source.name, each.target.name, each.kind, each.path) for each in found.unset]
        return blockers, unsets

    def _spread(
        self, graph: ReferenceNeighbourhood, node: ReferenceNode, direction: str
    ) -> Iterator[tuple[ReferenceEdge, ReferenceNode]]:
        if direction in ("in", "both"):
            yield from self._incoming(graph, node)
        if direction in ("out", "both"):
            yield from self._outgoing(graph, node)

    def _kept(
        self, graph: ReferenceNeighbourhood, found: Sequence[tuple[ReferenceEdge, ReferenceNode]]
    ) -> list[ReferenceNode]:
        """Add what there is room for, and tell what of it is new."""
        fresh = [(edge, node) for edge, node in found if node.id not in graph.nodes]
        # Who refers is there; who is referred to may be missing.
        known = {node.id: self._known(graph, node) for _, node in fresh if node.state is not NodeState.ACTIVE}
        others = {node.id: node for _, node in fresh if node.id not in known}
        room = graph.most - len(graph.nodes)
        if len(known) + len(others) > room:
            known |= self._looked_up([*others.values()][:LARGEST])
        ranked = foremost(fresh, known)
        for node in ranked[:room]:
            # Looking each of thousands up again would only tell who is being deleted.
            again = node.id in others and len(graph.nodes) < MOST_NODES
            graph.nodes[node.id] = self._known(graph, node) if again else node
        graph.beyond.update(node.id for node in ranked[room:])
        graph.edges |= {edge: None for edge, node in found if node.id in graph.nodes}
        return [graph.nodes[node.id] for node in ranked[:room]]

    def _incoming(
        self, graph: ReferenceNeighbourhood, node: ReferenceNode
    ) -> Iterator[tuple[ReferenceEdge, ReferenceNode]]:
        yield from self._seen(graph, node)
        if node.is_found:
            yield from self._remote_edges(graph, [node])

    def _remote_edges(
        self, graph: ReferenceNeighbourhood, nodes: Sequence[ReferenceNode]
    ) -> Sequence[tuple[ReferenceEdge, ReferenceNode]]:
        try:
            found, unknown = self._remote_referrers(nodes)
        except SwitchyardError as error:
            of = nodes[0]
            found, unknown = (), (UnavailableDeployment.after(of.service, of.region, error),)
        for each in unknown:
            graph.unknown[each.service, each.region] = each
        return found

    def _seen(
        self, graph: ReferenceNeighbourhood, node: ReferenceNode
    ) -> Iterator[tuple[ReferenceEdge, ReferenceNode]]:
        names = self.names(node)
        for region, service in self._places:
            try:
                route, referrers = self._router.read_active(
                    region,
                    service,
                    lambda _, reading: [
                        each
                        for name in names
                        for each in reading.referrers(node.service, name, limit=LARGEST)
                    ],
                )
            except SwitchyardError as error:
                graph.unknown[service, region] = UnavailableDeployment.after(service, region, error)
                continue
            for each in referrers:
                if each.reference.lives_in in ("", node.region):
                    source = ReferenceNode(
                        service, region, each.name, each.type, route.stored_version, NodeState.ACTIVE
                    )
                    yield _edge(source, node, each.reference), source

    def _outgoing(
        self, graph: ReferenceNeighbourhood, node: ReferenceNode
    ) -> Iterator[tuple[ReferenceEdge, ReferenceNode]]:
        if not node.is_found:
            return
        try:
            _, references = self._router.read_active(
                node.region, node.service, lambda _, reading: reading.references(node.type, node.name)
            )
        except SwitchyardError as error:
            graph.unknown[node.service, node.region] = UnavailableDeployment.after(
                node.service, node.region, error
            )
            return
        for each in references:
            target = ReferenceNode(each.target_service, each.lives_in, each.target_name, each.target_type)
            named = self._as_stored(target, each.target_version)
            yield _edge(node, named, each), named

    def _known(self, graph: ReferenceNeighbourhood, node: ReferenceNode) -> ReferenceNode:
        try:
            return self._node(node)
        except SwitchyardError as error:
            graph.unknown[node.service, node.region] = UnavailableDeployment.after(
                node.service, node.region, error
            )
            return node

    def _node(self, node: ReferenceNode) -> ReferenceNode:
        def _look(route: ServingRoute, reading: Reading) -> ReferenceNode:
            type_ = node.type or _type_of(route, node.name)
            known = replace(node, type=type_, version=route.stored_version)
            found = reading.get(type_, node.name)
            if found is None:
                return replace(known, state=NodeState.MISSING)
            shadow = reading.shadow(type_, node.name)
            return _dated(
                replace(known, state=NodeState(shadow.state) if shadow else NodeState.ACTIVE), found
            )

        return self._router.read_active(node.region, node.service, _look)[1]

    def names(self, node: ReferenceNode) -> list[str]:
        """List the names a resource has in the versions of its service: importers use any of them."""

        def _look(route: ServingRoute, reading: Reading) -> list[str]:
            names = (
                names_of(route, node.type, node.name) if node.type in route.stored_schema.resources else {}
            )
            return list(dict.fromkeys([node.name, *(name for _, name in names.values())]))

        try:
            return self._router.read_active(node.region, node.service, _look)[1]
        except SwitchyardError:
            return [node.name]

    def _as_stored(self, node: ReferenceNode, version: str) -> ReferenceNode:
        def _look(route: ServingRoute, reading: Reading) -> ReferenceNode:
            if not version or version == route.stored_version:
                return node
            place = stored_as(route, version, node.type, node.name)
            return node if place is None else replace(node, type=place[0], name=place[1])

        try:
            return self._router.read_active(node.region, node.service, _look)[1]
        except SwitchyardError:
            return node


def _looked_up(
    nodes: Sequence[ReferenceNode], route: ServingRoute, reading: Reading
) -> dict[str, ReferenceNode]:
    """Look up resources of one deployment at one moment; those that are gone are left out."""
    by_type: dict[str, dict[str, ReferenceNode]] = {}
    for node in nodes:
        with suppress(Missing):
            by_type.setdefault(_type_of(route, node.name), {})[node.name] = node
    found = {}
    for type_, named in by_type.items():
        for name, resource in reading.batch_get(type_, list(named)).items():
            known = replace(named[name], type=type_, version=route.stored_version, state=NodeState.ACTIVE)
            found[known.id] = _dated(known, resource)
    return found


def _dated(node: ReferenceNode, resource: StoredResource) -> ReferenceNode:
    return replace(node, created=resource.create_time, changed=resource.update_time, owner=_owner(resource))


def _owner(resource: StoredResource) -> str:
    """Name the owner that a resource tells, else what its name lies under."""
    told = resource.metadata.get(OWNER_REFERENCES)
    first = told[0] if isinstance(told, list) and told else None
    if isinstance(first, dict) and first.get("name"):
        return str(first["name"])
    return resource.name.rsplit("/", 2)[0] if resource.name.count("/") > 2 else ""


def _type_of(route: ServingRoute, name: str) -> str:
    for short, resource in route.stored_schema.resources.items():
        if is_name_of(resource, name):
            return short
    raise NotFound(
        message(
            "{service} has no resources named {name}.", service=route.served.service, name=repr(name[:200])
        )
    )


def _edge(source: ReferenceNode, target: ReferenceNode, reference: Reference) -> ReferenceEdge:
    return ReferenceEdge(source.id, target.id, reference.kind.value, reference.path, source.version)

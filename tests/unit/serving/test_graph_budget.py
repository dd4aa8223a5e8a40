"""What a graph of references keeps when it may not keep all it finds, over stores in memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.constraints.shadows import NodeState
from migrations_app.engine.serving.references.graph import ReferenceGraph, RemoteAnswer, RemoteReferences
from migrations_app.engine.serving.references.nodes import ReferenceEdge, ReferenceNode
from migrations_app.engine.serving.references.ranking import foremost
from migrations_app.kernel.json import JsonObject
from tests.unit.serving.served_secrets import REGION, SERVICE, Secrets

APPS, FAR = "apps.example.com", "us-east1"
DOOR = ReferenceNode(SERVICE, REGION, "projects/p/secrets/door", "Secret")


def _refers(source: ReferenceNode, kind: str = "WEAK", target: ReferenceNode = DOOR) -> ReferenceEdge:
    return ReferenceEdge(source.id, target.id, kind, "secret", "v1")


def _app(name: str, **parts: object) -> ReferenceNode:
    return ReferenceNode(APPS, str(parts.pop("region", REGION)), f"apps/{name}", "App", "v1", **parts)  # type: ignore[arg-type]


def _door(granted: int) -> Secrets:
    secrets = Secrets()
    assert secrets.call("POST", "projects/p/secrets", {}, id="door").status == 201
    for at in range(granted):
        grant: JsonObject = {"secret": DOOR.name, "member": "ada"}
        assert secrets.call("POST", "projects/p/secretGrants", grant, id=f"grant-{at}").status == 201
    return secrets


def _graph(secrets: Secrets, abroad: RemoteReferences) -> ReferenceGraph:
    return ReferenceGraph(secrets.servers.router, [(REGION, SERVICE)], abroad)


def test_the_broken_come_first_then_what_blocks_crosses_regions_changed_lately_and_refers_most() -> None:
    early, late = (datetime(2026, month, 1, tzinfo=UTC) for month in (1, 2))
    plain, twice = _app("plain", state=NodeState.ACTIVE), _app("twice", state=NodeState.ACTIVE)
    old, new = (
        _app("old", state=NodeState.ACTIVE, changed=early),
        _app("new", state=NodeState.ACTIVE, changed=late),
    )
    far, blocks = _app("far", state=NodeState.ACTIVE, region=FAR), _app("blocks", state=NodeState.ACTIVE)
    gone = _app("gone", state=NodeState.MISSING)
    found = [(_refers(node), node) for node in (plain, twice, twice, old, new, far, gone)]

    ranked = foremost([*found, (_refers(blocks, "BLOCK"), blocks)], {})

    assert ranked == [gone, blocks, far, new, old, twice, plain]


def test_a_full_graph_keeps_what_comes_from_other_regions_before_what_is_near() -> None:
    far = [_app(f"far-{at}", state=NodeState.ACTIVE, region=FAR) for at in range(3)]

    def _remote(nodes: Sequence[ReferenceNode]) -> RemoteAnswer:
        return [(_refers(node, "BLOCK"), node) for node in far], ()

    found = _graph(_door(8), _remote).around(DOOR, "in", 1, most=4)

    assert [*found.nodes] == [DOOR.id, *(node.id for node in far)]
    assert len(found.beyond) == 8


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 12), st.lists(st.integers(0, 9), max_size=25), st.integers(1, 40))
def test_what_is_shown_and_what_is_beyond_are_all_there_is(grants: int, apps: list[int], most: int) -> None:
    """An app may refer to a secret by several fields: it is one resource, and counts once."""

    def _remote(nodes: Sequence[ReferenceNode]) -> RemoteAnswer:
        told = [
            (_refers(_app(str(at)), target=node), _app(str(at), state=NodeState.ACTIVE))
            for at in apps
            for node in nodes
        ]
        return told, ()

    found = _graph(_door(grants), _remote).around(DOOR, "in", 1, most=most)

    total = 1 + grants + len(set(apps))
    assert len(found.nodes) + len(found.beyond) == total
    assert len(found.nodes) == min(most, total)
    assert DOOR.id in found.nodes
    assert not found.beyond & found.nodes.keys()
    assert all(edge.source in found.nodes and edge.target in found.nodes for edge in found.edges)

"""Graphs of references as they are streamed: whole first, then what became different, as long as a person looks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from migrations_app.control.live_stream import queries as live
from migrations_app.control.references.queries import stream as reference_stream
from migrations_app.domain.access import ANONYMOUS, SYSTEM
from migrations_app.domain.reach import ALL, Reach
from migrations_app.kernel.errors import DeploymentMissing
from migrations_app.kernel.json import JsonObject, decode
from migrations_app.kernel.messages import NOTHING, message
from migrations_app.live import graphs
from migrations_app.live.graphs import Graphs
from migrations_app.live.hub import too_many

TOPIC = "references:in:1://secrets.example.com/eu-west1/projects/p/secrets/door"


class _Listener:
    def __init__(self, reach: Reach = ALL) -> None:
        self.topics = {TOPIC}
        self.reaches = {"references": reach}
        self.heard: list[Any] = []
        self.rang = asyncio.Event()

    def put(self, text: str) -> None:
        self.heard.append(decode(text))
        self.rang.set()

    async def next(self) -> Any:
        while not self.heard:
            self.rang.clear()
            await self.rang.wait()
        return self.heard.pop(0)


def _graph(*referrers: str, state: str = "ACTIVE") -> JsonObject:
    return {
        "focus": "f",
        "nodes": {id: {"id": id, "state": state} for id in ("f", *referrers)},
        "edges": {f"{id} f BLOCK secret": {"source": id, "target": "f"} for id in referrers},
        "unknown": [],
    }


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What there is to read, without a database; the pauses of the loop are gone."""
    held: dict[str, Any] = {"graph": _graph("a"), "reads": 0}

    def graph_of(topic: str, reach: Reach) -> JsonObject:
        held["reads"] += 1
        if isinstance(held["graph"], Exception):
            raise held["graph"]
        found: JsonObject = held["graph"]
        return found

    monkeypatch.setattr(reference_stream, "graph_of", graph_of)
    monkeypatch.setattr(reference_stream.Writes, "moved", lambda self: True)
    monkeypatch.setattr(graphs, "close_old_connections", lambda: None)
    monkeypatch.setattr(graphs, "EVERY_SECONDS", 0.001)
    return held


def _run(story: Callable[[Graphs], Any]) -> None:
    async def _within() -> None:
        async with asyncio.timeout(120):
            await story(Graphs())

    asyncio.run(_within())


def test_a_graph_comes_whole_and_then_as_differences(world: dict[str, Any]) -> None:
    async def story(followed: Graphs) -> None:
        first, late = _Listener(), _Listener()
        followed.follow(first, TOPIC)
        whole = await first.next()
        assert (whole["kind"], whole["seq"], whole["full"]) == ("graph", 0, _graph("a"))
        world["graph"] = _graph("b")
        patch = (await first.next())["patch"]
        assert patch == {
            "nodes": {"b": {"id": "b", "state": "ACTIVE"}, "a": None},
            "edges": {"b f BLOCK secret": {"source": "b", "target": "f"}, "a f BLOCK secret": None},
        }
        followed.follow(late, TOPIC)
        assert (await late.next())["full"] == _graph("b")
        followed.stop_watching(first, [TOPIC])
        followed.stop_watching(late, [TOPIC])

    _run(story)


def test_what_is_not_looked_at_is_not_read(world: dict[str, Any]) -> None:
    async def story(followed: Graphs) -> None:
        listener = _Listener()
        followed.follow(listener, TOPIC)
        await listener.next()
        task = followed._task
        assert task is not None
        followed.stop_watching(listener, [TOPIC])
        await asyncio.wait([task])
        reads = world["reads"]
        assert task.cancelled()
        await asyncio.sleep(0)
        assert world["reads"] == reads

    _run(story)


def test_a_graph_that_is_refused_says_why_and_ends(world: dict[str, Any]) -> None:
    world["graph"] = DeploymentMissing("No deployment here is called that.")

    async def story(followed: Graphs) -> None:
        listener = _Listener()
        followed.follow(listener, TOPIC)
        assert await listener.next() == {
            "op": "denied",
            "topic": TOPIC,
            "reason": "No deployment here is called that.",
        }
        assert listener.topics == set()

    _run(story)


def test_nothing_is_told_while_nothing_is_different() -> None:
    assert reference_stream.difference(_graph("a"), _graph("a")) is None
    assert reference_stream.difference(_graph("a"), _graph("a", state="DELETING")) == {
        "nodes": {id: {"id": id, "state": "DELETING"} for id in ("f", "a")}
    }


@pytest.mark.parametrize(
    "topic", ["references:in", "references:up:1://a/b/c", "references:in:9://a/b/c", "references:in:1:c"]
)
def test_a_topic_that_names_no_graph_is_refused(topic: str) -> None:
    assert [*live.refusals(SYSTEM, {topic})] == [topic]


def test_a_graph_needs_the_right_to_read_its_deployment() -> None:
    assert live.refusals(SYSTEM, {TOPIC}) == {}
    assert live.refusals(ANONYMOUS, {TOPIC}) == {TOPIC: message("Sign in first.")}


def test_one_stream_follows_a_few_graphs() -> None:
    graphs_ = [f"references:in:1://s/r/{n}" for n in range(5)]
    assert too_many([*graphs_[:4], "fleet"]) == NOTHING
    assert str(too_many(graphs_)) == "One stream follows at most 4 graphs."

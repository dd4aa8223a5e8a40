"""The graph of references as it is streamed: whole once, and then what became different."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from migrations_app import wiring
from migrations_app.control.references.queries.groups import KEY, groups_around
from migrations_app.control.references.queries.redaction import Redaction
from migrations_app.control.references.queries.references import graph_around
from migrations_app.domain.access import Actor, Target, decide
from migrations_app.domain.reach import Reach
from migrations_app.engine.serving.pulse import FeedActivity
from migrations_app.engine.serving.references.graph import DEEPEST
from migrations_app.engine.serving.references.nodes import ReferenceNode
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, message

_NAME_FORM = "//{service}/{region}/{name}"
FAMILY = "references:"
GROUPS = "groups"
MOST_NODES = 2_500
"""As many as the page asks for; what is drawn of them is less."""


@dataclass(frozen=True, slots=True)
class GraphTopic:
    """Which graph a topic names: `references:{direction}:{depth}://{service}/{region}/{name}`.

    The direction `groups` asks for the counts of groups instead of single references.
    """

    direction: str
    depth: int
    focus: ReferenceNode

    @classmethod
    def parse(cls, topic: str) -> GraphTopic:
        """Read a topic.

        Raises: Invalid (`topic`, `full-name`).
        """
        direction, depth, name = (*topic.removeprefix(FAMILY).split(":", 2), "", "")[:3]
        levels = [str(level) for level in range(1, DEEPEST + 1)]
        is_counted = direction == GROUPS and depth == "1"
        if not is_counted and (direction not in ("in", "out", "both") or depth not in levels):
            raise Invalid(
                message("{topic} names no graph.", topic=repr(topic[:80])),
                code="topic",
                remedy=message(
                    "Ask for {graph}, or for {groups}.",
                    graph=f"{FAMILY}{{in|out|both}}:{{1-{DEEPEST}}}:{_NAME_FORM}",
                    groups=f"{FAMILY}{GROUPS}:1:{_NAME_FORM}",
                ),
            )
        return cls(direction, int(depth), ReferenceNode.parse(name))


def refusal(actor: Actor, topic: str) -> WordedMessage:
    """Say why an account may not follow this graph, or nothing."""
    try:
        focus = GraphTopic.parse(topic).focus
    except Invalid as error:
        return error.words + error.remedy_words
    target = Target("deployment", service=focus.service, region=focus.region)
    decision = decide(actor, "resource.read", target)
    return NOTHING if decision.allowed else decision.words


def graph_of(topic: str, reach: Reach) -> JsonObject:
    """Read a graph as it is streamed to who may read this far: `nodes` and `edges` by their keys, so that a difference can name them.

    Raises: Invalid, Missing (`deployment-missing`, `not-found`).
    """
    asked = GraphTopic.parse(topic)
    if asked.direction == GROUPS:
        counted = groups_around(asked.focus, Redaction(reach))
        return {
            "focus": counted["focus"],
            "nodes": _by(counted["groups"], *KEY),
            "edges": {},
            "unknown": counted["unknown"],
        }
    found = graph_around(asked.focus, asked.direction, asked.depth, MOST_NODES, Redaction(reach))
    return {**found, "nodes": _by(found["nodes"], "id"), "edges": _by(found["edges"], *EDGE)}


EDGE = ("source", "target", "kind", "path")


def _by(items: Json, *names: str) -> JsonObject:
    assert isinstance(items, list)
    return {" ".join(str(item[name]) for name in names): item for item in items if isinstance(item, dict)}


def difference(before: JsonObject, after: JsonObject) -> JsonObject | None:
    """Tell what became different: entries of `nodes` and `edges` that are new or other, or null when gone.

    None when nothing is different.
    """
    changed: JsonObject = {}
    for name, now in after.items():
        then = before.get(name)
        if name in ("nodes", "edges") and isinstance(now, dict) and isinstance(then, dict):
            parts = _entries(then, now)
            if parts:
                changed[name] = parts
        elif now != then:
            changed[name] = now
    return changed or None


def _entries(then: Mapping[str, Json], now: Mapping[str, Json]) -> JsonObject:
    changed: JsonObject = {key: value for key, value in now.items() if then.get(key) != value}
    return changed | {key: None for key in then if key not in now}


class Writes:
    """Tells whether anything was written in the deployments here since it was asked last."""

    def __init__(self) -> None:
        self._pulse: FeedActivity | None = None

    def moved(self) -> bool:
        """Tell it; the first answer is yes."""
        if self._pulse is None:
            self._pulse = FeedActivity(wiring.resource_servers().router, wiring.feed())
        return self._pulse.moved(wiring.looked_at())

"""What watchers are told: events of the live stream, and how they fold and apply."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from migrations_app.kernel.json import JsonObject

Key: TypeAlias = tuple[str, str, str]
Place: TypeAlias = tuple[str, str]
State: TypeAlias = "dict[Key, tuple[int, JsonObject]]"

TOPICS = ("fleet", "approvals", "audit", "health", "operations")
TOPIC_FAMILIES = ("upgrade:", "references:")


@dataclass(frozen=True, slots=True)
class Event:
    """One change of one thing: it is now `full`, or `patch` lies over it, or (neither) it is gone.

    `rev` grows with each change of the thing; zero means that it has no revisions and the order decides.
    """

    seq: int
    ts: datetime
    topic: str
    kind: str
    id: str
    rev: int = 0
    full: JsonObject | None = None
    patch: JsonObject | None = None
    places: tuple[Place, ...] = ()
    """The (service, region) pairs it speaks of, a noun left empty where there is none: who may not read every one
    of them is not told. Without any it is bound to no place. Not part of what is told."""

    @property
    def key(self) -> Key:
        """Name the thing this event speaks of."""
        return (self.topic, self.kind, self.id)

    @property
    def gone(self) -> bool:
        """Tell whether the thing is no more."""
        return self.full is None and self.patch is None


def known_topic(topic: str) -> bool:
    """Tell whether there is such a topic."""
    return topic in TOPICS or any(
        topic.startswith(family) and len(topic) > len(family) for family in TOPIC_FAMILIES
    )


def apply(state: State, event: Event) -> State:
    """Apply one event to what a watcher knows; an older revision, or a patch of an unknown thing, is ignored."""
    known = state.get(event.key)
    if known is not None and event.rev < known[0]:
        return state
    if event.gone:
        return {key: value for key, value in state.items() if key != event.key}
    if event.full is not None:
        return {**state, event.key: (event.rev, event.full)}
    if known is None:
        return state
    return {**state, event.key: (event.rev, {**known[1], **(event.patch or {})})}


def fold(events: Iterable[Event]) -> list[Event]:
    """Fold the events of each thing into one with the same effect, in the order of their newest numbers."""
    newest: dict[Key, Event] = {}
    for event in events:
        earlier = newest.pop(event.key, None)
        newest[event.key] = event if earlier is None else _over(earlier, event)
    return list(newest.values())


def gathered(events: Iterable[Event]) -> list[Event]:
    """Gather folded reports of an upgrade's shards into one event `shards`, in the order of their newest numbers.

    Shape: its patch has `items`, the shards that reported, each whole; with a ring of thousands one message, not thousands.
    """
    newest: dict[Key, Event] = {}
    for event in events:
        if event.kind != "shard" or event.full is None:
            newest[event.key] = event
            continue
        several = replace(event, kind="shards", id=event.topic.partition(":")[2], full=None)
        earlier = newest.pop(several.key, None)
        items = earlier.patch["items"] if earlier and earlier.patch else []
        assert isinstance(items, list)
        newest[several.key] = replace(several, patch={"items": [*items, event.full]})
    return list(newest.values())


def _over(earlier: Event, later: Event) -> Event:
    """Lay a later event over an earlier one of the same thing; patches lie over the top level only."""
    if later.rev < earlier.rev:
        return replace(earlier, seq=later.seq, ts=later.ts)
    if later.patch is None or earlier.gone:
        # A patch of what is gone changes nothing, and the watcher must still hear that it is gone.
        keeps = later.patch is None
        return later if keeps else replace(earlier, seq=later.seq, ts=later.ts)
    if earlier.full is not None:
        return replace(later, full={**earlier.full, **later.patch}, patch=None)
    return replace(later, patch={**(earlier.patch or {}), **later.patch})

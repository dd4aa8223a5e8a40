"""The live stream as it is read: what became visible, what to replay, and who may listen to what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from migrations_app.adapters.pulses import PulseRows
from migrations_app.control.approval_policies.repository.approvals import environment
from migrations_app.control.events import outbox
from migrations_app.control.references.queries import stream as reference_stream
from migrations_app.domain.access import Actor, Target, decide, reach_of
from migrations_app.domain.events import Event, fold, gathered, known_topic
from migrations_app.domain.reach import Reach
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.models.upgrades import Upgrade

# More than this is read again faster than it is replayed.
LONGEST_REPLAY = 5_000
RIGHTS = "access"
UPGRADE = "upgrade:"

PERMISSION = {
    "fleet": "fleet.read",
    "approvals": "approval.read",
    "audit": "audit.read",
    "health": "health.read",
    "operations": "operation.read",
    "upgrade": "upgrade.read",
    "references": "resource.read",
}


BOUND = ("fleet", "approvals", "audit", "operations", "references")
"""Topics whose events tell of many places: a watcher hears of those that the topic's permission reaches."""


@dataclass(frozen=True, slots=True)
class News:
    """What became visible since a number, up to and with `upto`."""

    upto: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """What a watcher missed; or that it must read everything again."""

    events: tuple[Event, ...] = ()
    resync: bool = False


def newest() -> int:
    """Tell the newest number."""
    return outbox.number().seq


def news(since: int) -> News:
    """Read what became visible since a number; after a number that never was, start from the newest."""
    head = outbox.number()
    if since > head.seq:
        return News(head.seq, ())
    events = outbox.read(since, head.seq)
    return News(events[-1].seq if events else head.seq, tuple(events))


def report(name: str, watchers: int, lag_ms: int) -> None:
    """Note for the health page how many watch this process, and how old the oldest change was when it was sent."""
    PulseRows().beat(name, "stream", {"watchers": watchers, "lag_ms": lag_ms})


def reaches(actor: Actor) -> dict[str, Reach]:
    """Tell of each topic that is about many places which of them this actor may hear of."""
    return {topic: reach_of(actor, PERMISSION[topic]) for topic in BOUND}


def concerns(event: Event, reaches: Mapping[str, Reach]) -> bool:
    """Tell whether a watcher with these reaches may hear of an event, on a topic that they may follow."""
    reach = reaches.get(event.topic)
    # A rule is about a scope of globs: who is shown it in lists hears of it.
    return reach is None or all(reach.covers(*place) or reach.meets(*place) for place in event.places)


def replay(topics: frozenset[str], reaches: Mapping[str, Reach], since: int, upto: int) -> Replay:
    """Read what a watcher of these topics missed between two numbers, folded, as far as they may hear of it."""
    head = outbox.number()
    if since > upto or since < head.pruned or upto - since > LONGEST_REPLAY:
        return Replay(resync=True)
    events = outbox.read(since, upto, LONGEST_REPLAY)
    mine = (event for event in events if event.topic in topics and concerns(event, reaches))
    return Replay(tuple(gathered(fold(mine))))


def refusals(actor: Actor, topics: Collection[str]) -> dict[str, WordedMessage]:
    """Say why an account may not listen to each of these topics; those they may listen to are left out."""
    ids = [topic.removeprefix(UPGRADE) for topic in topics if topic.startswith(UPGRADE)]
    rows = Upgrade.objects.filter(pk__in=ids).values_list("pk", "service", "region") if ids else ()
    targets = {
        UPGRADE + id: Target("upgrade", id, service, region, environment()) for id, service, region in rows
    }
    reasons = {topic: _refusal(actor, topic, targets.get(topic)) for topic in topics}
    return {topic: reason for topic, reason in reasons.items() if reason}


def absent(topics: Collection[str]) -> dict[str, WordedMessage]:
    """Say of each topic of an upgrade that there is no such upgrade; topics of what there is are left out."""
    ids = {topic.removeprefix(UPGRADE) for topic in topics if topic.startswith(UPGRADE)}
    known = {*Upgrade.objects.filter(pk__in=ids).values_list("pk", flat=True)} if ids else set()
    return {
        UPGRADE + id: message("There is no upgrade {upgrade_id}.", upgrade_id=repr(id[:80]))
        for id in ids - known
    }


def _refusal(actor: Actor, topic: str, target: Target | None) -> WordedMessage:
    if not known_topic(topic):
        return message("There is no topic {topic}.", topic=repr(topic))
    if topic.startswith(reference_stream.FAMILY):
        return reference_stream.refusal(actor, topic)
    noun, _, id = topic.partition(":")
    decision = decide(actor, PERMISSION[noun], target or Target(noun, id))
    return NOTHING if decision.allowed else decision.words

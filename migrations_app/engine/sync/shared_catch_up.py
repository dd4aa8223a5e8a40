"""Shards followed abreast: one slice carries what all of them have to follow, and the others need not ask.

Asked one by one, sixteen shards with a dozen changes a second each cost sixteen times every question. Whatever is out
of the ordinary (a worklist, a change that does not convert, more changes than one batch takes) makes a shard go by
itself, as `follow` does it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import cast

from migrations_app.domain.sync import latest_per_key
from migrations_app.engine.controller import Share
from migrations_app.engine.sync.catch_up import CatchUpResult, changes_with_counterpart, pass_on
from migrations_app.engine.sync.quarantine import apply
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline, live_positions
from migrations_app.engine.sync.single_resources import carry_changes
from migrations_app.kernel.errors import FeedTrimmed
from migrations_app.kernel.failpoints import reach
from migrations_app.ports.namespaces import Position
from migrations_app.ports.stored import ReplicationToken

CHANGES = 5000
FRESH_SECONDS = 1.0
"""How long what one slice carried counts for the slices of the other shards; each is told of it once."""


@dataclass(slots=True)
class ShardHints:
    """What this process knows of the shards of one upgrade in one direction; hints only, all of it."""

    # The shards without a worklist, as their own slices found them.
    clear: set[int] = field(default_factory=set)
    # Those that the table said are caught up, with their lags, when the first shard's slice asked last.
    caught_up: Mapping[int, float | None] = field(default_factory=dict)
    turn: Share = field(default_factory=lambda: Share(1))
    at: float = float("-inf")
    # Whether there were changes, or something in the way of carrying them, since that was asked.
    moved: bool = False
    apart_at: float = float("-inf")
    # When copying shards beside each other last met something that was in the way.
    parted_at: float = float("-inf")
    carried: CatchUpResult | None = None
    untold: set[int] = field(default_factory=set)
    counts: Counter[int] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def tell(self, shard: int, now: float) -> CatchUpResult | None:
        """Tell a shard, once, what was carried for it a moment ago."""
        with self.lock:
            if self.carried is None or now - self.at > FRESH_SECONDS or shard not in self.untold:
                return None
            self.untold.discard(shard)
            return replace(self.carried, applied=self.counts.pop(shard, 0))

    def note(self, at: float, carried: CatchUpResult, counts: Counter[int]) -> None:
        """Keep what was carried, as of the moment before it was read."""
        with self.lock:
            self.at, self.carried, self.untold = at, carried, set(self.clear)
            # Not by how much was read: pulses come all the time.
            self.moved = self.moved or bool(counts)
            self.counts.update(counts)

    def goes_apart(self, now: float) -> bool:
        """Tell whether something was in the way of carrying them together a moment ago."""
        return now - self.apart_at <= FRESH_SECONDS

    def take_moved(self) -> bool:
        """Tell whether something was carried, or could not be, since this was asked last."""
        with self.lock:
            moved, self.moved = self.moved, False
            return moved

    @property
    def is_busy(self) -> bool:
        """Tell whether a slice carries the shards now; asking keeps none from it."""
        return self.turn.is_full


def catch_up_together(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    shard_hints: ShardHints,
    replication_token: ReplicationToken,
) -> CatchUpResult | None:
    """Carry what all clear shards have to follow; None when this shard has to go by itself.

    Once: as `follow`; the cursors move only after everything was applied.
    Raises: Stale when the replication token is void · Busy.
    """
    now = ports.clock.monotonic()
    with shard_hints.turn.taken() as free:
        if not free or shard_hints.goes_apart(now) or shard_hints.clear == {pipeline.shard}:
            return None
        done = _carry(ports, pipeline, shard_hints, replication_token)
        if done is None:
            # They go by themselves for a moment: what was in the way is in one of them.
            shard_hints.apart_at, shard_hints.moved = now, True
            return None
        shard_hints.note(now, *done)
    return shard_hints.tell(pipeline.shard, now)


def _carry(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    shard_hints: ShardHints,
    replication_token: ReplicationToken,
) -> tuple[CatchUpResult, Counter[int]] | None:
    shards = sorted(shard_hints.clear)
    live = live_positions(ports, pipeline.origin, pipeline.follower)
    cursors = {shard: position for shard, position in live.items() if shard in shards}
    if cursors.keys() != set(shards):
        return None
    # Counting costs a tenth of reading what would be left to others anyway.
    if ports.feed.backlog(pipeline.origin, cursors).entries >= CHANGES:
        return None
    try:
        # Each from its own cursor: what another shard has passed, and what was deleted of it, is none of its matter.
        batch = ports.feed.read(pipeline.origin, cursors, limit=CHANGES)
    except FeedTrimmed as error:
        # Its own slice copies such a shard again; the others go on together at the next slice.
        shard_hints.clear.difference_update(cast("tuple[int, ...]", error.nouns["shards"]))
        return None
    newest = latest_per_key(changes_with_counterpart(pipeline, batch))
    load = carry_changes(ports, pipeline, newest) if batch.level else None
    if load is None or load.unapplied or load.hidden:
        return None
    reach("follow.before")
    applied = apply(ports, pipeline, load, replication_token)
    if load.unapplied:
        return None
    reach("follow.applied")
    pass_on(ports, pipeline, shards, earliest(ports, list(cursors.values())), batch)
    reach("follow.passed")
    done = applied.written + applied.removed
    counts = (
        Counter(change.shard for change in newest) if done == len(newest) else Counter({pipeline.shard: done})
    )
    return CatchUpResult(batch.position, batch.reached, len(batch.changes), done, batch.level), counts


def earliest(ports: PipelinePorts, positions: list[Position]) -> Position:
    """Tell the place from which everything after each of these places can be read."""
    found, *others = positions
    for position in others:
        if ports.feed.reached(found, position):
            found = position
    return found

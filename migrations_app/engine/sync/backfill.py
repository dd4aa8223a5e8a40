"""The backfill: one page of what exists, converted and copied, with its checkpoint."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.engine.sync.carry import HANGS, Load, carry
from migrations_app.engine.sync.lane import Lane, Yard
from migrations_app.engine.sync.poison import Worklist, apply, park
from migrations_app.kernel.errors import Busy, Stale, SwitchyardError
from migrations_app.kernel.failpoints import reach
from migrations_app.ports.checkpoints import Checkpoint, Stage
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Stretch, Warrant

PAGE = 5000
COUNTED_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Page:
    """What one page came to: where to go on (None at the end of the type) and how many were read."""

    last: str | None
    read: int


class Counts:
    """How many resources there are by type and shard; the shards of an upgrade begin together and ask once."""

    def __init__(self) -> None:
        self._known: dict[tuple[Namespace, str], tuple[float, dict[int, int]]] = {}

    def total(self, yard: Yard, lane: Lane) -> int:
        """Count the resources of a lane."""
        now, total = yard.clock.monotonic(), 0
        for type_ in lane.types:
            at, counts = self._known.get((lane.origin, type_), (-COUNTED_SECONDS, {}))
            if now - at >= COUNTED_SECONDS:
                counts = yard.store.counts(lane.origin, type_)
                self._known[lane.origin, type_] = (now, counts)
            total += counts.get(lane.shard, 0)
        return total


def begin(yard: Yard, lane: Lane, checkpoint: Checkpoint, total: int) -> Checkpoint:
    """Start at the first type; `total` is what the bar runs to."""
    return _open_type(yard, lane, checkpoint.moved(stage=Stage.BACKFILL, total=total), lane.types)


def step(
    yard: Yard, lane: Lane, checkpoint: Checkpoint, warrant: Warrant, known: Worklist, limit: int = PAGE
) -> Checkpoint:
    """Copy the next page and tell the checkpoint after it; the caller saves it.

    Once: pages are idempotent, since only what is newer is kept; a page whose checkpoint was lost is repeated.
    Raises: Stale when the warrant is void · Busy.
    """
    reach("backfill.before")
    stretch = Stretch(checkpoint.type, lane.shard, checkpoint.name, checkpoint.upper, limit)
    page = (
        _inside(yard, lane, stretch, warrant)
        or _straight(yard, lane, stretch, warrant, known)
        or _through(yard, lane, stretch, warrant, known)
    )
    reach("backfill.after")
    copied = checkpoint.copied + page.read
    # Writers went on while it was counted; a bar never runs over its end.
    moved = checkpoint.moved(copied=copied, total=max(checkpoint.total, copied))
    if page.last is not None:
        return moved.moved(name=page.last)
    rest = [type_ for type_ in lane.types if type_ > checkpoint.type]
    return _open_type(yard, lane, moved, rest)


def _open_type(yard: Yard, lane: Lane, checkpoint: Checkpoint, types: list[str]) -> Checkpoint:
    for type_ in types:
        upper = yard.store.bound(lane.origin, type_, lane.shard)
        if upper is not None:
            return checkpoint.moved(type=type_, name="", upper=upper)
    return checkpoint.moved(stage=Stage.FOLLOW, type="", name="", upper=None, total=checkpoint.copied)


def _inside(yard: Yard, lane: Lane, stretch: Stretch, warrant: Warrant) -> Page | None:
    """Let the database convert and copy the page, if it can; None sends the page through Python."""
    converter = lane.converters[stretch.type]
    if converter.sql is None or converter.target_type is None:
        return None
    try:
        copied = yard.store.copy_within(
            lane.origin, lane.passive, stretch, converter.target_type, converter.sql, warrant
        )
    except (Busy, Stale):
        raise
    except SwitchyardError:
        # One statement for the whole page cannot say which resource it choked on; Python can.
        return None
    return None if copied is None else Page(copied.last, copied.read)


def _straight(yard: Yard, lane: Lane, stretch: Stretch, warrant: Warrant, known: Worklist) -> Page | None:
    """Let the store carry the page and convert only; None sends it one by one, where something is in the way."""
    converter = lane.converters[stretch.type]
    if known or lane.in_place or converter.target_type is None:
        return None
    try:
        copied = yard.store.copy_through(
            lane.origin, lane.passive, stretch, converter.target_type, converter.forward, warrant
        )
    except (Busy, Stale):
        raise
    except Exception:
        # A conversion may raise anything: whose it was, and what becomes of it, is told by the way around.
        return None
    return None if copied is None else Page(copied.last, copied.read)


def _through(yard: Yard, lane: Lane, stretch: Stretch, warrant: Warrant, known: Worklist) -> Page:
    resources = yard.store.page(lane.origin, stretch)
    load, full = Load(), len(resources) == stretch.limit
    # What is on the worklist already is tried again by it, not by every repetition of the page.
    for resource in resources:
        if (resource.type, resource.name) not in known:
            carry(lane, [resource], load)
            if load.hung.get(stretch.type, 0) >= HANGS:
                # The page ends here, so that what was done is kept and the next slice goes on after it.
                resources, full = resources[: resources.index(resource) + 1], True
                break
    # `copy` is fastest with names in order, and conversion may have changed the order.
    load.carriages.sort(key=lambda carriage: carriage.name.encode())
    apply(yard, lane, load, warrant, copy=True)
    park(yard, lane, load.poisons, known)
    return Page(resources[-1].name if full else None, len(resources))

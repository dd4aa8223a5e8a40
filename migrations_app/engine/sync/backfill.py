"""The backfill: one page of what exists, converted and copied, with its checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrations_app.engine.sync.carry import HANGS, Load, carry
from migrations_app.engine.sync.lane import Lane, Yard
from migrations_app.engine.sync.poison import Worklist, apply, hide, park
from migrations_app.kernel.errors import Busy, Stale, SwitchyardError
from migrations_app.kernel.failpoints import reach
from migrations_app.ports.checkpoints import Checkpoint, Stage
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Copied, Stretch, Warrant

PAGE = 5000
COUNTED_SECONDS = 10.0


class Counts:
    """How many resources there are by type and shard; the shards of an upgrade begin together and ask once."""

    def __init__(self) -> None:
        self._known: dict[tuple[Namespace, str], tuple[float, dict[int, int]]] = {}

    def totals(self, yard: Yard, lane: Lane) -> dict[int, int]:
        """Count the resources of every shard, all types of a lane together."""
        now, totals = yard.clock.monotonic(), dict.fromkeys(range(lane.record.ring), 0)
        for type_ in lane.types:
            at, counts = self._known.get((lane.origin, type_), (-COUNTED_SECONDS, {}))
            if now - at >= COUNTED_SECONDS:
                counts = yard.store.counts(lane.origin, type_)
                self._known[lane.origin, type_] = (now, counts)
            for shard, count in counts.items():
                totals[shard] += count
        return totals


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
    return _moved(yard, lane, checkpoint, page.read, page.last)


def step_abreast(
    yard: Yard, lane: Lane, checkpoints: Sequence[Checkpoint], warrant: Warrant, limit: int = PAGE
) -> list[Checkpoint] | None:
    """Copy the next page of several shards, all within one type; tell the checkpoints after it, for the caller to save.

    Those that are behind catch up with those ahead. None when something is in the way: then each goes by itself.

    Once: as `step`; each checkpoint counts for its own shard.
    Raises: Stale when the warrant is void · Busy.
    """
    reach("backfill.before")
    first, *others = checkpoints
    upper = max((one.upper or "" for one in checkpoints), key=str.encode)
    beside = tuple((one.key.shard, one.name) for one in others)
    stretch = Stretch(first.type, first.key.shard, first.name, upper, limit, beside)
    page = _inside(yard, lane, stretch, warrant) or _straight(yard, lane, stretch, warrant, {})
    if page is None:
        return None
    reach("backfill.after")
    return [
        _moved(yard, replace(lane, key=one.key), one, page.shares.get(one.key.shard, 0), page.last)
        for one in checkpoints
    ]


def _moved(yard: Yard, lane: Lane, checkpoint: Checkpoint, read: int, last: str | None) -> Checkpoint:
    """Move a checkpoint past a page, and at the end of a type to the next; never back."""
    copied = checkpoint.copied + read
    # Writers went on while it was counted; a bar never runs over its end.
    moved = checkpoint.moved(copied=copied, total=max(checkpoint.total, copied))
    if last is not None:
        return moved.moved(name=max(last, checkpoint.name, key=str.encode))
    rest = [type_ for type_ in lane.types if type_ > checkpoint.type]
    return _open_type(yard, lane, moved, rest)


def _open_type(yard: Yard, lane: Lane, checkpoint: Checkpoint, types: list[str]) -> Checkpoint:
    for type_ in types:
        upper = yard.store.bound(lane.origin, type_, lane.shard)
        if upper is not None:
            return checkpoint.moved(type=type_, name="", upper=upper)
    return checkpoint.moved(stage=Stage.FOLLOW, type="", name="", upper=None, total=checkpoint.copied)


def _inside(yard: Yard, lane: Lane, stretch: Stretch, warrant: Warrant) -> Copied | None:
    """Let the database convert and copy the page, if it can; None sends the page through Python."""
    converter = lane.converters[stretch.type]
    if converter.sql is None or converter.target_type is None:
        return None
    try:
        return yard.store.copy_within(
            lane.origin, lane.passive, stretch, converter.target_type, converter.sql, warrant
        )
    except (Busy, Stale):
        raise
    except SwitchyardError:
        # One statement for the whole page cannot say which resource it choked on; Python can.
        return None


def _straight(yard: Yard, lane: Lane, stretch: Stretch, warrant: Warrant, known: Worklist) -> Copied | None:
    """Let the store carry the page and convert only; None sends it one by one, where something is in the way."""
    converter = lane.converters[stretch.type]
    if known or lane.in_place or converter.target_type is None:
        return None
    try:
        return yard.store.copy_through(
            lane.origin, lane.passive, stretch, converter.target_type, converter.forward, warrant
        )
    except (Busy, Stale):
        raise
    except Exception:
        # A conversion may raise anything: whose it was, and what becomes of it, is told by the way around.
        return None


def _through(yard: Yard, lane: Lane, stretch: Stretch, warrant: Warrant, known: Worklist) -> Copied:
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
    applied = apply(yard, lane, load, warrant, copy=True)
    park(yard, lane, load.poisons, known)
    hide(yard, lane, load, [], known)
    return Copied(len(resources), applied.written, resources[-1].name if full else None)

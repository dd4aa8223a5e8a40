"""The downgrade loss: how many resources of the newer version hold what the older one cannot show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from migrations_app.domain.conversion.bag import is_bagged
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.engine.controller import Lease
from migrations_app.engine.parity.pages import page_of_shards
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline, pipeline_of
from migrations_app.ports.checkpoints import Price, Scan
from migrations_app.ports.comparing import CountedPage, CountedRange
from migrations_app.ports.conversions import Converter
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import KeyRange, StoredResource
from migrations_app.ports.upgrades import Direction, UpgradeRecord


@dataclass(frozen=True, slots=True)
class DowngradeLoss:
    """The price over all shards: `found` of `looked` when not `whole`, else all there were `at` the oldest count."""

    whole: bool
    losses: int
    looked: int
    at: datetime | None = None
    error: str = ""


def count_page(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    lease: Lease,
    limit: int,
    again: timedelta,
    *,
    scan: Scan | None = None,
    counted: CountedRange | None = None,
) -> bool:
    """Count the next page of a shard; `again` after a whole pass the next one begins. Tells if there is more to do.

    The comparison of the same shard stands at `scan`, and its last page was `counted` with it: what it is about to
    look at is not read twice.

    Once: a page whose row was not saved is counted again from the same place.
    Raises: Stale when another worker was faster.
    """
    if pipeline.in_place or not pipeline.record.enable_downgrade_sync:
        return False
    now, price = ports.clock.now(), ports.checkpoints.load_price(pipeline.key)
    if price.ended_at is not None and now < price.ended_at + again:
        return False
    rests = scan is not None and scan.ended_at is not None
    if ports.throttle.reason(pipeline.origin) or (rests and price.ended_at is not None):
        # The next pass begins with that of the comparison.
        return False
    if price.started_at is None or price.ended_at is not None:
        price = replace(price, type="", name="", looked=0, losses=0, error="", started_at=now, ended_at=None)
    newer, back = _newer(ports, pipeline)
    # What is the same in both versions stays as it is on a rollback.
    types = sorted(type_ for type_, each in back.items() if each.target_types and not each.identity)
    type_ = price.type or (types[0] if types else "")
    key_range = KeyRange(type_, pipeline.shard, price.name, None, limit)
    page = _next_page(ports, pipeline, price, newer, back, key_range, scan, counted)
    if page is None:
        return False
    moved, last = page
    rest = [other for other in types if other > type_]
    if last is not None:
        moved = replace(moved, type=type_, name=last)
    elif rest:
        moved = replace(moved, type=rest[0], name="")
    else:
        moved = replace(moved, ended_at=now, counted=moved.losses, counted_at=price.started_at)
    ports.checkpoints.save_price(moved, lease.epoch)
    return moved.ended_at is None


def price_of(ports: PipelinePorts, record: UpgradeRecord, direction: Direction) -> DowngradeLoss:
    """Add the shards up. What is counted stays told while it is counted again."""
    prices = ports.checkpoints.prices(record.id, direction)
    error = next((each.error for each in prices if each.error), "")
    counted = [(each.counted, each.counted_at) for each in prices]
    done = [(many, at) for many, at in counted if many is not None and at is not None]
    if len(done) == record.ring_of(direction):
        return DowngradeLoss(True, sum(many for many, _ in done), 0, min(at for _, at in done), error)
    found = sum(each.counted if each.counted is not None else each.losses for each in prices)
    return DowngradeLoss(False, found, sum(each.looked for each in prices), None, error)


def _newer(ports: PipelinePorts, pipeline: ShardPipeline) -> tuple[Namespace, dict[str, Converter]]:
    """Give the namespace of the newer version, and what converts it to the older one."""
    if pipeline.key.direction is Direction.REVERSE:
        return pipeline.origin, dict(pipeline.converters)
    return pipeline.passive, dict(
        pipeline_of(ports, pipeline.record, Direction.REVERSE, pipeline.shard).converters
    )


def _next_page(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    price: Price,
    newer: Namespace,
    back: dict[str, Converter],
    key_range: KeyRange,
    scan: Scan | None,
    compared: CountedRange | None,
) -> tuple[Price, str | None] | None:
    """Take over what was counted while comparing, or count a page; tell the name to go on after, if there is more.

    None where the comparison has yet to look at this page, and will count it.
    """
    if not key_range.type:
        return price, None
    opposite = back[key_range.type]
    filled = _filled_from(pipeline, newer, opposite, key_range.type)
    if compared is not None and (filled, price.name) == (compared.type, compared.after):
        return _added(price, compared.page)
    if filled and scan is not None and _is_still_compared(scan, filled, price.name):
        there = pipeline.converters[filled]
        if _is_counted_there(ports, pipeline, newer, there, opposite):
            return None
    return _counted_page(ports, pipeline, price, newer, back, key_range)


def _counted_page(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    price: Price,
    newer: Namespace,
    back: dict[str, Converter],
    key_range: KeyRange,
) -> tuple[Price, str | None]:
    """Count a page, where the data lie if they can be converted there."""
    shards = pipeline.passive_shards if newer == pipeline.passive else (pipeline.shard,)
    counted = _counted(ports, pipeline, newer, back[key_range.type], key_range) if len(shards) == 1 else None
    if counted is not None:
        return _added(price, counted)
    page = page_of_shards(ports, newer, shards, key_range)
    moved = _looked(price, back, key_range.type, page)
    return moved, page[-1].name if len(page) == key_range.limit else None


def _added(price: Price, counted: CountedPage) -> tuple[Price, str | None]:
    moved = replace(price, looked=price.looked + counted.read, losses=price.losses + counted.losses)
    return moved, counted.last if counted.more else None


def _is_still_compared(scan: Scan, type_: str, name: str) -> bool:
    """Tell whether the comparison under way has yet to look at what follows a name, both ways at once."""
    under_way = scan.started_at is not None and scan.ended_at is None and not scan.backwards
    return under_way and scan.both_ways and (type_, name) >= (scan.type, scan.name)


def _is_counted_there(
    ports: PipelinePorts, pipeline: ShardPipeline, newer: Namespace, there: Converter, back: Converter
) -> bool:
    """Tell whether the comparison counts with the same look; one that does not is not waited for."""
    if ports.comparing is None or there.refers or there.referring:
        return False
    return ports.comparing.keeps_names(pipeline.origin, newer, there, back)


def _filled_from(pipeline: ShardPipeline, newer: Namespace, back: Converter, newer_type: str) -> str:
    """Name the type of the origin that a type of the newer version is filled from one to one; else nothing."""
    type_ = back.target_type or ""
    there = pipeline.converters.get(type_)
    fills = pipeline.key.direction is Direction.FORWARD and pipeline.origin.ring == newer.ring
    return type_ if fills and there is not None and there.target_type == newer_type else ""


def _counted(
    ports: PipelinePorts, pipeline: ShardPipeline, newer: Namespace, back: Converter, key_range: KeyRange
) -> CountedPage | None:
    """Count where the data lie; before a switch from what the newer version is filled from, which costs less.

    That a resource there is what its origin converts to is what the scan proves.
    """
    if ports.comparing is None:
        return None
    type_ = _filled_from(pipeline, newer, back, key_range.type)
    if type_:
        origin, there = replace(key_range, type=type_), pipeline.converters[type_]
        counted = ports.comparing.count_return_page(pipeline.origin, origin, there, back)
        if counted is not None:
            return counted
    return ports.comparing.count_page(newer, key_range, back)


def _looked(price: Price, back: dict[str, Converter], type_: str, page: Sequence[StoredResource]) -> Price:
    found, error = price.losses, price.error
    for resource in page:
        try:
            found += is_bagged(back[type_].forward(resource.name, resource.body).body)
        except NoImage:
            found += 1
        except Exception as failed:
            # A hook may raise anything; what does not roll back at all is no price, it is a fault.
            error = error or f"{type_} {resource.name}: {failed}"
    return replace(price, looked=price.looked + len(page), losses=found, error=error)

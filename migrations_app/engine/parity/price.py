"""The price of going back: how many resources of the newer version hold what the older one cannot show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from migrations_app.domain.conversion.bag import is_bagged
from migrations_app.domain.conversion.namemap import NoImage
from migrations_app.engine.controller import Lease
from migrations_app.engine.sync.lane import Lane, Yard, lane_of
from migrations_app.ports.checkpoints import Price
from migrations_app.ports.comparing import CountedPage
from migrations_app.ports.conversions import Converter
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Resource, Stretch
from migrations_app.ports.upgrades import Direction, UpgradeRecord


@dataclass(frozen=True, slots=True)
class Told:
    """The price over all shards: `found` of `looked` when not `whole`, else all there were `at` the oldest count."""

    whole: bool
    found: int
    looked: int
    at: datetime | None = None
    error: str = ""


def count_page(yard: Yard, lane: Lane, lease: Lease, limit: int, again: timedelta) -> bool:
    """Count the next page of a shard; `again` after a whole pass the next one begins. Tells if there is more to do.

    Once: a page whose row was not saved is counted again from the same place.
    Raises: Stale when another worker was faster.
    """
    if lane.in_place or not lane.record.enable_downgrade_sync:
        return False
    now, price = yard.clock.now(), yard.checkpoints.load_price(lane.key)
    if price.ended_at is not None and now < price.ended_at + again:
        return False
    if yard.throttle.reason(lane.origin):
        return False
    if price.started_at is None or price.ended_at is not None:
        price = replace(price, type="", name="", looked=0, found=0, error="", started_at=now, ended_at=None)
    newer, back = _newer(yard, lane)
    # What is the same in both versions goes back as it is.
    types = sorted(
        type_ for type_, each in back.items() if each.target_type is not None and not each.identity
    )
    type_ = price.type or (types[0] if types else "")
    stretch = Stretch(type_, lane.shard, price.name, None, limit)
    moved, last = _next_page(yard, lane, price, newer, back, stretch)
    rest = [other for other in types if other > type_]
    if last is not None:
        moved = replace(moved, type=type_, name=last)
    elif rest:
        moved = replace(moved, type=rest[0], name="")
    else:
        moved = replace(moved, ended_at=now, counted=moved.found, counted_at=price.started_at)
    yard.checkpoints.save_price(moved, lease.epoch)
    return moved.ended_at is None


def price_of(yard: Yard, record: UpgradeRecord, direction: Direction) -> Told:
    """Add the shards up. What is counted stays told while it is counted anew."""
    prices = yard.checkpoints.prices(record.id, direction)
    error = next((each.error for each in prices if each.error), "")
    counted = [(each.counted, each.counted_at) for each in prices]
    done = [(many, at) for many, at in counted if many is not None and at is not None]
    if len(done) == record.ring:
        return Told(True, sum(many for many, _ in done), 0, min(at for _, at in done), error)
    found = sum(each.counted if each.counted is not None else each.found for each in prices)
    return Told(False, found, sum(each.looked for each in prices), None, error)


def _newer(yard: Yard, lane: Lane) -> tuple[Namespace, dict[str, Converter]]:
    """Give the namespace of the newer version, and what converts it to the older one."""
    if lane.key.direction is Direction.REVERSE:
        return lane.origin, dict(lane.converters)
    return lane.passive, dict(lane_of(yard, lane.record, Direction.REVERSE, lane.shard).converters)


def _next_page(
    yard: Yard, lane: Lane, price: Price, newer: Namespace, back: dict[str, Converter], stretch: Stretch
) -> tuple[Price, str | None]:
    """Count a page, where the data lie if they can be converted there; tell the name to go on after, if there is more."""
    if not stretch.type:
        return price, None
    counted = _counted(yard, lane, newer, back[stretch.type], stretch)
    if counted is not None:
        moved = replace(price, looked=price.looked + counted.read, found=price.found + counted.found)
        return moved, counted.last if counted.more else None
    page = yard.store.page(newer, stretch)
    moved = _looked(price, back, stretch.type, page)
    return moved, page[-1].name if len(page) == stretch.limit else None


def _counted(
    yard: Yard, lane: Lane, newer: Namespace, back: Converter, stretch: Stretch
) -> CountedPage | None:
    """Count where the data lie; before a switch from what the newer version is filled from, which costs less.

    That a resource there is what its origin converts to is what the scan proves.
    """
    if yard.comparing is None:
        return None
    there = lane.converters.get(back.target_type or "")
    fills = lane.key.direction is Direction.FORWARD and lane.origin.ring == newer.ring
    if fills and there is not None and there.target_type == stretch.type:
        origin = replace(stretch, type=back.target_type or "")
        counted = yard.comparing.count_return_page(lane.origin, origin, there, back)
        if counted is not None:
            return counted
    return yard.comparing.count_page(newer, stretch, back)


def _looked(price: Price, back: dict[str, Converter], type_: str, page: Sequence[Resource]) -> Price:
    found, error = price.found, price.error
    for resource in page:
        try:
            found += is_bagged(back[type_].forward(resource.name, resource.body).body)
        except NoImage:
            found += 1
        except Exception as failed:
            # A hook may raise anything; what does not go back at all is no price, it is a fault.
            error = error or f"{type_} {resource.name}: {failed}"
    return replace(price, looked=price.looked + len(page), found=found, error=error)

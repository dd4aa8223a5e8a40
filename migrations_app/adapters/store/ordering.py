"""The order of resources in memory, the same that PostgreSQL gives to values of jsonb."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from migrations_app.kernel.json import Json
from migrations_app.ports.store import SortKey, StoredResource

_RANKS: dict[type, int] = {type(None): 0, str: 1, int: 2, float: 2, bool: 3, list: 4, dict: 5}


def _sortable(value: Json) -> tuple[int, Any, str]:
    # The order of PostgreSQL's jsonb among kinds; within lists and objects only the size counts here.
    rank = _RANKS[type(value)]
    if isinstance(value, str):
        return rank, value.encode(), ""
    if isinstance(value, list | dict):
        return rank, float(len(value)), str(value)
    return rank, float(value or 0), ""


def value_at(order: SortKey, resource: StoredResource) -> Json:
    """Read what a resource is ordered by."""
    if order.path == "name":
        return resource.name
    found: Json = resource.body
    for step in order.path.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    return found


def _compare_keys(orders: Sequence[SortKey], one: Sequence[Json], other: Sequence[Json]) -> int:
    for order, mine, theirs in zip(orders, one, other, strict=True):
        left, right = _sortable(mine), _sortable(theirs)
        if left != right:
            return (-1 if left < right else 1) * (-1 if order.descending else 1)
    return 0


def compare(orders: Sequence[SortKey], one: StoredResource, other: StoredResource) -> int:
    """Compare two resources: below zero when the first comes first."""
    keys = [value_at(order, one) for order in orders], [value_at(order, other) for order in orders]
    by_keys = _compare_keys(orders, *keys)
    if by_keys:
        return by_keys
    return (one.name.encode() > other.name.encode()) - (one.name.encode() < other.name.encode())


def beyond(orders: Sequence[SortKey], resource: StoredResource, keys: Sequence[Json], name: str) -> bool:
    """Tell whether a resource comes after a cursor."""
    mine = [value_at(order, resource) for order in orders]
    by_keys = _compare_keys(orders, mine, keys)
    return by_keys > 0 or (by_keys == 0 and resource.name.encode() > name.encode())

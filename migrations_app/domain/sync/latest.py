"""Of many changes of one key, only the newest matters."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Protocol, TypeVar


class Revised(Protocol):
    """Something with a key and a revision."""

    @property
    def type(self) -> str:
        """The resource type."""
        ...

    @property
    def name(self) -> str:
        """The resource's name."""
        ...

    @property
    def revision(self) -> int:
        """The number that grows with each write of the resource."""
        ...


T = TypeVar("T", bound=Revised)


def latest_per_key(changes: Iterable[T]) -> list[T]:
    """Keep the change with the greatest revision of every (type, name), in the order keys were first met."""
    newest: dict[Hashable, T] = {}
    for change in changes:
        key = (change.type, change.name)
        known = newest.get(key)
        if known is None or change.revision >= known.revision:
            newest[key] = change
    return list(newest.values())

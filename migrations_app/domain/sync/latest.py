"""Of many changes of one key, only the newest matters."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Protocol, TypeVar

from migrations_app.kernel.errors import Busy
from migrations_app.kernel.messages import message


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


def check_announced(type_: str, name: str, revision: int, announced: Mapping[str, int]) -> None:
    """Check that what was read is not older than the feed told of it.

    Raises: Busy (`revision-behind`).
    """
    if revision < announced[name]:
        raise Busy(
            message(
                "{type} {name} is at revision {revision}, its feed at {announced}.",
                type=type_,
                name=name,
                revision=revision,
                announced=announced[name],
            ),
            code="revision-behind",
        )

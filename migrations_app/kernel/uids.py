"""Identifiers that Switchyard makes itself: unique ones, or, in a simulation, those that its seed decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from uuid import UUID, uuid4

_making: list[Callable[[], UUID]] = [uuid4]


def new_uid() -> UUID:
    """Make an identifier that nothing else has."""
    return _making[-1]()


@contextmanager
def seeded_uids(seed: str) -> Iterator[None]:
    """Let a seed decide every identifier that this process makes in the block, so that a run can be repeated."""
    chance = Random(seed)  # noqa: S311 -- repeated, not guessed
    _making.append(lambda: UUID(int=chance.getrandbits(128), version=4))
    try:
        yield
    finally:
        _making.pop()

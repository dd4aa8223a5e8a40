"""How workers are woken: a message names a queue and no key; the table of work says which key is next."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from migrations_app.ports.locks import WokenKey


class Dispatch(Protocol):
    """Makes keys due and wakes workers; the table of work is the truth, so a lost wake-up only costs time."""

    def poke(self, controller: str, key: str) -> None:
        """Make the key due now and wake a worker of its queue once the surrounding transaction commits.

        Once: the due time is durable with the caller's transaction; the wake-up may be lost, doubled or late.
        """
        ...

    def poke_all(self, keys: Collection[WokenKey]) -> None:
        """Make many keys due now and wake workers of their queues, as `poke` does."""
        ...

"""How a piece of work is hinted at: a controller's name and a key, nothing else."""

from __future__ import annotations

from typing import Protocol


class Dispatch(Protocol):
    """Hints that a key has work; the table of work is the truth, so a lost hint only costs time."""

    def poke(self, controller: str, key: str) -> None:
        """Make the key due now and hint at it once the surrounding transaction commits.

        Once: the due time is durable with the caller's transaction; the hint may be lost, doubled or late.
        """
        ...

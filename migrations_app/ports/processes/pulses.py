"""Pulses: when each process and loop was last heard from."""

from __future__ import annotations

from typing import Protocol

from migrations_app.kernel.json import JsonObject


class Pulses(Protocol):
    """Keeps the last pulse of each part of the system, for all processes."""

    def beat(self, name: str, kind: str, details: JsonObject | None = None) -> None:
        """Note that a part of the system is alive."""
        ...

    def threads(self, queue: str) -> int:
        """Count the threads of the workers that listen to a queue, as they said lately; one where there are none."""
        ...

    def forget(self, older_than_seconds: float) -> int:
        """Drop the pulses of parts that are gone for good; tell how many."""
        ...

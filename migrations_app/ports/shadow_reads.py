"""Shadow reads: answers given to live reads, handed over to be compared with what the next version would say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from migrations_app.kernel.json import JsonObject


@dataclass(frozen=True, slots=True)
class Answered:
    """The whole resources, as they are stored, that a read of a version was answered with."""

    region: str
    service: str
    version: str
    type: str
    documents: tuple[JsonObject, ...]


class ShadowReads(Protocol):
    """Takes answers to compare a sample of them. They may be lost; the read they answer never waits for them."""

    def note(self, answered: Answered) -> None:
        """Take an answer, at once."""
        ...


class Unshadowed:
    """Compares nothing."""

    def note(self, answered: Answered) -> None:
        """Forget it."""

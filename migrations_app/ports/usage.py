"""Who uses which version and which of its keys: noted as requests are answered, counted elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from migrations_app.domain.schema.ir import Schema


@dataclass(frozen=True, slots=True)
class Use:
    """One request that was answered, and what of it tells which keys its client knows.

    `method` is a verb of the resource API. `body` is the message as it came, not yet read; `mentions` are
    the texts of masks, orders and filters, by the name of their parameter.
    """

    schema: Schema
    region: str
    resource_type: str
    method: str
    client: str
    release: str
    at: datetime
    body: bytes = b""
    mentions: tuple[tuple[str, str], ...] = ()
    dialect: str = "goten"


class UsageLog(Protocol):
    """Takes notes of use. Notes may be lost when a process dies, and nothing else ever is."""

    def note(self, use: Use) -> None:
        """Remember a use, at once and without waiting for anything."""
        ...


class Unnoted:
    """Keeps no notes."""

    def note(self, use: Use) -> None:
        """Forget it."""

"""Who uses which version and which of its keys: noted as requests are answered, counted elsewhere."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

import msgspec

from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.json import JsonObject


class Use(msgspec.Struct, frozen=True):
    """One request that was answered, and what of it tells which keys its client knows.

    `method` is a verb of the resource API. `body` is the message as it came, not yet read; `mentions` are
    the texts of masks, orders and filters, by the name of their parameter. `returned` are resources of the
    answer to look at; None of an answer that is not looked into.
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
    returned: tuple[JsonObject, ...] | None = None


class UsageLog(Protocol):
    """Takes notes of use. Notes may be lost when a process dies, and nothing else ever is."""

    def note(self, use: Use) -> None:
        """Remember a use, at once and without waiting for anything."""
        ...


class Unnoted:
    """Keeps no notes."""

    def note(self, use: Use) -> None:
        """Forget it."""

"""Who uses which version and which of its keys: noted as requests are answered, counted elsewhere; and brown-outs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from migrations_app.domain.compatibility.brown_outs import AnnouncedBrownOut
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.json import JsonObject


class Use(msgspec.Struct, frozen=True):
    """One request that was answered, and what of it tells which keys its client knows.

    `method` is a verb of the resource API. `body` is the message as it came, not yet read; `mentions` are
    the texts of masks, orders and filters, by the name of their parameter. `returned` are resources of the
    answer to look at; None of an answer that is not looked into. `refused_by` names the brown-out that refused it, or left its
    field out of the answer; `is_counted` that the request was noted already, and only this is to be counted.
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
    refused_by: str = ""
    is_counted: bool = False


class UsageLog(Protocol):
    """Takes notes of use. Notes may be lost when a process dies, and nothing else ever is."""

    def note(self, use: Use) -> None:
        """Remember a use, at once and without waiting for anything."""
        ...


class Unnoted:
    """Keeps no notes."""

    def note(self, use: Use) -> None:
        """Forget it."""


class BrownOuts(Protocol):
    """The brown-outs that are announced or running; no call waits for more than one reading of them."""

    def is_empty(self) -> bool:
        """Tell whether there is none of any service, which is nearly always so."""
        ...

    def of(self, service: str, version: str) -> Sequence[AnnouncedBrownOut]:
        """List those of a version."""
        ...


class NoBrownOuts:
    """No brown-outs."""

    def is_empty(self) -> bool:
        """There is none."""
        return True

    def of(self, service: str, version: str) -> Sequence[AnnouncedBrownOut]:
        """List none."""
        return ()

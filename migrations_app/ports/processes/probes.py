"""Whether a server answers, and what it says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ServerState:
    """What a server says of itself; `started_at` is None where it does not say it."""

    name: str
    version: str
    started_at: datetime | None = None
    is_standby: bool = False


class ServerProbe(Protocol):
    """Asks one server over a connection of its own."""

    def look(self) -> ServerState | None:
        """Ask what it is; None when it does not answer within a few seconds."""
        ...

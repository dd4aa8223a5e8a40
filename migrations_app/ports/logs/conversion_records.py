"""Conversions that were recorded in a debug session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class ObservationSession:
    """A session that is open: whose conversions it records, where, and how many at most.

    `client` is an account, `resource` a name in either version; an empty one restricts nothing.
    """

    id: str
    deployment: str
    client: str
    resource: str
    most: int
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class ConversionRecord:
    """One recorded conversion, as `domain.conversion.observation` describes it, and the request it served."""

    session: str
    deployment: str
    at: datetime
    caller: str
    request_id: str
    direction: str
    source_version: str
    target_version: str
    type: str
    name: str
    document: Mapping[str, Any]
    before: Mapping[str, Any] | None
    outcome: str
    output_name: str
    output: Mapping[str, Any] | None
    milliseconds: float
    number: int = 0


class ConversionRecords(Protocol):
    """Records of sessions, kept with the data of their deployment."""

    def append(self, database: str, records: Sequence[ConversionRecord], most: int) -> int:
        """Keep records of one session, at most so many of it in all; tell how many were kept."""
        ...

    def records(
        self, databases: Sequence[str], session: str, *, after: int = 0, limit: int = 50
    ) -> list[ConversionRecord]:
        """List the records of a session in their order."""
        ...

    def counts(self, databases: Sequence[str], sessions: Sequence[str]) -> Mapping[str, int]:
        """Count the records of sessions."""
        ...

    def forget(self, database: str, days: Mapping[str, float], limit: int) -> int:
        """Delete at most so many of the records that are older than their deployments keep them; tell how many.

        `days` are by deployment: all deployments of a database are looked at by one statement.
        """
        ...

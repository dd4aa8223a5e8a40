"""One part of the system as its health is told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, phrases_of
from migrations_app.kernel.wordings import wording_as_json

RUNBOOKS = "/runbooks"
"""The console's page of what to do; docs/how-to/runbooks.md has a heading for each component."""


@dataclass(frozen=True, slots=True)
class Component:
    """One part of the system: how it is, since when, and what mends it."""

    name: str
    status: str
    words: str | WordedMessage
    since: datetime | None = None
    remedy: str | WordedMessage = ""
    region: str = ""
    """The region whose data it keeps, for a part that is of one."""

    @property
    def detail(self) -> str:
        """Say in English how it is."""
        return str(self.words)

    def as_json(self) -> JsonObject:
        """Give the component as the API shows it."""
        return {
            "name": self.name,
            "status": self.status,
            "detail": self.detail,
            "since": self.since.isoformat() if self.since else None,
            "remedy": str(self.remedy) or None,
            "runbook": f"{RUNBOOKS}#{self.name.partition(' ')[0]}",
            **wording_as_json(phrases_of(self.words), phrases_of(self.remedy)),
        }

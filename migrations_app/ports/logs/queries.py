"""What every question about a log of a deployment says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Which entries of a deployment's log; an empty text and None restrict nothing."""

    deployment: str
    version: str = ""
    type: str = ""
    name: str = ""
    caller: str = ""
    request_id: str = ""
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 50

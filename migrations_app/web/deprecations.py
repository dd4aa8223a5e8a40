"""What goes away: since when it is deprecated, when it ends, and what to use; told by headers with each answer.

Source: RFC 9745 (`Deprecation`) and RFC 8594 (`Sunset`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from email.utils import format_datetime

MORE = "/developer#deprecations"
"""The page of the console that lists all of it."""


@dataclass(frozen=True, slots=True)
class Going:
    """One thing that goes away; days begin at midnight UTC."""

    since: date
    sunset: date
    instead: str

    def headers(self) -> dict[str, str]:
        """Tell it as headers of an answer."""
        since = int(_midnight(self.since).timestamp())
        return {
            "Deprecation": f"@{since}",
            "Sunset": format_datetime(_midnight(self.sunset), usegmt=True),
            "Link": f'<{MORE}>; rel="deprecation"; type="text/html"',
        }


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)

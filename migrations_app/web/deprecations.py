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
        return {
            **headers_of(self.since, self.sunset),
            "Link": f'<{MORE}>; rel="deprecation"; type="text/html"',
        }


def headers_of(since: date | None, sunset: date | None) -> dict[str, str]:
    """Tell since when something is deprecated, and when it ends, as headers of an answer.

    The header wants a moment: where it is not said since when, it is the first there is.
    """
    moment = 0 if since is None else int(_midnight(since).timestamp())
    headers = {"Deprecation": f"@{moment}"}
    if sunset is not None:
        headers["Sunset"] = format_datetime(_midnight(sunset), usegmt=True)
    return headers


def usage_link(service: str, version: str) -> str:
    """Name the page of the console that tells who still uses what of a version, as a `Link` header."""
    return f'</versions/{service}/usage?version={version}>; rel="deprecation"; type="text/html"'


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)

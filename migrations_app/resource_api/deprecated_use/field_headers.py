"""What an answer tells of deprecated fields that its request used: since when, until when, and which.

Source: RFC 9745 (`Deprecation`) and RFC 8594 (`Sunset`).
"""

from __future__ import annotations

from datetime import date, datetime

from migrations_app.engine.serving.deprecated import deprecated_keys
from migrations_app.ports.services.usage import Use
from migrations_app.web.deprecations import headers_of, usage_link

NAMING = "Switchyard-Deprecated"
"""The header that names the fields."""
_MOST_NAMED = 20


def told_of_fields(use: Use) -> dict[str, str]:
    """Give the headers of an answer; the earliest days of all fields that were used."""
    found = deprecated_keys(use)
    if not found:
        return {}
    since = [day for each in found.values() if (day := _day(each.since))]
    sunsets = [day for each in found.values() if (day := _day(each.sunset))]
    headers = headers_of(min(since, default=None), min(sunsets, default=None))
    named = [
        f'{path};replaced-by="{each.replaced_by}"' if each.replaced_by else path
        for path, each in found.items()
    ]
    return {
        **headers,
        "Link": usage_link(use.schema.service, use.schema.version),
        NAMING: ", ".join(named[:_MOST_NAMED]).encode("ascii", "replace").decode(),
    }


def _day(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text).date() if text else None
    except ValueError:
        return None

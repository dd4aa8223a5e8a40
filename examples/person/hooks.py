"""The code that the edges of this example call: a date as text, and as its parts."""

from __future__ import annotations

import re

from migrations_app.domain.conversion.hooks import Hook, Hooks
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.domain.conversion.steps import Bundle

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def parts(states: Bundle) -> Bundle:
    """Take a date apart."""
    found = _DATE.fullmatch(states[0]) if isinstance(states[0], str) else None
    return ({"year": int(found[1]), "month": int(found[2]), "day": int(found[3])},) if found else (ABSENT,)


def whole(states: Bundle) -> Bundle:
    """Put a date together, if all its parts are there."""
    date = states[0]
    if not isinstance(date, dict) or date.keys() != {"year", "month", "day"}:
        return (ABSENT,)
    year, month, day = date["year"], date["month"], date["day"]
    if not (isinstance(year, int) and isinstance(month, int) and isinstance(day, int)):
        return (ABSENT,)
    if not (0 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31):
        return (ABSENT,)
    return (f"{year:04d}-{month:02d}-{day:02d}",)


HOOKS = Hooks({"person-date": Hook(parts, whole)})

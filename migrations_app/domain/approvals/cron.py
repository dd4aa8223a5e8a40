"""Five-field cron lines, read strictly: minute, hour, day of month, month, day of week."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import WordedMessage, message

_FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_NAMES = {
    "month": ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    "weekday": ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
}


@dataclass(frozen=True, slots=True)
class Cron:
    """When something begins, in local time; day of month and weekday are joined by "or", as cron does."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    any_day: bool
    any_weekday: bool

    def on(self, day: date) -> bool:
        """Tell whether it begins on a day at all."""
        if day.month not in self.months:
            return False
        by_date, by_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        if self.any_day or self.any_weekday:
            return by_date and by_week
        return by_date or by_week

    def times(self, day: date) -> Iterator[datetime]:
        """List the local times of a day, in order."""
        if self.on(day):
            for hour in sorted(self.hours):
                for minute in sorted(self.minutes):
                    yield datetime.combine(day, time(hour, minute))


def parse(line: str) -> Cron:
    """Read a cron line.

    Raises: Invalid (`cron`) with the field and what it may hold.
    """
    parts = line.split()
    if len(parts) != len(_FIELDS):
        raise _wrong(
            message(
                "{line} is no cron line: it has five fields: minute hour day month weekday.", line=repr(line)
            )
        )
    sets = [_field(line, part, *field) for part, field in zip(parts, _FIELDS, strict=True)]
    weekdays = frozenset(day % 7 for day in sets[4])
    return Cron(sets[0], sets[1], sets[2], sets[3], weekdays, parts[2] == "*", parts[4] == "*")


def _wrong(words: WordedMessage) -> Invalid:
    return Invalid(
        words,
        code="cron",
        remedy=message("For example: 0 22 * * mon-thu"),
    )


def _field(line: str, text: str, name: str, low: int, high: int) -> frozenset[int]:
    found: set[int] = set()
    for part in text.lower().split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        start, stop = (low, high) if span == "*" else (_number(line, first, name), 0)
        if span != "*":
            stop = _number(line, last, name) if last else (high if step else start)
        by = _number(line, step, "") if step else 1
        if not low <= start <= stop <= high or by < 1:
            raise _wrong(
                message(
                    "{line} is no cron line: {name} takes {low} to {high}.",
                    line=repr(line),
                    name=name,
                    low=low,
                    high=high,
                )
            )
        found.update(range(start, stop + 1, by))
    return frozenset(found)


def _number(line: str, text: str, name: str) -> int:
    names = _NAMES.get(name, [])
    if text in names:
        return names.index(text) + (1 if name == "month" else 0)
    if not (text.isascii() and text.isdigit()):
        raise _wrong(
            message(
                "{line} is no cron line: {text} is no {name}.",
                line=repr(line),
                text=repr(text),
                name=name or "step",
            )
        )
    return int(text)

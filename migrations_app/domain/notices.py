"""When a person is told: at once or gathered, and never in their quiet hours; and what is shown of an address."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum

from migrations_app.domain.approvals.windows import zone_of
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

SHOWN, SHORT = 4, 12


class NotificationPace(StrEnum):
    """How soon a rule tells."""

    AT_ONCE = "at-once"
    HOURLY = "hourly"
    DAILY = "daily"


@dataclass(frozen=True, slots=True)
class Hours:
    """A person's day, on the clocks of their zone; without `quiet_from` no hour is quiet."""

    zone: str = "UTC"
    quiet_from: time | None = None
    quiet_to: time | None = None
    daily_at: time = time(8)

    def is_quiet(self, at: datetime) -> bool:
        """Tell whether an instant lies in the quiet hours; they may cross midnight."""
        begin, end = self.quiet_from, self.quiet_to
        if begin is None or end is None or begin == end:
            return False
        clock = at.astimezone(zone_of(self.zone)).time()
        return begin <= clock < end if begin < end else clock >= begin or clock < end


def check_hours(hours: Hours) -> None:
    """Refuse hours that cannot be kept.

    Raises: Invalid (`zone`, `quiet-hours`).
    """
    zone_of(hours.zone)
    if (hours.quiet_from is None) != (hours.quiet_to is None):
        raise Invalid(
            message("Quiet hours have a beginning and an end."),
            code="quiet-hours",
            remedy=message("Give both, or neither."),
        )


def due_at(now: datetime, pace: NotificationPace, hours: Hours) -> datetime:
    """Tell when something that happened now is told: never before now, and never in quiet hours.

    What is gathered until one moment has that moment in common, which is how it becomes one message.
    """
    if pace is NotificationPace.HOURLY:
        at = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    elif pace is NotificationPace.DAILY:
        at = _next(now, hours.daily_at, hours)
    else:
        at = now
    if hours.is_quiet(at) and hours.quiet_to is not None:
        at = _next(at, hours.quiet_to, hours)
    return at


def _next(after: datetime, clock: time, hours: Hours) -> datetime:
    """Find the next time a zone's clocks show this; where they skip it, the moment they are past it."""
    zone = zone_of(hours.zone)
    day = after.astimezone(zone).date()
    ahead = (datetime.combine(day + timedelta(days=each), clock, tzinfo=zone) for each in range(3))
    return next(at.astimezone(UTC) for at in ahead if at.astimezone(UTC) > after)


def shown_address(url: str) -> str:
    """Shorten the address of a channel to its host and last four characters: knowing the whole is enough to post there.

    Mail addresses are no credentials; of a path that is short nothing is shown.
    """
    if not url or url.startswith("mailto:"):
        return url
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    host, question, query = host.partition("?")
    hidden = path or query
    if not hidden:
        return f"{scheme}://{host}{slash or question}"
    return f"{scheme}://{host}/…{hidden[-SHOWN:] if len(hidden) >= SHORT else ''}"

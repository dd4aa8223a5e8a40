"""What clients were seen to do with one place of a version, as a decision reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from migrations_app.domain.compatibility.evidence import (
    DEFAULT_PERIOD_DAYS,
    Usage,
    always_sent,
    day_of,
    removable,
    unused,
)
from migrations_app.kernel.messages import NOTHING, WordedMessage, message

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class ClientRelease:
    """One release of a client, as it names itself, with how often and when it was seen last.

    Nothing is decided by the release: what counts is what was sent, whatever the sender calls itself.
    """

    name: str
    release: str
    count: int
    last: date

    def words(self, *, is_last: bool) -> WordedMessage:
        """Name it with how often and when it was seen last; it stands in a list."""
        values: dict[str, str | int] = {
            "client": self.name,
            "release": self.release,
            "count": self.count,
            "day": self.last.isoformat(),
        }
        if self.release and is_last:
            return message("{client} (says it is {release}), {count} times, last {day}", **values)
        if self.release:
            return message("{client} (says it is {release}), {count} times, last {day};", **values)
        if is_last:
            return message("{client}, {count} times, last {day}", **values)
        return message("{client}, {count} times, last {day};", **values)


@dataclass(frozen=True, slots=True)
class ClientUsage:
    """Who sent a key or asked for it, who reads and writes what holds it, and how far that proves anything.

    `receivers` got it in answers that were looked into, which are `looked` in number.
    `usage` is the evidence for the claim that it is unused, `absent` by client that for always being sent.
    `newest` is the day of the newest evidence of the version, None without any.
    """

    today: date
    senders: tuple[ClientRelease, ...] = ()
    readers: tuple[ClientRelease, ...] = ()
    writers: tuple[ClientRelease, ...] = ()
    usage: Usage = Usage(0, 0, 1.0, DEFAULT_PERIOD_DAYS)
    absent: Mapping[str, Usage] = field(default_factory=dict)
    newest: date | None = None
    receivers: tuple[ClientRelease, ...] = ()
    looked: int = 0
    last_used: date | None = None

    @property
    def callers(self) -> tuple[ClientRelease, ...]:
        """A reader or a writer."""
        return (*self.readers, *self.writers)

    @property
    def is_known(self) -> bool:
        """Whether any client of it was ever seen."""
        return bool(self.callers or self.usage.clients_in_13_months)

    @property
    def is_old(self) -> bool:
        """Whether the newest evidence is older than the longest period of a client."""
        return self.newest is not None and (self.today - self.newest).days > DEFAULT_PERIOD_DAYS

    def named(self, clients: tuple[ClientRelease, ...]) -> WordedMessage:
        """Name clients, the most frequent first."""
        ordered = sorted(clients, key=lambda each: (-each.count, each.name, each.release))
        shown = ordered[:_MOST_NAMED]
        words = sum((each.words(is_last=each is shown[-1]) for each in shown), NOTHING)
        more = len(ordered) - _MOST_NAMED
        return words + message("and {count} more", count=more) if more > 0 else words

    def not_unused(self, sunset: str | None) -> tuple[WordedMessage, ...]:
        """Say what is lacking to the proof that it is unused; a deprecated key also waits for its sunset."""
        return self._aged(tuple(message("not proved unused:") + each for each in self._lacking(sunset)))

    def use_not_ruled_out(self) -> str:
        """Say in one sentence what is lacking to the proof that it is unused; nothing where nothing is."""
        lacking = self._aged(self._lacking(None))
        return f"It is not proved unused: {'; '.join(map(str, lacking))}." if lacking else ""

    def _lacking(self, sunset: str | None) -> tuple[WordedMessage, ...]:
        if sunset is None:
            return unused(self.usage).words
        return removable(self.usage, day_of(sunset), self.today).words

    def not_always_sent(self) -> tuple[WordedMessage, ...]:
        """Say what is lacking to the proof that every client always sends it."""
        if not self.writers and not self.absent:
            return ()
        gate = always_sent(self.absent)
        return self._aged(tuple(message("not proved to be sent always:") + each for each in gate.words))

    def _aged(self, reasons: tuple[WordedMessage, ...]) -> tuple[WordedMessage, ...]:
        if reasons and self.is_old and self.newest is not None:
            old = message(
                "the newest evidence is of {day}; the limit is {days} days",
                day=self.newest.isoformat(),
                days=DEFAULT_PERIOD_DAYS,
            )
            return (old, *reasons)
        return reasons

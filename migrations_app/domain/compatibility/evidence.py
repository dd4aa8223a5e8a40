"""Evidence gates: when what was seen allows a step that the tables call `break?`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil, sqrt

from migrations_app.domain.schema.types import Deprecation
from migrations_app.kernel.messages import WordedMessage, counted, message

DEFAULT_PERIOD_DAYS = 35
MIN_MESSAGES = 3000
SUNSET_DAYS: Mapping[str, int] = {"alpha": 0, "beta": 90, "stable": 365}


@dataclass(frozen=True, slots=True)
class Usage:
    """What was seen of a key in the messages of a method: counts and clients, never values."""

    messages: int
    hits: int
    sample_rate: float
    window_days: int
    clients_in_window: frozenset[str] = frozenset()
    clients_in_13_months: frozenset[str] = frozenset()
    waived: frozenset[str] = frozenset()
    longest_period_days: int = DEFAULT_PERIOD_DAYS
    stored_mentions: int = 0

    @property
    def effective(self) -> float:
        """How many messages the sample stands for with certainty."""
        return self.messages * self.sample_rate

    @property
    def upper_bound(self) -> float:
        """The 95 % upper bound of the rate of use when there was no hit: the rule of three."""
        return min(1.0, 3 / self.effective) if self.effective else 1.0


_Z = 1.96
RARE = 0.001
"""The rate of use that a claim excludes: a message in a thousand."""


def confidence(usage: Usage) -> float:
    """Tell with which probability a use by one message in a thousand would have been seen."""
    return 0.0 if usage.hits else 1.0 - (1.0 - RARE) ** usage.effective


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether a step may be taken, and every reason why not."""

    words: tuple[WordedMessage, ...]
    upper_bound: float = 1.0

    @property
    def reasons(self) -> tuple[str, ...]:
        """Give the reasons as texts."""
        return tuple(map(str, self.words))

    @property
    def is_open(self) -> bool:
        """Whether nothing stands against it."""
        return not self.words


def unused(usage: Usage, *, minimum: int = MIN_MESSAGES) -> Gate:
    """Judge the claim that a key is not used."""
    reasons = []
    if usage.hits:
        reasons.append(counted(usage.hits, "it was seen {count} time", "it was seen {count} times"))
    reasons += _sample_reasons(usage, minimum)
    if usage.stored_mentions:
        reasons.append(
            message(
                "{count} stored documents, filters, masks or templates mention it",
                count=usage.stored_mentions,
            )
        )
    return Gate(tuple(reasons), usage.upper_bound)


def always_sent(by_client: Mapping[str, Usage], *, minimum: int = MIN_MESSAGES) -> Gate:
    """Judge the claim that every client always sends a key; `hits` counts the messages without it."""
    reasons = [] if by_client else [message("no client was seen")]
    for client, usage in sorted(by_client.items()):
        if usage.hits:
            reasons.append(message("{client} left it out {count} times", client=client, count=usage.hits))
        named = message("{client}:", client=client)
        reasons += [named + reason for reason in _sample_reasons(usage, minimum)]
    return Gate(tuple(reasons), max((each.upper_bound for each in by_client.values()), default=1.0))


def removable(usage: Usage, sunset: date | None, today: date, *, minimum: int = MIN_MESSAGES) -> Gate:
    """Judge the step from deprecated to unknown: the sunset is past and the key unused."""
    claim = unused(usage, minimum=minimum)
    if sunset is None:
        return Gate((message("it has no sunset date"), *claim.words), claim.upper_bound)
    if today < sunset:
        due = message("its sunset is {day}", day=sunset.isoformat())
        return Gate((due, *claim.words), claim.upper_bound)
    return claim


def may_move_sunset(before: date, after: date) -> Gate:
    """Judge the change of a sunset date, which only ever moves later."""
    early = message("a sunset moves later only, it is {day}", day=before.isoformat())
    return Gate(() if after >= before else (early,), 1.0)


def removal_day(usage: Usage, last_used: date | None, sunset: date | None, today: date) -> date | None:
    """Give the earliest day on which something is proved unused if nothing uses it from now on; None where unknown.

    It waits for its sunset, for the window to pass since its last use, for the observation to be as long as the
    window, and for as many messages as the proof needs at the rate of now.
    """
    days = [today]
    if sunset is not None:
        days.append(sunset)
    if usage.hits and last_used is not None:
        days.append(last_used + timedelta(days=usage.longest_period_days))
    days.append(today + timedelta(days=max(0, usage.longest_period_days - usage.window_days)))
    lacking = MIN_MESSAGES - usage.effective
    if lacking > 0:
        if not usage.effective or not usage.window_days:
            return None
        days.append(today + timedelta(days=ceil(lacking / (usage.effective / usage.window_days))))
    return max(days)


def share_error(hits: int, looked: int) -> float:
    """Give the half of the 95 % interval (Wilson) of a share that a sample showed."""
    if not looked:
        return 1.0
    share, z2 = min(1.0, hits / looked), _Z * _Z
    spread = share * (1 - share) / looked + z2 / (4 * looked * looked)
    return min(1.0, float(_Z * sqrt(spread) / (1 + z2 / looked)))


def sunset_day(given: Deprecation | None) -> date | None:
    """Read the day of a deprecated field's sunset; None without one."""
    return day_of(given.sunset) if given is not None else None


def day_of(text: str | None) -> date | None:
    """Read a day; None of what is none."""
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


def _sample_reasons(usage: Usage, minimum: int) -> list[WordedMessage]:
    reasons = []
    if usage.effective < minimum:
        reasons.append(
            counted(
                round(usage.effective),
                "only {count} message was seen, {minimum} are needed",
                "only {count} messages were seen, {minimum} are needed",
                minimum=minimum,
            )
        )
    if usage.window_days < usage.longest_period_days:
        reasons.append(
            counted(
                usage.window_days,
                "use was observed for {count} day, and the longest period of a client is {period} days",
                "use was observed for {count} days, and the longest period of a client is {period} days",
                period=usage.longest_period_days,
            )
        )
    missing = usage.clients_in_13_months - usage.clients_in_window - usage.waived
    if missing:
        reasons.append(message("not seen in the window: {clients}", clients=", ".join(sorted(missing)[:5])))
    return reasons

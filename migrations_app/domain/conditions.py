"""When a role counts, beside where: on which days, in which hours of which zone, from which networks."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, message

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
EVERY_DAY = (1, 2, 3, 4, 5, 6, 7)
DAY_MINUTES = 24 * 60
MOST_NETWORKS = 20


@dataclass(frozen=True, slots=True)
class Conditions:
    """All of them must hold; what is empty asks for nothing.

    `days` are those of the calendar from Monday, 1, to Sunday, 7. Hours are minutes of the day, the end not
    among them; an end before the start lies in the morning after, and belongs to the day it began on.
    """

    days: tuple[int, ...] = ()
    start: int | None = None
    end: int | None = None
    zone: str = "UTC"
    networks: tuple[str, ...] = ()

    @property
    def asks_for_time(self) -> bool:
        """Tell whether it matters when."""
        return bool(self.days) or self.start is not None

    def failing(self, at: datetime, address: str) -> WordedMessage:
        """Say which condition does not hold at an instant and from an address, or nothing."""
        if self.asks_for_time and not self._in_time(at):
            here = at.astimezone(ZoneInfo(self.zone))
            now = f"{DAYS[here.weekday()]} {here:%H:%M}"
            return message("it counts {times}, and it is {now} there.", times=self._times, now=now)
        if self.networks and not _within(address, self.networks):
            networks = ", ".join(self.networks)
            if not address:
                return message("it counts from {networks}, and your address is not known.", networks=networks)
            return message(
                "it counts from {networks}, and you are at {address}.", networks=networks, address=address
            )
        return NOTHING

    def within(self, other: Conditions) -> bool:
        """Tell whether the other holds wherever this one does; false where that is not plain to see."""
        if other.asks_for_time and not self._time_within(other):
            return False
        mine = [ipaddress.ip_network(each, strict=False) for each in self.networks]
        theirs = [ipaddress.ip_network(each, strict=False) for each in other.networks]
        return not theirs or (bool(mine) and all(any(_covers(net, each) for net in theirs) for each in mine))

    def as_json(self) -> JsonObject:
        """Write what is asked for; an empty object asks for nothing."""
        hours = (
            {"start": _clock(self.start), "end": _clock(self.end)}
            if self.start is not None and self.end is not None
            else {}
        )
        days: JsonObject = {"days": list(self.days)} if self.days else {}
        zone: JsonObject = {"zone": self.zone} if self.asks_for_time else {}
        networks: JsonObject = {"networks": list(self.networks)} if self.networks else {}
        return {**days, **hours, **zone, **networks}

    def __str__(self) -> str:
        parts = [self._times] if self.asks_for_time else []
        parts += [f"from {', '.join(self.networks)}"] if self.networks else []
        return ", ".join(parts)

    @property
    def _times(self) -> str:
        days = "every day" if not self.days else f"on {', '.join(DAYS[day - 1] for day in self.days)}"
        hours = "" if self.start is None else f" from {_clock(self.start)} to {_clock(self.end)}"
        return f"{days}{hours} {self.zone}"

    def _in_time(self, at: datetime) -> bool:
        here = at.astimezone(ZoneInfo(self.zone))
        days, minute = self.days or EVERY_DAY, here.hour * 60 + here.minute
        if self.start is None or self.end is None:
            return here.isoweekday() in days
        if self.start < self.end:
            return here.isoweekday() in days and self.start <= minute < self.end
        if minute >= self.start:
            return here.isoweekday() in days
        return minute < self.end and (here - timedelta(days=1)).isoweekday() in days

    def _time_within(self, other: Conditions) -> bool:
        if not self.asks_for_time or self.zone != other.zone:
            return False
        same_hours = other.start is None or (self.start, self.end) == (other.start, other.end)
        # Hours past midnight reach into a day that is not named, so without the same hours nothing is plain.
        over_midnight = self.start is not None and self.end is not None and self.end <= self.start
        if not same_hours or (over_midnight and other.start is None and other.days):
            return False
        return set(self.days or EVERY_DAY) <= set(other.days or EVERY_DAY)


ALWAYS = Conditions()
"""Nothing is asked for."""


def conditions_from(given: JsonObject) -> Conditions:
    """Read conditions, and refuse those that no moment or address could meet.

    Raises: Invalid (`conditions`) naming each part that is wrong.
    """
    if not given:
        return ALWAYS
    wrong: list[Violation] = []
    days = tuple(sorted({each for each in _list(given, "days") if each in EVERY_DAY}))
    if len(days) != len(_list(given, "days")):
        wrong.append(_wrong("days", message("Days are numbers from 1, Monday, to 7, Sunday, each once.")))
    start, end = (_minute(given, name, wrong) for name in ("start", "end"))
    if (start is None) != (end is None) or (start is not None and start == end):
        wrong.append(_wrong("end", message("Hours have a start and another end.")))
        start = end = None
    zone = str(given.get("zone") or "UTC")
    if not _is_zone(zone):
        wrong.append(_wrong("zone", message("There is no time zone {zone}.", zone=repr(zone[:64]))))
    networks = tuple(str(each) for each in _list(given, "networks"))
    if len(networks) > MOST_NETWORKS or not all(_is_network(each) for each in networks):
        wrong.append(
            _wrong(
                "networks", message("Networks are such as 10.20.0.0/16, at most {most}.", most=MOST_NETWORKS)
            )
        )
    if wrong:
        raise Invalid(wrong[0].words, code="conditions", violations=tuple(wrong))
    return Conditions(days, start, end, zone, networks)


def _list(given: JsonObject, name: str) -> list[object]:
    found = given.get(name) or []
    return list(found) if isinstance(found, list) else []


def _minute(given: JsonObject, name: str, wrong: list[Violation]) -> int | None:
    text = str(given.get(name) or "")
    if not text:
        return None
    hours, _, minutes = text.partition(":")
    if len(text) == 5 and (hours + minutes).isascii() and (hours + minutes).isdigit():
        found = int(hours) * 60 + int(minutes)
        if int(minutes) < 60 and found < DAY_MINUTES:
            return found
    wrong.append(_wrong(name, message("{text} is no time of day; write 08:30.", text=repr(text[:20]))))
    return None


def _wrong(part: str, words: WordedMessage) -> Violation:
    return Violation(f"conditions.{part}", words, code="conditions")


def _clock(minute: int | None) -> str:
    return f"{(minute or 0) // 60:02}:{(minute or 0) % 60:02}"


def _is_zone(text: str) -> bool:
    try:
        ZoneInfo(text)
    except (OSError, ValueError, KeyError):
        return False
    return True


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _within(address: str, networks: tuple[str, ...]) -> bool:
    try:
        at = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(at in ipaddress.ip_network(network, strict=False) for network in networks)


def _covers(
    wider: ipaddress.IPv4Network | ipaddress.IPv6Network, net: ipaddress.IPv4Network | ipaddress.IPv6Network
) -> bool:
    return wider.version == net.version and int(wider[0]) <= int(net[0]) and int(net[-1]) <= int(wider[-1])

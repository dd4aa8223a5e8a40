"""Windows and freezes: rules in people's own time zones, and which of them wins at an instant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from migrations_app.domain.approvals.cron import Cron, parse
from migrations_app.domain.approvals.policy import EVERYWHERE, Scope
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import WordedMessage, catalogued, message


class Effect(StrEnum):
    """What a rule does while it is open."""

    ALLOW = "allow"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class WindowSpan:
    """A recurring (`cron` + `minutes`) or a single (`starts` to `ends`, local) span of time in a zone.

    `overrun_minutes`: so long before a window closes, or a freeze opens, no switch begins any more. `overriders`
    names people, and roles or groups as `role NAME`, who may let one upgrade go past it.
    """

    name: str
    effect: Effect
    zone: str
    scope: Scope = EVERYWHERE
    cron: str = ""
    minutes: int = 0
    starts: datetime | None = None
    ends: datetime | None = None
    reason: str = ""
    overrun_minutes: int = 0
    overriders: tuple[str, ...] = ()

    @property
    def overrun(self) -> timedelta:
        """How long before the end of what it allows the last switch may begin."""
        return timedelta(minutes=self.overrun_minutes)


@dataclass(frozen=True, slots=True)
class WindowOpening:
    """One opening of a rule; `note` tells when a clock change moved or stretched it."""

    rule: str
    opens: datetime
    closes: datetime
    note: str = ""


@dataclass(frozen=True, slots=True)
class WindowRuling:
    """Whether switching is allowed at an instant, and by which rule."""

    allowed: bool
    message: WordedMessage
    winner: str = ""
    considered: tuple[WordedMessage, ...] = ()
    next_open: datetime | None = None

    @property
    def sentence(self) -> str:
        """Give the message as a text."""
        return str(self.message)


def zone_of(name: str) -> ZoneInfo:
    """Find a time zone.

    Raises: Invalid (`zone`).
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Invalid(
            message("There is no time zone {name}.", name=repr(name)),
            code="zone",
            remedy=message("Use an IANA name such as Europe/Warsaw."),
        ) from error


def checked(rule: WindowSpan) -> WindowSpan:
    """Return a rule that can open.

    Raises: Invalid (`zone`, `cron`, `window-span`).
    """
    zone_of(rule.zone)
    if rule.cron:
        parse(rule.cron)
        if not 1 <= rule.minutes <= 7 * 24 * 60:
            raise Invalid(
                message("It lasts 1 minute to 7 days."), code="window-span", remedy=message("Set minutes.")
            )
    elif rule.starts is None or rule.ends is None or rule.ends <= rule.starts:
        raise Invalid(
            message("A window needs a cron line with minutes, or a start before its end."),
            code="window-span",
            remedy=message("Give one of the two."),
        )
    _checked_overrun(rule)
    return rule


def _checked_overrun(rule: WindowSpan) -> None:
    if not 0 <= rule.overrun_minutes <= 24 * 60:
        raise Invalid(
            message("It is 0 minutes to a day."),
            code="window-overrun",
            remedy=message("Set overrun_minutes."),
        )
    if rule.effect is Effect.ALLOW and rule.cron and rule.overrun_minutes >= rule.minutes:
        raise Invalid(
            message("No switch could ever begin in this window."),
            code="window-overrun",
            remedy=message("Set fewer overrun_minutes than minutes."),
        )


def _instant(local: datetime, zone: ZoneInfo) -> tuple[datetime, str]:
    """Turn a local time into an instant; a time the clocks skip is moved to after the gap."""
    aware = local.replace(tzinfo=zone, fold=0)
    instant = aware.astimezone(UTC)
    if instant.astimezone(zone).replace(tzinfo=None) != local:
        return instant, catalogued("the clocks skip this time; it opens after the change")
    if aware.replace(fold=1).utcoffset() != aware.utcoffset():
        return instant, catalogued("the clocks show this time twice; it opens the first time")
    return instant, ""


def _opening(rule: WindowSpan, cron: Cron, day: date, zone: ZoneInfo) -> Iterable[WindowOpening]:
    for local in cron.times(day):
        opens, note = _instant(local, zone)
        yield WindowOpening(rule.name, opens, opens + timedelta(minutes=rule.minutes), note)


def occurrences(
    rule: WindowSpan, after: datetime, count: int = 10, days: int = 400
) -> tuple[WindowOpening, ...]:
    """List the next openings that close after an instant, clock changes worked in."""
    zone = zone_of(rule.zone)
    if not rule.cron:
        if rule.starts is None or rule.ends is None:
            return ()
        opens, note = _instant(rule.starts.replace(tzinfo=None), zone)
        closes, _ = _instant(rule.ends.replace(tzinfo=None), zone)
        return (WindowOpening(rule.name, opens, closes, note),) if closes > after else ()
    cron, found = parse(rule.cron), list[WindowOpening]()
    first = after.astimezone(zone).date() - timedelta(days=rule.minutes // 1440 + 1)
    for offset in range(days):
        for each in _opening(rule, cron, first + timedelta(days=offset), zone):
            if each.closes > after:
                found.append(each)
        if len(found) >= count:
            break
    return tuple(found[:count])


def open_at(rule: WindowSpan, at: datetime) -> WindowOpening | None:
    """Find the opening that an instant lies in."""
    for each in occurrences(rule, at, count=2, days=rule.minutes // 1440 + 3):
        if each.opens <= at < each.closes:
            return each
    return None


def rule_at(
    rules: Iterable[WindowSpan],
    at: datetime,
    service: str,
    region: str,
    environment: str,
    needed: bool = False,
) -> WindowRuling:
    """Tell whether switching is allowed: deny beats allow; `needed` asks for an open window."""
    covering = [rule for rule in rules if rule.scope.covers(service, region, environment)]
    considered = tuple(_considered(rule, is_open=open_at(rule, at) is not None) for rule in covering)
    for rule in covering:
        span = _forbids(rule, at) if rule.effect is Effect.DENY else None
        if span:
            return WindowRuling(False, _frozen(rule, span, at), rule.name, considered, span.closes)
    allows = [rule for rule in covering if rule.effect is Effect.ALLOW]
    for rule in allows:
        span = open_at(rule, at)
        if span and at < span.closes - rule.overrun:
            open_until = message(
                "The window {rule} is open until {closes_at}.",
                rule=rule.name,
                closes_at=to_minute(span.closes),
            )
            return WindowRuling(True, open_until, rule.name, considered)
    return _outside(allows, at, considered, needed)


def _considered(rule: WindowSpan, *, is_open: bool) -> WordedMessage:
    """Name a rule that covers the place, and say whether it is open."""
    if rule.effect is Effect.ALLOW:
        if is_open:
            return message("{rule} (allow): open", rule=rule.name)
        return message("{rule} (allow): closed", rule=rule.name)
    if is_open:
        return message("{rule} (deny): open", rule=rule.name)
    return message("{rule} (deny): closed", rule=rule.name)


def _outside(
    allows: list[WindowSpan], at: datetime, considered: tuple[WordedMessage, ...], needed: bool
) -> WindowRuling:
    if not allows and not needed:
        return WindowRuling(True, message("No window or freeze applies."), "", considered)
    late = next((rule for rule in allows if open_at(rule, at)), None)
    ahead = [each for rule in allows for each in occurrences(rule, at, count=2) if each.opens > at]
    if not ahead:
        none = message("The policy asks for a window, and none is coming.")
        return WindowRuling(False, _closing(late) if late else none, late.name if late else "", considered)
    first = min(ahead, key=lambda each: each.opens)
    return WindowRuling(False, _next(late, first), first.rule, considered, first.opens)


def _forbids(rule: WindowSpan, at: datetime) -> WindowOpening | None:
    """Find the opening of a freeze that an instant lies in, or shortly before."""
    return open_at(rule, at) or (open_at(rule, at + rule.overrun) if rule.overrun else None)


def _frozen(rule: WindowSpan, span: WindowOpening, at: datetime) -> WordedMessage:
    """Say that a freeze forbids it: one that is open, or that opens soon."""
    opens, closes = to_minute(span.opens), to_minute(span.closes)
    if at >= span.opens and rule.reason:
        return message(
            "The freeze {rule} forbids it until {closes_at}: {reason}.",
            rule=rule.name,
            closes_at=closes,
            reason=rule.reason.rstrip("."),
        )
    if at >= span.opens:
        return message("The freeze {rule} forbids it until {closes_at}.", rule=rule.name, closes_at=closes)
    if rule.reason:
        return message(
            "The freeze {rule} opens at {opens_at}: {reason}; no switch begins in the {minutes} minutes before.",
            rule=rule.name,
            opens_at=opens,
            reason=rule.reason.rstrip("."),
            minutes=rule.overrun_minutes,
        )
    return message(
        "The freeze {rule} opens at {opens_at}; no switch begins in the {minutes} minutes before.",
        rule=rule.name,
        opens_at=opens,
        minutes=rule.overrun_minutes,
    )


def _next(late: WindowSpan | None, first: WindowOpening) -> WordedMessage:
    """Say when the next window opens, and of one that is open that it closes too soon."""
    opens = to_minute(first.opens)
    if late is None:
        return message("No window is open; {next} opens at {opens_at}.", next=first.rule, opens_at=opens)
    return message(
        "The window {rule} is about to close, and no switch begins in its last {minutes} minutes; {next} opens at"
        " {opens_at}.",
        rule=late.name,
        minutes=late.overrun_minutes,
        next=first.rule,
        opens_at=opens,
    )


def _closing(rule: WindowSpan) -> WordedMessage:
    return message(
        "The window {rule} is about to close, and no switch begins in its last {minutes} minutes.",
        rule=rule.name,
        minutes=rule.overrun_minutes,
    )


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time over which one ruling holds."""

    opens: datetime
    closes: datetime
    allowed: bool
    winner: str


def ahead(
    rules: Iterable[WindowSpan],
    at: datetime,
    until: datetime,
    service: str,
    region: str,
    environment: str,
    needed: bool = False,
) -> tuple[Span, ...]:
    """Part the time from `at` to `until` by who wins: neighbours differ in the ruling or in its winner."""
    covering = [rule for rule in rules if rule.scope.covers(service, region, environment)]
    days = (until - at).days + 8
    edges = {at}
    for rule in covering:
        for each in occurrences(rule, at, count=1000, days=days):
            late = (each.closes if rule.effect is Effect.ALLOW else each.opens) - rule.overrun
            edges |= {edge for edge in (each.opens, each.closes, late) if at < edge < until}
    found: list[Span] = []
    marks = sorted(edges)
    for opens, closes in zip(marks, [*marks[1:], until], strict=True):
        ruling = rule_at(covering, opens, service, region, environment, needed)
        # Between windows the one that comes next is named; it does not rule yet.
        winner = ruling.winner if ruling.allowed or _denies(covering, ruling.winner) else ""
        last = found[-1] if found else None
        if last and (last.allowed, last.winner) == (ruling.allowed, winner):
            found[-1] = Span(last.opens, closes, last.allowed, winner)
        else:
            found.append(Span(opens, closes, ruling.allowed, winner))
    return tuple(found)


def _denies(rules: Iterable[WindowSpan], name: str) -> bool:
    return any(rule.name == name and rule.effect is Effect.DENY for rule in rules)

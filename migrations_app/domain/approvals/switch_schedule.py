"""When deployments may switch over some weeks, by windows and freezes: those that the same rules cover share one schedule."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from migrations_app.domain.approvals.about import Subject
from migrations_app.domain.approvals.policy import Policy, Purpose, effective
from migrations_app.domain.approvals.switch_availability import ScopeMatcher
from migrations_app.domain.approvals.windows import Span, WindowSpan, ahead, rule_at
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.messages import WordedMessage, message

HORIZON = timedelta(days=56)
"""How far a schedule looks ahead; what opens later counts as never."""
CHUNK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class SwitchOpening:
    """The earliest instant from some other one on at which a switch may begin, and the rule that it waits for."""

    at: datetime
    window: str = ""
    freeze: str = ""

    @property
    def words(self) -> WordedMessage:
        """Say what is waited for."""
        opens_at = to_minute(self.at)
        if self.window:
            return message("its window {window} opens at {opens_at}", window=self.window, opens_at=opens_at)
        if self.freeze:
            return message("the freeze {freeze} ends at {opens_at}", freeze=self.freeze, opens_at=opens_at)
        return message("it may switch from {opens_at} on", opens_at=opens_at)


@dataclass(slots=True, eq=False)
class SwitchSchedule:
    """When switches may begin in one place, from `begin` on; worked out week by week, as far as it is asked for."""

    begin: datetime
    rules: Sequence[WindowSpan] = ()
    service: str = ""
    region: str = ""
    environment: str = ""
    is_window_needed: bool = False
    _spans: list[Span] = field(default_factory=list)
    _opens: list[datetime] = field(default_factory=list)

    def opening(self, at: datetime) -> SwitchOpening | None:
        """Find the first instant from `at` on; None where none is known within eight weeks."""
        if not self.rules and not self.is_window_needed:
            return SwitchOpening(at)
        while (not self._spans or self._spans[-1].closes <= at) and self._extend():
            pass
        if self._spans[-1].closes <= at:
            return None
        number, closed = max(bisect_right(self._opens, at) - 1, 0), ""
        while (span := self._span(number)) is not None:
            if span.allowed:
                return SwitchOpening(max(at, span.opens), span.winner, "" if span.winner else closed)
            closed = span.winner or closed
            number += 1
        return None

    @property
    def words(self) -> WordedMessage:
        """Say what is so at the beginning."""
        where = (self.service, self.region, self.environment)
        return rule_at(self.rules, self.begin, *where, self.is_window_needed).message

    def _span(self, number: int) -> Span | None:
        while number >= len(self._spans):
            if not self._extend():
                return None
        return self._spans[number]

    def _extend(self) -> bool:
        """Work out a further week; False at the end."""
        since = self._spans[-1].closes if self._spans else self.begin
        if since >= self.begin + HORIZON:
            return False
        where = (self.service, self.region, self.environment)
        spans = ahead(self.rules, since, since + CHUNK, *where, self.is_window_needed)
        self._spans += spans
        self._opens += [each.opens for each in spans]
        return True


ALWAYS = SwitchSchedule(datetime.min.replace(tzinfo=UTC))
"""No window or freeze applies."""


def switch_schedules(
    upgrades: Iterable[tuple[str, str, Subject]],
    rules: Sequence[WindowSpan],
    policies: Sequence[Policy],
    at: datetime,
    environment: str,
) -> dict[tuple[str, str], SwitchSchedule]:
    """Give the schedule of each upgrade's (service, region); equal ones are one object."""
    about = [policy for policy in policies if policy.purpose is Purpose.SWITCH]
    by_rule = ScopeMatcher([rule.scope for rule in rules], environment)
    by_policy = ScopeMatcher([policy.scope for policy in about], environment)
    known: dict[tuple[frozenset[int], frozenset[int], Subject], SwitchSchedule] = {}
    schedules: dict[tuple[str, str], SwitchSchedule] = {}
    for service, region, subject in upgrades:
        key = (by_rule.covering(service, region), by_policy.covering(service, region), subject)
        if key not in known:
            needed = effective(about, Purpose.SWITCH, service, region, environment, subject).window_needed
            covering = [rules[number] for number in sorted(key[0])]
            known[key] = SwitchSchedule(at, covering, service, region, environment, needed)
        schedules[service, region] = known[key]
    return schedules

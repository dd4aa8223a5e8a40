"""The next window of many deployments at once: those that the same rules cover are judged together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatchcase

from migrations_app.domain.approvals.policy import Policy, Purpose, Scope, effective
from migrations_app.domain.approvals.windows import Effect, WindowSpan, open_at, rule_at
from migrations_app.kernel.messages import NOTHING, WordedMessage


@dataclass(frozen=True, slots=True)
class SwitchAvailability:
    """Whether a deployment may switch now, until when (`closes`), or from when on (`opens`), and by which rule."""

    allowed: bool
    sentence: str
    rule: str = ""
    opens: datetime | None = None
    closes: datetime | None = None
    words: WordedMessage = field(default=NOTHING, compare=False)
    """The sentence with its phrases."""


@dataclass(slots=True)
class ScopeMatcher:
    """Tells which of many scopes cover a deployment; each name is compared once."""

    scopes: Sequence[Scope]
    environment: str
    _services: dict[str, frozenset[int]] = field(default_factory=dict)
    _regions: dict[str, frozenset[int]] = field(default_factory=dict)

    def covering(self, service: str, region: str) -> frozenset[int]:
        """Number the scopes that a deployment lies in."""
        if service not in self._services:
            self._services[service] = frozenset(
                at
                for at, scope in enumerate(self.scopes)
                if fnmatchcase(service, scope.service) and fnmatchcase(self.environment, scope.environment)
            )
        if region not in self._regions:
            self._regions[region] = frozenset(
                at for at, scope in enumerate(self.scopes) if fnmatchcase(region, scope.region)
            )
        return self._services[service] & self._regions[region]


def availabilities(
    places: Iterable[tuple[str, str]],
    rules: Sequence[WindowSpan],
    policies: Sequence[Policy],
    at: datetime,
    environment: str,
) -> dict[tuple[str, str], SwitchAvailability]:
    """Tell of each (service, region) when it may switch next; equal answers are one object."""
    about = [policy for policy in policies if policy.purpose is Purpose.SWITCH]
    by_rule = ScopeMatcher([rule.scope for rule in rules], environment)
    by_policy = ScopeMatcher([policy.scope for policy in about], environment)
    known: dict[tuple[frozenset[int], frozenset[int]], SwitchAvailability] = {}
    found: dict[tuple[str, str], SwitchAvailability] = {}
    for service, region in places:
        key = (by_rule.covering(service, region), by_policy.covering(service, region))
        if key not in known:
            needed = effective(about, Purpose.SWITCH, service, region, environment).window_needed
            known[key] = _availability(
                [rules[n] for n in sorted(key[0])], at, service, region, environment, needed
            )
        found[service, region] = known[key]
    return found


def _availability(
    rules: Sequence[WindowSpan], at: datetime, service: str, region: str, environment: str, needed: bool
) -> SwitchAvailability:
    ruling = rule_at(rules, at, service, region, environment, needed)
    if not ruling.allowed:
        return SwitchAvailability(
            False, ruling.sentence, ruling.winner, opens=ruling.next_open, words=ruling.message
        )
    winner = next(
        (rule for rule in rules if rule.name == ruling.winner and rule.effect is Effect.ALLOW), None
    )
    span = open_at(winner, at) if winner else None
    closes = span.closes - winner.overrun if span and winner else None
    return SwitchAvailability(True, ruling.sentence, ruling.winner, closes=closes, words=ruling.message)

"""Going past a window or freeze: who may, which rules that lifts, and what is said of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from migrations_app.domain.approvals.windows import Effect, WindowRuling, WindowSpan, rule_at
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.errors import Conflict, Denied
from migrations_app.kernel.messages import WordedMessage, message

LASTS = timedelta(hours=1)
ROLE = "role "
"""Before a role's or a group's name; what stands without it is the name of a person."""


@dataclass(frozen=True, slots=True)
class Where:
    """Which deployment is asked about, and whether its policy asks for an open window."""

    service: str
    region: str
    environment: str
    needed: bool = False


def ruled(
    rules: Sequence[WindowSpan], at: datetime, where: Where, lifted: Collection[str] = ()
) -> WindowRuling:
    """Tell whether switching is allowed when some rules are lifted; a lifted window is not waited for either."""
    left = [rule for rule in rules if rule.name not in lifted]
    opened = any(rule.name in lifted and rule.effect is Effect.ALLOW for rule in rules)
    needed = where.needed and not opened
    return rule_at(left, at, where.service, where.region, where.environment, needed)


def in_the_way(rules: Sequence[WindowSpan], at: datetime, where: Where) -> tuple[WindowSpan, ...]:
    """List the rules that would have to be lifted for a switch at an instant: open freezes, or the shut windows."""
    found: list[WindowSpan] = []
    while True:
        ruling = ruled(rules, at, where, [rule.name for rule in found])
        if ruling.allowed:
            return tuple(found)
        left = [rule for rule in rules if rule not in found]
        barring = [rule for rule in left if rule.name == ruling.winner and rule.effect is Effect.DENY]
        barring = barring or [rule for rule in left if rule.effect is Effect.ALLOW and _covers(rule, where)]
        if not barring:
            # The policy asks for a window where there is none: no rule can be lifted.
            return tuple(found)
        found += barring


def _covers(rule: WindowSpan, where: Where) -> bool:
    return rule.scope.covers(where.service, where.region, where.environment)


def may_override(rule: WindowSpan, who: str, groups: Collection[str]) -> bool:
    """Tell whether an account is named by a rule, by name or by a role or group of theirs."""
    return who in rule.overriders or any(f"{ROLE}{group}" in rule.overriders for group in groups)


def override(
    rules: Sequence[WindowSpan], at: datetime, where: Where, who: str, groups: Collection[str]
) -> tuple[WindowSpan, ...]:
    """Lift what stands in the way.

    Raises: Conflict (`window-open`, `window-none`), Denied (`window-override`) with who can.
    """
    if ruled(rules, at, where).allowed:
        raise Conflict(
            message("No window or freeze is in the way."), code="window-open", remedy=message("Switch.")
        )
    barring = in_the_way(rules, at, where)
    if not barring or not ruled(rules, at, where, [rule.name for rule in barring]).allowed:
        raise Conflict(
            message("Its policy requires a window, and there is none to override."),
            code="window-none",
            remedy=message("Set a window."),
        )
    for rule in barring:
        if not may_override(rule, who, groups):
            raise Denied(refusal(rule), code="window-override", who_can=rule.overriders)
    return barring


def refusal(rule: WindowSpan) -> WordedMessage:
    """Say who may override a rule."""
    name, who = rule.name, ", ".join(rule.overriders)
    if rule.effect is Effect.DENY:
        if not who:
            return message("No account may override the freeze {name}.", name=name)
        return message("The freeze {name} may be overridden by {accounts}.", name=name, accounts=who)
    if not who:
        return message("No account may override the window {name}.", name=name)
    return message("The window {name} may be overridden by {accounts}.", name=name, accounts=who)


def cleaned(overriders: Iterable[str]) -> tuple[str, ...]:
    """Give names without blanks around them, each once."""
    return tuple(dict.fromkeys(each.strip() for each in overriders if each.strip()))


def lifted_ruling(ruling: WindowRuling, who: str, until: datetime, reason: str) -> WindowRuling:
    """Say of a switch that is allowed only because a person overrides a rule that it is."""
    words = message(
        "{who} overrides {rules} until {until_at}: {reason}",
        who=who,
        rules=ruling.winner,
        until_at=to_minute(until),
        reason=reason,
    )
    return replace(ruling, message=words)

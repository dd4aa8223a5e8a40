"""Which actions an upgrade offers to somebody, and for those it does not, why and who could."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from migrations_app.domain.switch.guards import Check, blockers
from migrations_app.domain.switch.states import State


@dataclass(frozen=True, slots=True)
class Leave:
    """Whether somebody has the right to an action, and who has if not."""

    allowed: bool
    reason: str = ""
    who_can: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """One action as every door shows it: allowed, or the sentence that refuses it."""

    action: str
    allowed: bool
    reason: str = ""
    who_can: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """In which states an action makes sense, and which right it takes."""

    action: str
    permission: str
    states: frozenset[State]
    when: str


_COPYING = frozenset({State.SYNCING, State.READY})
RULES: tuple[Rule, ...] = (
    Rule("start", "upgrade.plan", frozenset({State.PLANNED}), "while it is planned"),
    Rule("pause", "upgrade.plan", _COPYING, "while data is copied or at the gate"),
    Rule("resume", "upgrade.plan", _COPYING, "while it is paused"),
    Rule("request-approval", "upgrade.plan", _COPYING | {State.REVERSIBLE}, "once data is copied"),
    Rule("switch", "upgrade.switch", frozenset({State.READY}), "when every shard is level"),
    Rule(
        "abort",
        "upgrade.switch",
        frozenset({State.PLANNED, State.SYNCING, State.READY, State.SWITCHING}),
        "until the switch is done",
    ),
    Rule("rollback", "upgrade.rollback", frozenset({State.REVERSIBLE}), "while the way back is open"),
    Rule("complete", "upgrade.switch", frozenset({State.REVERSIBLE}), "after the switch"),
    Rule("settle", "upgrade.rollback", frozenset({State.HALTED}), "while it is halted"),
)
BY_ACTION = {rule.action: rule for rule in RULES}


def wrong_state(action: str, state: State, paused: bool = False) -> str:
    """Say why `action` makes no sense now; empty when it does."""
    rule = BY_ACTION[action]
    if state not in rule.states:
        return f"It is {state.value}; {action} is possible only {rule.when}."
    if action == "pause" and paused:
        return "It is paused already."
    if action == "resume" and not paused:
        return "It is not paused."
    if action == "switch" and paused:
        return "It is paused; resume it first."
    return ""


def offers(
    state: State,
    paused: bool,
    leave: Callable[[str], Leave],
    guards: Callable[[str], tuple[Check, ...]],
) -> tuple[Offer, ...]:
    """List every action with its answer: first the state, then the right, then the guards."""
    return tuple(_offer(rule, state, paused, leave, guards) for rule in RULES)


def _offer(
    rule: Rule,
    state: State,
    paused: bool,
    leave: Callable[[str], Leave],
    guards: Callable[[str], tuple[Check, ...]],
) -> Offer:
    unfit = wrong_state(rule.action, state, paused)
    if unfit:
        return Offer(rule.action, False, unfit)
    right = leave(rule.permission)
    if not right.allowed:
        return Offer(rule.action, False, right.reason, right.who_can)
    found = blockers(guards(rule.action)) if rule.action in ("start", "switch", "rollback") else ()
    return Offer(rule.action, not found, found[0].sentence if found else "")

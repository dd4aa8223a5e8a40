"""Which actions an upgrade offers to somebody, and for those it does not, why and who could."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from migrations_app.domain.switch.guards import Check, lasting
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
_BEFORE_FLIP = frozenset({State.PLANNED, State.SYNCING, State.READY, State.SWITCHING})
RULES: tuple[Rule, ...] = (
    Rule("start", "upgrade.start", frozenset({State.PLANNED}), "while it is planned"),
    Rule("edit", "upgrade.plan", _COPYING | {State.PLANNED}, "until it switches"),
    Rule("pause", "upgrade.pause", _COPYING, "while data is copied or at the gate"),
    Rule("throttle", "upgrade.pause", _COPYING | {State.PLANNED}, "until everything is copied"),
    Rule("resume", "upgrade.resume", _COPYING, "while it is paused"),
    Rule("request-approval", "approval.request", _COPYING | {State.REVERSIBLE}, "once the copy has begun"),
    Rule("switch", "upgrade.switch", frozenset({State.READY}), "when every shard is level"),
    Rule("abort", "upgrade.abort", _BEFORE_FLIP, "until the switch is done"),
    Rule("rollback", "upgrade.rollback", frozenset({State.REVERSIBLE}), "while the way back is open"),
    Rule("complete", "upgrade.complete", frozenset({State.REVERSIBLE}), "after the switch"),
    Rule("extend", "upgrade.complete", frozenset({State.REVERSIBLE}), "while the way back is open"),
    Rule("settle", "upgrade.rollback", frozenset({State.HALTED}), "when it is halted"),
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
    """List every action with its answer: first the right, then the state, then the guards."""
    return tuple(_offer(rule, state, paused, leave, guards) for rule in RULES)


def _offer(
    rule: Rule,
    state: State,
    paused: bool,
    leave: Callable[[str], Leave],
    guards: Callable[[str], tuple[Check, ...]],
) -> Offer:
    right = leave(rule.permission)
    if not right.allowed:
        return Offer(rule.action, False, right.reason, right.who_can)
    unfit = wrong_state(rule.action, state, paused)
    if unfit:
        return Offer(rule.action, False, unfit)
    found = lasting(guards(rule.action)) if rule.action in ("start", "switch", "rollback") else ()
    return (
        Offer(rule.action, False, found[0].sentence, found[0].who_can) if found else Offer(rule.action, True)
    )

"""Which actions an upgrade offers to an account, and for those it does not, why and who could."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from migrations_app.domain.switch.guards import ReadinessCheck, lasting
from migrations_app.domain.switch.states import State


@dataclass(frozen=True, slots=True)
class ActionPermission:
    """Whether an account has the right to an action, and which have if not."""

    allowed: bool
    reason: str = ""
    who_can: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """One action as every surface shows it: allowed, or the sentence that refuses it."""

    action: str
    allowed: bool
    reason: str = ""
    who_can: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionRule:
    """In which states an action makes sense, and which right it takes."""

    action: str
    permission: str
    states: frozenset[State]
    when: str


_COPYING = frozenset({State.SYNCING, State.READY})
_BEFORE_FLIP = frozenset({State.PLANNED, State.SYNCING, State.READY, State.SWITCHING})
RULES: tuple[ActionRule, ...] = (
    ActionRule("start", "upgrade.start", frozenset({State.PLANNED}), "while it is planned"),
    ActionRule("edit", "upgrade.plan", _COPYING | {State.PLANNED}, "until it switches"),
    ActionRule("pause", "upgrade.pause", _COPYING, "while data is copied or ready"),
    ActionRule("throttle", "upgrade.pause", _COPYING | {State.PLANNED}, "until everything is copied"),
    ActionRule("resume", "upgrade.resume", _COPYING, "while it is paused"),
    ActionRule(
        "request-approval", "approval.request", _COPYING | {State.REVERSIBLE}, "once the copy has begun"
    ),
    ActionRule("switch", "upgrade.switch", frozenset({State.READY}), "when every shard is caught up"),
    ActionRule("abort", "upgrade.abort", _BEFORE_FLIP, "until the switch is done"),
    ActionRule(
        "rollback", "upgrade.rollback", frozenset({State.REVERSIBLE}), "while the rollback window is open"
    ),
    ActionRule("complete", "upgrade.complete", frozenset({State.REVERSIBLE}), "after the switch"),
    ActionRule(
        "extend", "upgrade.complete", frozenset({State.REVERSIBLE}), "while the rollback window is open"
    ),
    ActionRule(
        "enable-reverse-replication",
        "upgrade.complete",
        frozenset({State.REVERSIBLE}),
        "while the rollback window is open",
    ),
    ActionRule("settle", "upgrade.rollback", frozenset({State.HALTED}), "when it is halted"),
)
BY_ACTION = {rule.action: rule for rule in RULES}


def wrong_state(action: str, state: State, paused: bool = False, kept_in_step: bool = True) -> str:
    """Say why `action` makes no sense now; empty when it does. `kept_in_step` is the version that was left."""
    rule = BY_ACTION[action]
    if state not in rule.states:
        return f"It is {state.value}; {action} is possible only {rule.when}."
    if action == "pause" and paused:
        return "It is paused already."
    if action == "resume" and not paused:
        return "It is not paused."
    if action == "switch" and paused:
        return "It is paused; resume it first."
    if action == "enable-reverse-replication" and kept_in_step:
        return "The version that was left is kept in step already."
    return ""


def offers(
    state: State,
    paused: bool,
    action_permission: Callable[[str], ActionPermission],
    guards: Callable[[str], tuple[ReadinessCheck, ...]],
    kept_in_step: bool = True,
) -> tuple[Offer, ...]:
    """List every action with its answer: first the right, then the state, then the guards."""
    return tuple(
        _offer(rule, wrong_state(rule.action, state, paused, kept_in_step), action_permission, guards)
        for rule in RULES
    )


def _offer(
    rule: ActionRule,
    unfit: str,
    action_permission: Callable[[str], ActionPermission],
    guards: Callable[[str], tuple[ReadinessCheck, ...]],
) -> Offer:
    right = action_permission(rule.permission)
    if not right.allowed:
        return Offer(rule.action, False, right.reason, right.who_can)
    if unfit:
        return Offer(rule.action, False, unfit)
    found = lasting(guards(rule.action)) if rule.action in ("start", "switch", "rollback") else ()
    if not found:
        return Offer(rule.action, True)
    # All that stands against it, so that mending the first does not bring up the next.
    reason = " ".join(check.sentence for check in found)
    return Offer(rule.action, False, reason, next((check.who_can for check in found if check.who_can), ()))

"""Which actions an upgrade offers to an account, and for those it does not, why and who could."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from migrations_app.domain.switch.guards import ReadinessCheck, lasting
from migrations_app.domain.switch.states import STATE_SENTENCES, State
from migrations_app.kernel.messages import NOTHING, WordedMessage, message


@dataclass(frozen=True, slots=True)
class ActionPermission:
    """Whether an account has the right to an action, and which have if not."""

    allowed: bool
    words: WordedMessage = NOTHING
    who_can: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """One action as every surface shows it: allowed, or the sentence that refuses it."""

    action: str
    allowed: bool
    words: WordedMessage = NOTHING
    who_can: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """Give the sentence that refuses it in English."""
        return str(self.words)


@dataclass(frozen=True, slots=True)
class ActionRule:
    """In which states an action makes sense, and which right it takes."""

    action: str
    permission: str
    states: frozenset[State]
    when: WordedMessage


_COPYING = frozenset({State.SYNCING, State.READY})
_BEFORE_FLIP = frozenset({State.PLANNED, State.SYNCING, State.READY, State.SWITCHING})
RULES: tuple[ActionRule, ...] = (
    ActionRule(
        "start",
        "upgrade.start",
        frozenset({State.PLANNED}),
        message("Starting is possible only while it is planned."),
    ),
    ActionRule(
        "edit",
        "upgrade.plan",
        _COPYING | {State.PLANNED},
        message("Changing its plan is possible only until it switches."),
    ),
    ActionRule(
        "pause", "upgrade.pause", _COPYING, message("Pausing is possible only while data is copied or ready.")
    ),
    ActionRule(
        "throttle",
        "upgrade.pause",
        _COPYING | {State.PLANNED},
        message("Limiting the copy rate is possible only until everything is copied."),
    ),
    ActionRule(
        "resume", "upgrade.resume", _COPYING, message("Resuming is possible only while it is paused.")
    ),
    ActionRule(
        "request-approval",
        "approval.request",
        _COPYING | {State.REVERSIBLE},
        message("Requesting approval is possible only once the copy has begun."),
    ),
    ActionRule(
        "switch",
        "upgrade.switch",
        frozenset({State.READY}),
        message("Switching is possible only when every shard is caught up."),
    ),
    ActionRule(
        "abort", "upgrade.abort", _BEFORE_FLIP, message("Aborting is possible only until the switch is done.")
    ),
    ActionRule(
        "rollback",
        "upgrade.rollback",
        frozenset({State.REVERSIBLE}),
        message("Rolling back is possible only while the rollback window is open."),
    ),
    ActionRule(
        "complete",
        "upgrade.complete",
        frozenset({State.REVERSIBLE}),
        message("Completing is possible only after the switch."),
    ),
    ActionRule(
        "extend",
        "upgrade.complete",
        frozenset({State.REVERSIBLE}),
        message("Extending the rollback window is possible only while it is open."),
    ),
    ActionRule(
        "enable-reverse-replication",
        "upgrade.complete",
        frozenset({State.REVERSIBLE}),
        message("Enabling reverse replication is possible only while the rollback window is open."),
    ),
    ActionRule(
        "settle",
        "upgrade.rollback",
        frozenset({State.HALTED}),
        message("Resolving is possible only while it is halted."),
    ),
)
BY_ACTION = {rule.action: rule for rule in RULES}


def wrong_state(action: str, state: State, paused: bool = False, kept_in_step: bool = True) -> WordedMessage:
    """Say why `action` makes no sense now; nothing when it does. `kept_in_step` is the version that was left."""
    rule = BY_ACTION[action]
    if state not in rule.states:
        return STATE_SENTENCES[state] + rule.when
    if action == "pause" and paused:
        return message("It is paused already.")
    if action == "resume" and not paused:
        return message("It is not paused.")
    if action == "switch" and paused:
        return message("It is paused; resume it first.")
    if action == "enable-reverse-replication" and kept_in_step:
        return message("The version that was left is kept current already.")
    return NOTHING


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
    unfit: WordedMessage,
    action_permission: Callable[[str], ActionPermission],
    guards: Callable[[str], tuple[ReadinessCheck, ...]],
) -> Offer:
    right = action_permission(rule.permission)
    if not right.allowed:
        return Offer(rule.action, False, right.words, right.who_can)
    if unfit:
        return Offer(rule.action, False, unfit)
    found = lasting(guards(rule.action)) if rule.action in ("start", "switch", "rollback") else ()
    if not found:
        return Offer(rule.action, True)
    # All that stands against it, so that mending the first does not bring up the next.
    words = sum((check.message for check in found), NOTHING)
    return Offer(rule.action, False, words, next((check.who_can for check in found if check.who_can), ()))

"""What must hold before each step of an upgrade, judged into sentences that every surface repeats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrations_app.domain.approvals.votes import RequestState
from migrations_app.domain.switch.data_guards import (
    check_holds,
    check_of,
    copies_back_check,
    copies_check,
    freeze_check,
    lag_check,
    parity_check,
    price_check,
    quarantined_check,
    removals_check,
    reverse_check,
    shadow_reads_check,
    shards_check,
    transactions_check,
)
from migrations_app.domain.switch.facts import STOPPING as STOPPING
from migrations_app.domain.switch.facts import CheckVerdict as CheckVerdict
from migrations_app.domain.switch.facts import Facts as Facts
from migrations_app.domain.switch.facts import ReadinessCheck as ReadinessCheck
from migrations_app.domain.switch.facts import ReadinessLimits as ReadinessLimits
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.messages import NOTHING, as_message, counted, message


def _current(facts: Facts) -> ReadinessCheck:
    known = facts.current_version is not None
    return check_holds(
        "current-version",
        facts.current_version == facts.from_version if known else None,
        message("The deployment serves {version}.", version=facts.from_version),
        message(
            "The deployment serves {served}, not {version}.",
            served=facts.current_version or "?",
            version=facts.from_version,
        ),
        message("Plan the upgrade again from the version that is served."),
        facts,
    )


def _alone(facts: Facts) -> ReadinessCheck:
    other = facts.other_upgrade
    return check_holds(
        "one-upgrade",
        other is None,
        message("No other upgrade holds this deployment."),
        message("Upgrade {other} holds this deployment.", other=other or ""),
        message("Finish or abort upgrade {other} first.", other=other or ""),
        facts,
    )


def _reachable(facts: Facts) -> ReadinessCheck:
    old, new = facts.from_version, facts.to_version
    return check_holds(
        "reachable",
        facts.reachable,
        message("{new} can be reached from {old}.", new=new, old=old),
        facts.unreachable_reason or message("{new} cannot be reached from {old}.", new=new, old=old),
        message("Declare the conversion edges between the two versions."),
        facts,
    )


def _enabled(facts: Facts) -> ReadinessCheck:
    return check_holds(
        "enabled",
        not facts.disabled,
        message("The deployment is enabled."),
        message("The deployment is disabled."),
        message("Enable the deployment first."),
        facts,
    )


def _regions(facts: Facts) -> ReadinessCheck:
    missing = facts.missing_regions
    return check_holds(
        "regions",
        None if missing is None else not missing,
        message("Every region supports {version}.", version=facts.to_version),
        counted(
            len(missing or ()),
            "{regions} does not support {version} yet.",
            "{regions} do not support {version} yet.",
            regions=", ".join(missing or ()),
            version=facts.to_version,
        ),
        message("Roll the new code out to every region before any region switches."),
        facts,
    )


def _ring(facts: Facts) -> ReadinessCheck:
    ring = facts.data_ring
    return check_holds(
        "ring",
        ring is None or ring == facts.ring,
        message("The plan and the data agree on {planned} shards.", planned=facts.ring),
        message(
            "The plan says {planned} shards, the data has {stored}.", planned=facts.ring, stored=ring or 0
        ),
        message("Plan the upgrade with {stored} shards.", stored=ring or 0),
        facts,
    )


def _window(facts: Facts) -> ReadinessCheck:
    reason = facts.window_reason
    return check_holds(
        "window",
        facts.window_open,
        reason or message("No window or freeze forbids it now."),
        reason or message("No window is open now."),
        message("Wait for the next window."),
        facts,
    )


def _plan(facts: Facts) -> ReadinessCheck:
    return check_holds(
        "plan",
        facts.plan_valid,
        message("Versions, conversion and shards are as planned."),
        message("The plan changed: versions, conversion or shards are not what they were."),
        message("Abort and plan again."),
        facts,
    )


VOTES_PENDING = ("none", RequestState.OPEN.value)
"""States of an approval in which votes are still to come, and none was refused."""


def _approval(facts: Facts) -> ReadinessCheck:
    reason = facts.approval_sentence
    if facts.approval_free:
        return check_of("approval", CheckVerdict.PASS, reason, NOTHING, facts)
    if not facts.approval_needed:
        sentence = message("The policy asks for no approval.")
        return check_of("approval", CheckVerdict.PASS, sentence, NOTHING, facts)
    check = check_holds(
        "approval",
        facts.approval_state == RequestState.APPROVED.value,
        reason or message("It was approved."),
        reason or message("It is not approved."),
        facts.approval_remedy or message("Ask for approval."),
        facts,
    )
    if check.holds:
        return check
    verdict = CheckVerdict.PENDING if facts.approval_state in VOTES_PENDING else CheckVerdict.FAIL
    return replace(check, verdict=verdict, who_can=facts.approval_who_can)


def _dependants(facts: Facts) -> ReadinessCheck:
    moved = facts.moved_dependants
    if not moved:
        sentence = message("No dependent here was switched since.")
        return check_of("dependants", CheckVerdict.PASS, sentence, NOTHING, facts)
    sentence = counted(
        len(moved),
        "{services} was switched since, and imports {version}.",
        "{services} were switched since, and import {version}.",
        services=", ".join(moved),
        version=facts.from_version,
    )
    verdict = CheckVerdict.WARN if facts.emergency else CheckVerdict.FAIL
    remedy = message("Take them back first, newest first.")
    return check_of("dependants", verdict, sentence, remedy, facts)


_STEPS = {
    "plan": (_reachable, _current, _alone, _enabled, _regions, _ring),
    "start": (_reachable, _current, _enabled, _regions, _ring, _plan),
    "switch": (
        _current,
        _enabled,
        _regions,
        _plan,
        shards_check,
        lag_check,
        parity_check,
        quarantined_check,
        copies_check,
        transactions_check,
        reverse_check,
        shadow_reads_check,
        removals_check,
        freeze_check,
        _window,
        _approval,
    ),
    "rollback": (
        price_check,
        _dependants,
        shards_check,
        lag_check,
        quarantined_check,
        copies_back_check,
        transactions_check,
        freeze_check,
        _approval,
    ),
}
GUARDED = tuple(_STEPS)
"""The steps that have guards."""


PASSING = frozenset({"lag", "freeze", "old-transactions", "read-copies"})
"""Checks that come and go under load: the director waits for them a while, and refuses if they do not pass."""


def judge(step: str, facts: Facts) -> tuple[ReadinessCheck, ...]:
    """Judge every guard of `step`, in the order they are shown."""
    return tuple(guard(facts) for guard in _STEPS[step])


def with_recorded(
    judged: tuple[ReadinessCheck, ...], recorded: Sequence[ReadinessCheck]
) -> tuple[ReadinessCheck, ...]:
    """Lay what was found on the spot over what was judged from afar; further findings come last.

    What is judged from afar and failed stays failed: a finding can only make it worse. The lag is that of the shards'
    reports wherever it is known, so that no page shows two.
    """
    found = {check.check: check for check in recorded}
    laid = [
        found[check.check]
        if check.check in found
        and check.verdict is not CheckVerdict.FAIL
        and (check.check != "lag" or check.verdict is CheckVerdict.UNKNOWN)
        else check
        for check in judged
    ]
    known = {check.check for check in judged}
    return (*laid, *(check for check in recorded if check.check not in known))


def blockers(checks: tuple[ReadinessCheck, ...]) -> tuple[ReadinessCheck, ...]:
    """Pick the checks that stop the step."""
    return tuple(check for check in checks if not check.holds)


def lasting(checks: tuple[ReadinessCheck, ...]) -> tuple[ReadinessCheck, ...]:
    """Pick the checks that stop even asking: those that come and go are waited for after it was asked."""
    return tuple(check for check in blockers(checks) if check.check not in PASSING)


def demand(step: str, checks: tuple[ReadinessCheck, ...], *, upgrade_id: str = "") -> None:
    """Let `step` be asked for only when every check holds that does not come and go by itself.

    Raises: Conflict (`guard-{check}`) with the first blocker's sentence; `blocked_by` names them all, `upgrade_id`
    the other upgrade that holds the deployment.
    """
    found = lasting(checks)
    if found:
        first = found[0]
        raise Conflict(
            first.message,
            code=f"guard-{first.check}",
            remedy=as_message(first.remedy, first.remedy_phrases),
            who_can=first.who_can,
            step=step,
            blocked_by=[f"{each.check}: {each.sentence}" for each in found],
            upgrade_id=upgrade_id,
        )

"""What must hold before each step of an upgrade, judged into sentences that every door repeats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrations_app.domain.switch.facts import STOPPING as STOPPING
from migrations_app.domain.switch.facts import Check as Check
from migrations_app.domain.switch.facts import Facts as Facts
from migrations_app.domain.switch.facts import Limits as Limits
from migrations_app.domain.switch.facts import Verdict as Verdict
from migrations_app.domain.switch.words import count
from migrations_app.kernel.errors import Conflict


def _check(name: str, verdict: Verdict, sentence: str, remedy: str, facts: Facts) -> Check:
    needs_none = verdict in (Verdict.PASS, Verdict.SKIPPED)
    return Check(name, verdict, sentence, "" if needs_none else remedy, facts.now)


def _yes_no(name: str, value: bool | None, yes: str, no: str, remedy: str, facts: Facts) -> Check:
    if value is None:
        # The remedy is for a fault, and none is known.
        sentence = f"It is not known whether {yes[0].lower()}{yes[1:]}"
        return _check(name, Verdict.UNKNOWN, sentence, "It is looked at again by itself.", facts)
    return _check(name, Verdict.PASS if value else Verdict.FAIL, yes if value else no, remedy, facts)


def _current(facts: Facts) -> Check:
    known = facts.current_version is not None
    return _yes_no(
        "current-version",
        facts.current_version == facts.from_version if known else None,
        f"The deployment serves {facts.from_version}.",
        f"The deployment serves {facts.current_version or '?'}, not {facts.from_version}.",
        "Plan the upgrade again from the version that is served.",
        facts,
    )


def _alone(facts: Facts) -> Check:
    other = facts.other_upgrade
    return _yes_no(
        "one-upgrade",
        other is None,
        "No other upgrade holds this deployment.",
        f"Upgrade {other} holds this deployment.",
        f"Finish or abort upgrade {other} first.",
        facts,
    )


def _reachable(facts: Facts) -> Check:
    return _yes_no(
        "reachable",
        facts.reachable,
        f"{facts.to_version} can be reached from {facts.from_version}.",
        facts.unreachable_reason or f"{facts.to_version} cannot be reached from {facts.from_version}.",
        "Declare the conversion edges between the two versions.",
        facts,
    )


def _enabled(facts: Facts) -> Check:
    return _yes_no(
        "enabled",
        not facts.disabled,
        "The deployment is enabled.",
        "The deployment is disabled.",
        "Enable the deployment first.",
        facts,
    )


def _regions(facts: Facts) -> Check:
    missing = facts.missing_regions
    return _yes_no(
        "regions",
        None if missing is None else not missing,
        f"Every region supports {facts.to_version}.",
        f"{', '.join(missing or ('some region',))} {'do' if len(missing or ()) > 1 else 'does'} not support"
        f" {facts.to_version} yet.",
        "Roll the new code out to every region before any region switches.",
        facts,
    )


def _ring(facts: Facts) -> Check:
    ring = facts.data_ring
    return _yes_no(
        "ring",
        ring is None or ring == facts.ring,
        f"The plan and the data agree on {facts.ring} shards.",
        f"The plan says {facts.ring} shards, the data has {ring}.",
        f"Plan the upgrade with {ring} shards.",
        facts,
    )


def _shards(facts: Facts) -> Check:
    ready, total = facts.shards_ready, facts.ring
    name = "shards-level"
    if ready is None:
        return _yes_no(name, None, f"All {total} shards are caught up.", "", "", facts)
    sentence = f"{ready} of {total} shards are caught up."
    if ready == total:
        return _check(name, Verdict.PASS, f"All {total} shards are caught up.", "", facts)
    if facts.shards_failed:
        sentence = f"{sentence[:-1]}; {count(facts.shards_failed, 'shard')} failed."
        return _check(name, Verdict.FAIL, sentence, "Look at what stopped them, then retry them.", facts)
    if facts.shards_unknown:
        sentence = f"{sentence[:-1]}; {count(facts.shards_unknown, 'shard')} do not report."
        return _check(name, Verdict.UNKNOWN, sentence, "Look at what the upgrade waits for.", facts)
    return _check(name, Verdict.PENDING, sentence, "Wait until every shard has caught up.", facts)


def _lag(facts: Facts) -> Check:
    lag, bound = facts.lag_seconds, facts.limits.lag_seconds
    return _yes_no(
        "lag",
        None if lag is None else lag <= bound,
        f"The slowest shard is at most {bound:g} s behind."
        if lag is None
        else f"The slowest shard is {lag:.1f} s behind.",
        f"The slowest shard is {lag or 0:.1f} s behind; at most {bound:g} s are allowed.",
        "Wait, or find what slows the followers down.",
        facts,
    )


def _parity(facts: Facts) -> Check:
    found, at = facts.parity_differences, facts.parity_clean_at
    if found:
        sentence = f"The last comparison found {count(found, 'differing resource')}."
        return _check(
            "parity", Verdict.FAIL, sentence, "They are repaired and compared again; look at them.", facts
        )
    if at is None or found is None:
        sentence = "The two versions have not been compared completely yet."
        return _check("parity", Verdict.PENDING, sentence, "Wait for the first full comparison.", facts)
    age = (facts.now - at).total_seconds()
    sentence = f"The last full comparison was clean, {age:.0f} s ago."
    old = age > facts.limits.parity_age_seconds
    return _check(
        "parity", Verdict.FAIL if old else Verdict.PASS, sentence, "Wait for a fresh comparison.", facts
    )


def _parked(facts: Facts) -> Check:
    return _yes_no(
        "parked",
        None if facts.parked is None else facts.parked == 0,
        "No resource is parked.",
        f"{count(facts.parked or 0, 'resource')} could not be carried over.",
        "Mend each of them and try it again, or leave it behind.",
        facts,
    )


def _copies(facts: Facts) -> Check:
    coming, lost = facts.copies_coming, facts.copies_lost
    if coming:
        sentence = f"The read copies of {', '.join(coming)} are not level in {facts.to_version} yet."
        remedy = "Wait until they are; what does not answer cannot be copied."
        return _check("read-copies", Verdict.PENDING, sentence, remedy, facts)
    if lost:
        sentence = f"The read copies of {', '.join(lost)}, which does not serve, stay behind."
        return _check("read-copies", Verdict.WARN, sentence, "Enable it first, if they are needed.", facts)
    return _check("read-copies", Verdict.PASS, "The read copies of all other regions are level.", "", facts)


def _copies_back(facts: Facts) -> Check:
    check = _copies(facts)
    # Going back waits for no other region: what is older there is brought level afterwards.
    return replace(check, verdict=Verdict.WARN) if check.verdict is Verdict.PENDING else check


def _transactions(facts: Facts) -> Check:
    age, bound = facts.oldest_transaction_seconds, facts.limits.old_transaction_seconds
    return _yes_no(
        "old-transactions",
        None if age is None else age <= bound,
        "No old transaction holds the change feed back.",
        f"{facts.oldest_transaction_holder or 'A transaction'} has been open for {age or 0:.0f} s"
        " and holds the change feed back.",
        "Let it end, or end it.",
        facts,
    )


def _reverse(facts: Facts) -> Check:
    price = facts.not_representable
    if facts.in_place:
        sentence = "Data that are changed in place have no way back."
        return _check("way-back", Verdict.WARN, sentence, "Keep a backup if you may need one.", facts)
    if not facts.downgrade_sync:
        sentence = f"The old database is disabled: rolling back would bring {facts.from_version}'s data as of the switch."
        return _check(
            "way-back", Verdict.WARN, sentence, "Enable the old database to keep it in step.", facts
        )
    if facts.price_looked is not None and not facts.reverse_error:
        sentence = f"The price of the way back is being counted: {_so_far(facts)}."
        return _check(
            "way-back", Verdict.PENDING, sentence, "Wait until every resource was looked at.", facts
        )
    if facts.reverse_proved and price:
        sentence = f"The way back works; {count(price, 'resource')} with values that {facts.from_version} cannot show."
        return _check("way-back", Verdict.WARN, sentence, "They stay in the bag; accept the price.", facts)
    why = f": {facts.reverse_error.rstrip('.')}" if facts.reverse_error else ""
    return _yes_no(
        "way-back",
        facts.reverse_proved,
        "The way back was proved on every resource.",
        f"The way back was not proved{why}.",
        "Look at the reverse conversion's first error.",
        facts,
    )


def _so_far(facts: Facts) -> str:
    """Say what was found of those looked at."""
    found = facts.not_representable or 0
    many = f"at least {count(found, 'resource')}" if found else "none yet"
    return f"{many} among the first {facts.price_looked}"


def _price(facts: Facts) -> Check:
    back, lost = facts.to_version, facts.not_representable
    if not facts.downgrade_sync:
        sentence = f"Going back brings {back}'s data as of the switch: what was written since is lost."
        return _check("price", Verdict.WARN, sentence, "Carry over by hand what must not be lost.", facts)
    sentence = f"What was written since the switch goes back to {back} too"
    if not lost:
        return _check("price", Verdict.PASS, f"{sentence}.", "", facts)
    least = "at least " if facts.price_looked is not None else ""
    sentence = f"{sentence}; {least}{count(lost, 'resource')} with values that {back} cannot show."
    return _check("price", Verdict.WARN, sentence, "They stay in the bag; accept the price.", facts)


def _freeze(facts: Facts) -> Check:
    predicted, bound = facts.predicted_freeze_ms, facts.limits.freeze_bound_ms
    check = _yes_no(
        "freeze",
        None if predicted is None else predicted <= bound / 2,
        f"Writes would pause for less than {bound / 2:.0f} ms."
        if predicted is None
        else f"Writes would pause for about {predicted:.0f} ms.",
        f"Writes would pause for about {predicted or 0:.0f} ms, over half the bound of {bound:.0f} ms.",
        "Wait for a quieter moment or less lag.",
        facts,
    )
    return replace(check, value=predicted)


def _shadow_reads(facts: Facts) -> Check:
    made, differing = facts.shadow_reads, facts.shadow_differing
    if not made:
        sentence = f"No live read of {facts.from_version} was compared with the answer after the switch."
        return _check("shadow-reads", Verdict.SKIPPED, sentence, "", facts)
    if not differing:
        sentence = (
            f"{count(made, 'live read')} of {facts.from_version} would be answered the same after the switch."
        )
        return _check("shadow-reads", Verdict.PASS, sentence, "", facts)
    sentence = (
        f"{differing} of {count(made, 'live read')} of {facts.from_version} would be answered otherwise after the"
        f" switch: {'; '.join(facts.shadow_places)}."
    )
    remedy = "Look at these resources in both versions; mend the edge, or accept what changes for clients."
    return _check("shadow-reads", Verdict.WARN, sentence, remedy, facts)


def _window(facts: Facts) -> Check:
    return _yes_no(
        "window",
        facts.window_open,
        facts.window_reason or "No window or freeze forbids it now.",
        facts.window_reason or "No window is open now.",
        "Wait for the next window.",
        facts,
    )


def _plan(facts: Facts) -> Check:
    return _yes_no(
        "plan",
        facts.plan_valid,
        "Versions, conversion and shards are as planned.",
        "The plan changed: versions, conversion or shards are not what they were.",
        "Abort and plan again.",
        facts,
    )


VOTES_PENDING = ("none", "OPEN")
"""States of an approval in which votes are still to come, and none was refused."""


def _approval(facts: Facts) -> Check:
    if facts.approval_free:
        return _check("approval", Verdict.PASS, facts.approval_sentence, "", facts)
    if not facts.approval_needed:
        return _check("approval", Verdict.PASS, "The policy asks for no approval.", "", facts)
    check = _yes_no(
        "approval",
        facts.approval_state == "APPROVED",
        facts.approval_sentence or "It was approved.",
        facts.approval_sentence or "It is not approved.",
        facts.approval_remedy or "Ask for approval.",
        facts,
    )
    if check.holds:
        return check
    verdict = Verdict.PENDING if facts.approval_state in VOTES_PENDING else Verdict.FAIL
    return replace(check, verdict=verdict, who_can=facts.approval_who_can)


def _dependants(facts: Facts) -> Check:
    moved = facts.moved_dependants
    if not moved:
        sentence = "No service here was switched to build on the version that is left."
        return _check("dependants", Verdict.PASS, sentence, "", facts)
    verb = "was" if len(moved) == 1 else "were"
    sentence = f"{', '.join(moved)} {verb} switched since, and {'builds' if len(moved) == 1 else 'build'} on {facts.from_version}."
    verdict = Verdict.WARN if facts.emergency else Verdict.FAIL
    return _check("dependants", verdict, sentence, "Take them back first, newest first.", facts)


_STEPS = {
    "plan": (_reachable, _current, _alone, _enabled, _regions, _ring),
    "start": (_reachable, _current, _enabled, _regions, _ring, _plan),
    "switch": (
        _current,
        _enabled,
        _regions,
        _plan,
        _shards,
        _lag,
        _parity,
        _parked,
        _copies,
        _transactions,
        _reverse,
        _shadow_reads,
        _freeze,
        _window,
        _approval,
    ),
    "rollback": (
        _price,
        _dependants,
        _shards,
        _lag,
        _parked,
        _copies_back,
        _transactions,
        _freeze,
        _approval,
    ),
}
GUARDED = tuple(_STEPS)
"""The steps that have guards."""


PASSING = frozenset({"lag", "freeze", "old-transactions", "read-copies"})
"""Checks that come and go under load: the director waits for them a while, and refuses if they do not pass."""


def judge(step: str, facts: Facts) -> tuple[Check, ...]:
    """Judge every guard of `step`, in the order they are shown."""
    return tuple(guard(facts) for guard in _STEPS[step])


def with_recorded(judged: tuple[Check, ...], recorded: Sequence[Check]) -> tuple[Check, ...]:
    """Lay what was found on the spot over what was judged from afar; further findings come last.

    What is judged from afar and failed stays failed: a finding can only make it worse. The lag is that of the shards'
    reports wherever it is known, so that no page shows two.
    """
    found = {check.check: check for check in recorded}
    laid = [
        found[check.check]
        if check.check in found
        and check.verdict is not Verdict.FAIL
        and (check.check != "lag" or check.verdict is Verdict.UNKNOWN)
        else check
        for check in judged
    ]
    known = {check.check for check in judged}
    return (*laid, *(check for check in recorded if check.check not in known))


def blockers(checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """Pick the checks that stop the step."""
    return tuple(check for check in checks if not check.holds)


def lasting(checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """Pick the checks that stop even asking: those that come and go are waited for after it was asked."""
    return tuple(check for check in blockers(checks) if check.check not in PASSING)


def demand(step: str, checks: tuple[Check, ...]) -> None:
    """Let `step` be asked for only when every check holds that does not come and go by itself.

    Raises: Conflict (`guard-{check}`) with the first blocker's sentence; `blocked_by` names them all.
    """
    found = lasting(checks)
    if found:
        first = found[0]
        raise Conflict(
            first.sentence,
            code=f"guard-{first.check}",
            remedy=first.remedy,
            who_can=first.who_can,
            step=step,
            blocked_by=[f"{each.check}: {each.sentence}" for each in found],
        )

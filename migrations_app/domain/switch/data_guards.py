"""The guards about the data of an upgrade: its shards, their comparison, and what the switch would cost."""

from __future__ import annotations

from dataclasses import replace

from migrations_app.domain.switch.facts import CheckVerdict, Facts, ReadinessCheck
from migrations_app.domain.switch.words import count


def check_of(name: str, verdict: CheckVerdict, sentence: str, remedy: str, facts: Facts) -> ReadinessCheck:
    """Make a check; one that passed, or had nothing to look at, names no remedy."""
    needs_none = verdict in (CheckVerdict.PASS, CheckVerdict.SKIPPED)
    return ReadinessCheck(name, verdict, sentence, "" if needs_none else remedy, facts.now)


def check_holds(
    name: str, value: bool | None, yes: str, no: str, remedy: str, facts: Facts
) -> ReadinessCheck:
    """Judge a fact that holds, does not, or (None) is not known; what is not known names no remedy of a fault."""
    if value is None:
        # The remedy is for a fault, and none is known.
        sentence = f"It is not known whether {yes[0].lower()}{yes[1:]}"
        return check_of(name, CheckVerdict.UNKNOWN, sentence, "It is looked at again by itself.", facts)
    return check_of(
        name, CheckVerdict.PASS if value else CheckVerdict.FAIL, yes if value else no, remedy, facts
    )


def shards_check(facts: Facts) -> ReadinessCheck:
    """Judge whether every shard is caught up."""
    ready, total = facts.shards_ready, facts.ring
    name = "shards-caught-up"
    if ready is None:
        return check_holds(name, None, f"All {total} shards are caught up.", "", "", facts)
    sentence = f"{ready} of {total} shards are caught up."
    if ready == total:
        return check_of(name, CheckVerdict.PASS, f"All {total} shards are caught up.", "", facts)
    if facts.shards_failed:
        sentence = f"{sentence[:-1]}; {count(facts.shards_failed, 'shard')} failed."
        return check_of(
            name, CheckVerdict.FAIL, sentence, "Look at what stopped them, then retry them.", facts
        )
    if facts.shards_unknown:
        sentence = f"{sentence[:-1]}; {count(facts.shards_unknown, 'shard')} do not report."
        return check_of(name, CheckVerdict.UNKNOWN, sentence, "Look at what the upgrade waits for.", facts)
    return check_of(name, CheckVerdict.PENDING, sentence, "Wait until every shard has caught up.", facts)


def lag_check(facts: Facts) -> ReadinessCheck:
    """Judge how far the slowest shard is behind."""
    lag, bound = facts.lag_seconds, facts.limits.lag_seconds
    return check_holds(
        "lag",
        None if lag is None else lag <= bound,
        f"The slowest shard is at most {bound:g} s behind."
        if lag is None
        else f"The slowest shard is {lag:.1f} s behind.",
        f"The slowest shard is {lag or 0:.1f} s behind; at most {bound:g} s are allowed.",
        "Wait, or find what slows the followers down.",
        facts,
    )


def parity_check(facts: Facts) -> ReadinessCheck:
    """Judge the newest full comparison of both versions."""
    found, at = facts.parity_differences, facts.parity_clean_at
    if found:
        sentence = f"The last comparison found {count(found, 'differing resource')}."
        return check_of(
            "parity",
            CheckVerdict.FAIL,
            sentence,
            "They are repaired and compared again; look at them.",
            facts,
        )
    if at is None or found is None:
        sentence = "The two versions have not been compared completely yet."
        return check_of(
            "parity", CheckVerdict.PENDING, sentence, "Wait for the first full comparison.", facts
        )
    age = (facts.now - at).total_seconds()
    sentence = f"The last full comparison was clean, {age:.0f} s ago."
    old = age > facts.limits.parity_age_seconds
    return check_of(
        "parity",
        CheckVerdict.FAIL if old else CheckVerdict.PASS,
        sentence,
        "Wait for a fresh comparison.",
        facts,
    )


def quarantined_check(facts: Facts) -> ReadinessCheck:
    """Judge whether every resource could be carried over."""
    return check_holds(
        "quarantined",
        None if facts.quarantined is None else facts.quarantined == 0,
        "No resource is quarantined.",
        f"{count(facts.quarantined or 0, 'resource')} could not be carried over.",
        "Mend each of them and try it again, or leave it behind.",
        facts,
    )


def copies_check(facts: Facts) -> ReadinessCheck:
    """Judge the read copies of other regions before a switch."""
    coming, lost = facts.copies_coming, facts.copies_lost
    if coming:
        sentence = f"The read copies of {', '.join(coming)} are not caught up in {facts.to_version} yet."
        remedy = "Wait until they are; what does not answer cannot be copied."
        return check_of("read-copies", CheckVerdict.PENDING, sentence, remedy, facts)
    if lost:
        sentence = f"The read copies of {', '.join(lost)}, which does not serve, stay behind."
        return check_of(
            "read-copies", CheckVerdict.WARN, sentence, "Enable it first, if they are needed.", facts
        )
    return check_of(
        "read-copies", CheckVerdict.PASS, "The read copies of all other regions are caught up.", "", facts
    )


def copies_back_check(facts: Facts) -> ReadinessCheck:
    """Judge the read copies of other regions before a rollback, which waits for none."""
    check = copies_check(facts)
    # Rolling back waits for no other region: what is older there is brought level afterwards.
    return replace(check, verdict=CheckVerdict.WARN) if check.verdict is CheckVerdict.PENDING else check


def transactions_check(facts: Facts) -> ReadinessCheck:
    """Judge whether an old transaction holds the change feed back."""
    age, bound = facts.oldest_transaction_seconds, facts.limits.old_transaction_seconds
    return check_holds(
        "old-transactions",
        None if age is None else age <= bound,
        "No old transaction holds the change feed back.",
        f"{facts.oldest_transaction_holder or 'A transaction'} has been open for {age or 0:.0f} s"
        " and holds the change feed back.",
        "Let it end, or end it.",
        facts,
    )


def reverse_check(facts: Facts) -> ReadinessCheck:
    """Judge whether a rollback would work, and what it would lose."""
    price = facts.not_representable
    if facts.in_place:
        sentence = "Data that are changed in place have no rollback."
        return check_of(
            "reverse-replication", CheckVerdict.WARN, sentence, "Keep a backup if you may need one.", facts
        )
    if not facts.downgrade_sync:
        sentence = f"The old database is disabled: rolling back would bring {facts.from_version}'s data as of the switch."
        return check_of(
            "reverse-replication",
            CheckVerdict.WARN,
            sentence,
            "Enable the old database to keep it in step.",
            facts,
        )
    if facts.price_looked is not None and not facts.reverse_error:
        sentence = f"The price of the rollback is being counted: {_so_far(facts)}."
        return check_of(
            "reverse-replication",
            CheckVerdict.PENDING,
            sentence,
            "Wait until every resource was looked at.",
            facts,
        )
    if facts.reverse_proved and price:
        sentence = f"The rollback works; {count(price, 'resource')} with values that {facts.from_version} cannot show."
        return check_of(
            "reverse-replication",
            CheckVerdict.WARN,
            sentence,
            "They stay in the bag; accept the price.",
            facts,
        )
    why = f": {facts.reverse_error.rstrip('.')}" if facts.reverse_error else ""
    return check_holds(
        "reverse-replication",
        facts.reverse_proved,
        "The rollback was proved on every resource.",
        f"The rollback was not proved{why}.",
        "Look at the reverse conversion's first error.",
        facts,
    )


def _so_far(facts: Facts) -> str:
    """Say what was found of those looked at."""
    found = facts.not_representable or 0
    many = f"at least {count(found, 'resource')}" if found else "none yet"
    return f"{many} among the first {facts.price_looked}"


def price_check(facts: Facts) -> ReadinessCheck:
    """Judge what a rollback loses of what was written since the switch."""
    back, lost = facts.to_version, facts.not_representable
    if not facts.downgrade_sync:
        sentence = f"Rolling back brings {back}'s data as of the switch: what was written since is lost."
        return check_of(
            "downgrade-loss", CheckVerdict.WARN, sentence, "Carry over by hand what must not be lost.", facts
        )
    if facts.reverse_unproved:
        sentence = f"{back} is being brought in step again: not every shard is copied and compared yet."
        remedy = "Wait until every shard was compared."
        return check_of("downgrade-loss", CheckVerdict.PENDING, sentence, remedy, facts)
    sentence = f"What was written since the switch is kept in {back} too"
    if not lost:
        return check_of("downgrade-loss", CheckVerdict.PASS, f"{sentence}.", "", facts)
    least = "at least " if facts.price_looked is not None else ""
    sentence = f"{sentence}; {least}{count(lost, 'resource')} with values that {back} cannot show."
    return check_of(
        "downgrade-loss", CheckVerdict.WARN, sentence, "They stay in the bag; accept the price.", facts
    )


def freeze_check(facts: Facts) -> ReadinessCheck:
    """Judge the predicted time without writes."""
    predicted, bound = facts.predicted_freeze_ms, facts.limits.freeze_bound_ms
    check = check_holds(
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


def shadow_reads_check(facts: Facts) -> ReadinessCheck:
    """Judge the live reads that were answered a second time as after the switch."""
    made, differing = facts.shadow_reads, facts.shadow_differing
    if not made:
        sentence = f"No live read of {facts.from_version} was compared with the answer after the switch."
        return check_of("shadow-reads", CheckVerdict.SKIPPED, sentence, "", facts)
    if not differing:
        sentence = (
            f"{count(made, 'live read')} of {facts.from_version} would be answered the same after the switch."
        )
        return check_of("shadow-reads", CheckVerdict.PASS, sentence, "", facts)
    sentence = (
        f"{differing} of {count(made, 'live read')} of {facts.from_version} would be answered otherwise after the"
        f" switch: {'; '.join(facts.shadow_places)}."
    )
    remedy = "Look at these resources in both versions; mend the edge, or accept what changes for clients."
    return check_of("shadow-reads", CheckVerdict.WARN, sentence, remedy, facts)


NAMED_REMOVALS = 5


def removals_check(facts: Facts) -> ReadinessCheck:
    """Judge whether a person accepted what the new version does not have of the old one."""
    all_, left = facts.removals, facts.removals_open
    old, new = facts.from_version, facts.to_version
    if all_ is None:
        sentence = unknown_removals(old, new)
        remedy = "Apply a definition of the service that has both versions; the check is repeated by itself."
        return check_of("removals", CheckVerdict.UNKNOWN, sentence, remedy, facts)
    if not all_:
        return check_of("removals", CheckVerdict.PASS, f"{new} has all that {old} has.", "", facts)
    if not left:
        sentence = f"Accepted: {new} does not have {_named(all_)} of {old}."
        return check_of("removals", CheckVerdict.PASS, sentence, "", facts)
    return check_of(
        "removals",
        CheckVerdict.FAIL,
        f"{new} does not have {_named(left)} of {old}, which is not accepted.",
        "Accept each finding in the compatibility report, by two persons, or map it in the edge.",
        facts,
    )


def unknown_removals(old: str, new: str) -> str:
    """Say that it is unknown what a new version removes."""
    return f"Unknown: what {new} does not have of {old}, because the definition cannot be read."


def _named(removals: tuple[str, ...]) -> str:
    shown = ", ".join(removals[:NAMED_REMOVALS])
    more = len(removals) - NAMED_REMOVALS
    return f"{shown} and {more} more" if more > 0 else shown

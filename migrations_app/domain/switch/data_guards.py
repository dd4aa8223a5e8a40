"""The guards about the data of an upgrade: its shards, their comparison, and what the switch would cost."""

from __future__ import annotations

from dataclasses import replace

from migrations_app.domain.switch.facts import CheckVerdict, Facts, ReadinessCheck
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, message

MINUTE_SECONDS, HOUR_SECONDS = 60, 3600


def check_of(
    name: str, verdict: CheckVerdict, sentence: WordedMessage, remedy: WordedMessage, facts: Facts
) -> ReadinessCheck:
    """Make a check; one that passed, or had nothing to look at, names no remedy."""
    needs_none = verdict in (CheckVerdict.PASS, CheckVerdict.SKIPPED)
    return ReadinessCheck.worded(name, verdict, sentence, NOTHING if needs_none else remedy, at=facts.now)


def check_holds(
    name: str, value: bool | None, yes: WordedMessage, no: WordedMessage, remedy: WordedMessage, facts: Facts
) -> ReadinessCheck:
    """Judge a fact that holds, does not, or (None) is not known; what is not known names no remedy of a fault."""
    if value is None:
        # The remedy is for a fault, and none is known.
        sentence, remedy = message("Not checked yet:") + yes, message("It is looked at again by itself.")
        return check_of(name, CheckVerdict.UNKNOWN, sentence, remedy, facts)
    return check_of(
        name, CheckVerdict.PASS if value else CheckVerdict.FAIL, yes if value else no, remedy, facts
    )


def shards_check(facts: Facts) -> ReadinessCheck:
    """Judge whether every shard is caught up."""
    ready, total = facts.shards_ready, facts.ring
    name = "shards-caught-up"
    all_ready = message("All {total} shards are caught up.", total=total)
    if ready is None or ready == total:
        return check_holds(name, None if ready is None else True, all_ready, all_ready, NOTHING, facts)
    if facts.shards_failed:
        sentence = counted(
            facts.shards_failed,
            "{ready} of {total} shards are caught up; {count} shard failed.",
            "{ready} of {total} shards are caught up; {count} shards failed.",
            ready=ready,
            total=total,
        )
        remedy = message("Look at what stopped them, then retry them.")
        return check_of(name, CheckVerdict.FAIL, sentence, remedy, facts)
    if facts.shards_unknown:
        sentence = counted(
            facts.shards_unknown,
            "{ready} of {total} shards are caught up; {count} shard does not report.",
            "{ready} of {total} shards are caught up; {count} shards do not report.",
            ready=ready,
            total=total,
        )
        remedy = message("Look at what the upgrade waits for.")
        return check_of(name, CheckVerdict.UNKNOWN, sentence, remedy, facts)
    sentence = message("{ready} of {total} shards are caught up.", ready=ready, total=total)
    remedy = message("Wait until every shard has caught up.")
    return check_of(name, CheckVerdict.PENDING, sentence, remedy, facts)


def lag_check(facts: Facts) -> ReadinessCheck:
    """Judge how far the slowest shard is behind."""
    lag, limit = facts.lag_seconds, facts.limits.lag_seconds
    behind, bound = f"{lag or 0:.1f}", f"{limit:g}"
    return check_holds(
        "lag",
        None if lag is None else lag <= limit,
        message("The slowest shard is at most {bound} s behind.", bound=bound)
        if lag is None
        else message("The slowest shard is {behind} s behind.", behind=behind),
        message(
            "The slowest shard is {behind} s behind; at most {bound} s are allowed.",
            behind=behind,
            bound=bound,
        ),
        message("Wait, or find what slows the followers down."),
        facts,
    )


def parity_check(facts: Facts) -> ReadinessCheck:
    """Judge the newest full comparison of both versions."""
    found, at = facts.parity_differences, facts.parity_clean_at
    if found:
        sentence = counted(
            found,
            "The last verification found {count} differing resource.",
            "The last verification found {count} differing resources.",
        )
        remedy = message("They are repaired and compared again; look at them.")
        return check_of("parity", CheckVerdict.FAIL, sentence, remedy, facts)
    if at is None or found is None:
        sentence = message("The two versions have not been compared completely yet.")
        remedy = message("Wait for the first full comparison.")
        return check_of("parity", CheckVerdict.PENDING, sentence, remedy, facts)
    age = (facts.now - at).total_seconds()
    sentence = _clean(age)
    old = age > facts.limits.parity_age_seconds
    remedy = message("Wait for a fresh comparison.")
    return check_of("parity", CheckVerdict.FAIL if old else CheckVerdict.PASS, sentence, remedy, facts)


def _clean(age: float) -> WordedMessage:
    if age < MINUTE_SECONDS:
        return message("The last full comparison was clean, {age} s ago.", age=f"{age:.0f}")
    if age < HOUR_SECONDS:
        minutes = int(age // MINUTE_SECONDS)
        return message("The last full comparison was clean, {age} min ago.", age=minutes)
    return message("The last full comparison was clean, {age} h ago.", age=int(age // HOUR_SECONDS))


def quarantined_check(facts: Facts) -> ReadinessCheck:
    """Judge whether every resource could be carried over."""
    return check_holds(
        "quarantined",
        None if facts.quarantined is None else facts.quarantined == 0,
        message("No resource is quarantined."),
        counted(
            facts.quarantined or 0,
            "{count} resource could not be carried over.",
            "{count} resources could not be carried over.",
        ),
        message("Fix each of them and try it again, or exclude it."),
        facts,
    )


def copies_check(facts: Facts) -> ReadinessCheck:
    """Judge the read copies of other regions before a switch."""
    name, coming, lost = "read-copies", facts.copies_coming, facts.copies_lost
    if coming:
        sentence = message(
            "The read copies of {regions} are not caught up in {version} yet.",
            regions=", ".join(coming),
            version=facts.to_version,
        )
        remedy = message("Wait until they are; what does not answer cannot be copied.")
        return check_of(name, CheckVerdict.PENDING, sentence, remedy, facts)
    if lost:
        sentence = message(
            "The read copies of {regions}, which does not serve, stay behind.", regions=", ".join(lost)
        )
        remedy = message("Enable it first, if they are needed.")
        return check_of(name, CheckVerdict.WARN, sentence, remedy, facts)
    sentence = message("The read copies of all other regions are caught up.")
    return check_of(name, CheckVerdict.PASS, sentence, NOTHING, facts)


def copies_back_check(facts: Facts) -> ReadinessCheck:
    """Judge the read copies of other regions before a rollback, which waits for none."""
    check = copies_check(facts)
    # Rolling back waits for no other region: what is older there catches up afterwards.
    return replace(check, verdict=CheckVerdict.WARN) if check.verdict is CheckVerdict.PENDING else check


def _old_transaction(process: str, age: str) -> WordedMessage:
    if not process:
        return message("A transaction has been open for {age} s and delays replication.", age=age)
    return message(
        "The transaction of process {process} has been open for {age} s and delays replication.",
        process=process,
        age=age,
    )


def transactions_check(facts: Facts) -> ReadinessCheck:
    """Judge whether a transaction that is open for long delays replication."""
    age, bound = facts.oldest_transaction_seconds, facts.limits.old_transaction_seconds
    return check_holds(
        "old-transactions",
        None if age is None else age <= bound,
        message("No long-running transaction delays replication."),
        _old_transaction(facts.oldest_transaction_holder, f"{age or 0:.0f}"),
        message("Let it end, or end it."),
        facts,
    )


def reverse_check(facts: Facts) -> ReadinessCheck:
    """Judge whether a rollback would work, and what it would lose."""
    name, lost, old = "reverse-replication", facts.not_representable, facts.from_version
    if facts.in_place:
        sentence = message("Data that are changed in place have no rollback.")
        remedy = message("Keep a backup if you may need one.")
        return check_of(name, CheckVerdict.WARN, sentence, remedy, facts)
    if not facts.downgrade_sync:
        sentence = message(
            "The old database is disabled: rolling back would bring {version}'s data as of the switch.",
            version=old,
        )
        remedy = message("Enable the old database to keep it current.")
        return check_of(name, CheckVerdict.WARN, sentence, remedy, facts)
    if facts.price_looked is not None and not facts.reverse_error:
        remedy = message("Wait until every resource was looked at.")
        return check_of(name, CheckVerdict.PENDING, _loss_so_far(facts), remedy, facts)
    if facts.reverse_proved and lost:
        sentence = counted(
            lost,
            "The rollback works; {count} resource with values that {version} cannot show.",
            "The rollback works; {count} resources with values that {version} cannot show.",
            version=old,
        )
        return check_of(name, CheckVerdict.WARN, sentence, _kept_aside(), facts)
    why = facts.reverse_error.rstrip(".")
    return check_holds(
        name,
        facts.reverse_proved,
        message("The rollback was verified for every resource."),
        message("The rollback was not verified: {reason}.", reason=why)
        if why
        else message("The rollback was not verified."),
        message("Look at the reverse conversion's first error."),
        facts,
    )


def _loss_so_far(facts: Facts) -> WordedMessage:
    """Say what was found of those looked at."""
    found, looked = facts.not_representable or 0, facts.price_looked or 0
    if not looked:
        return message("Checking what a rollback would lose: no resource was looked at yet.")
    if not found:
        return message("Checking what a rollback would lose: nothing of the first {looked}.", looked=looked)
    return counted(
        found,
        "Checking what a rollback would lose: values of at least {count} resource of the first {looked}.",
        "Checking what a rollback would lose: values of at least {count} resources of the first {looked}.",
        looked=looked,
    )


def _kept_aside() -> WordedMessage:
    return message("These values are kept aside and restored later; accept to continue.")


def price_check(facts: Facts) -> ReadinessCheck:
    """Judge what a rollback loses of what was written since the switch."""
    name, back, lost = "downgrade-loss", facts.to_version, facts.not_representable
    if not facts.downgrade_sync:
        sentence = message(
            "Rolling back brings {version}'s data as of the switch: what was written since is lost.",
            version=back,
        )
        remedy = message("Carry over by hand what must not be lost.")
        return check_of(name, CheckVerdict.WARN, sentence, remedy, facts)
    if facts.reverse_unproved:
        sentence = message(
            "Resources are being copied back to {version}: not every shard is copied and compared yet.",
            version=back,
        )
        remedy = message("Wait until every shard was compared.")
        return check_of(name, CheckVerdict.PENDING, sentence, remedy, facts)
    if not lost:
        sentence = message("What was written since the switch is kept in {version} too.", version=back)
        return check_of(name, CheckVerdict.PASS, sentence, NOTHING, facts)
    return check_of(name, CheckVerdict.WARN, _lost(lost, facts), _kept_aside(), facts)


def _lost(lost: int, facts: Facts) -> WordedMessage:
    """Say how many resources hold what the old version cannot show; a count that goes on says `at least`."""
    if facts.price_looked is None:
        return counted(
            lost,
            "What was written since the switch is kept in {version} too; {count} resource with values that"
            " {version} cannot show.",
            "What was written since the switch is kept in {version} too; {count} resources with values that"
            " {version} cannot show.",
            version=facts.to_version,
        )
    return counted(
        lost,
        "What was written since the switch is kept in {version} too; at least {count} resource with values that"
        " {version} cannot show.",
        "What was written since the switch is kept in {version} too; at least {count} resources with values that"
        " {version} cannot show.",
        version=facts.to_version,
    )


def freeze_check(facts: Facts) -> ReadinessCheck:
    """Judge the predicted time without writes."""
    predicted, bound = facts.predicted_freeze_ms, facts.limits.freeze_bound_ms
    milliseconds = f"{predicted or 0:.0f}"
    check = check_holds(
        "freeze",
        None if predicted is None else predicted <= bound / 2,
        message("Writes would pause for less than {half} ms.", half=f"{bound / 2:.0f}")
        if predicted is None
        else message("Writes would pause for about {milliseconds} ms.", milliseconds=milliseconds),
        message(
            "Writes would pause for about {milliseconds} ms, over half the bound of {bound} ms.",
            milliseconds=milliseconds,
            bound=f"{bound:.0f}",
        ),
        message("Wait for a quieter moment or less lag."),
        facts,
    )
    return replace(check, value=predicted)


def shadow_reads_check(facts: Facts) -> ReadinessCheck:
    """Judge the live reads that were answered a second time as after the switch."""
    name, version = "shadow-reads", facts.from_version
    made, differing = facts.shadow_reads, facts.shadow_differing
    if not made:
        return check_of(name, CheckVerdict.SKIPPED, message("Shadow reads: none sampled."), NOTHING, facts)
    if not differing:
        sentence = counted(
            made,
            "{count} live read of {version} would be answered the same after the switch.",
            "{count} live reads of {version} would be answered the same after the switch.",
            version=version,
        )
        return check_of(name, CheckVerdict.PASS, sentence, NOTHING, facts)
    sentence = counted(
        made,
        "{differing} of {count} live read of {version} would be answered otherwise after the switch: {places}.",
        "{differing} of {count} live reads of {version} would be answered otherwise after the switch: {places}.",
        differing=differing,
        version=version,
        places="; ".join(facts.shadow_places),
    )
    remedy = message(
        "Look at these resources in both versions; fix the edge, or accept what changes for clients."
    )
    return check_of(name, CheckVerdict.WARN, sentence, remedy, facts)


NAMED_REMOVALS = 5


def removals_check(facts: Facts) -> ReadinessCheck:
    """Judge whether a person accepted what the new version does not have of the old one."""
    all_, left = facts.removals, facts.removals_open
    name, old, new = "removals", facts.from_version, facts.to_version
    if all_ is None:
        remedy = message(
            "Apply a definition of the service that has both versions; the check is repeated by itself."
        )
        return check_of(name, CheckVerdict.UNKNOWN, unknown_removals(old, new), remedy, facts)
    if not all_:
        return check_of(
            name,
            CheckVerdict.PASS,
            message("{new} has all that {old} has.", new=new, old=old),
            NOTHING,
            facts,
        )
    if not left:
        sentence = message(
            "Accepted: {new} does not have {removals} of {old}.", new=new, old=old, removals=_named(all_)
        )
        return check_of(name, CheckVerdict.PASS, sentence, NOTHING, facts)
    sentence = message(
        "{new} does not have {removals} of {old}, which is not accepted.",
        new=new,
        old=old,
        removals=_named(left),
    )
    remedy = message(
        "Accept each finding in the compatibility report, by two persons, or map it in the edge."
    )
    return check_of(name, CheckVerdict.FAIL, sentence, remedy, facts)


def unknown_removals(old: str, new: str) -> WordedMessage:
    """Say that it is unknown what a new version removes."""
    return message(
        "Unknown: what {new} does not have of {old}, because the definition cannot be read.", new=new, old=old
    )


def _named(removals: tuple[str, ...]) -> str:
    shown = ", ".join(removals[:NAMED_REMOVALS])
    more = len(removals) - NAMED_REMOVALS
    return f"{shown} and {more} more" if more > 0 else shown

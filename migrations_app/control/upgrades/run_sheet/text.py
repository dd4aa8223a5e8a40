"""A run sheet in Markdown, for tickets and change records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from migrations_app.control.upgrades.queries.report import plain_text, table
from migrations_app.control.upgrades.run_sheet.document import (
    VERDICT_WORDS,
    RunSheet,
    SheetCheck,
    SheetRequest,
    by_severity,
    counted_checks,
    facts_of,
)
from migrations_app.control.upgrades.run_sheet.page import STEP_NAMES, STEP_WORDS
from migrations_app.domain.approvals.votes import VOTE_WORDS
from migrations_app.domain.switch.words import stamp


def as_text(sheet: RunSheet) -> str:
    """Write a run sheet for people to read in Markdown; it says what the page says, without the charts."""
    parts = [f"# {plain_text(sheet.title)}", plain_text(sheet.sentence)]
    parts += [
        table(("", ""), facts_of(sheet).items()),
        "## Steps",
        table(("Step", "State", "At", "By"), _steps(sheet)),
    ]
    parts += ["## Checks", _checks_line(sheet)]
    if sheet.worse:
        parts += ["### Worse since the request", table(("Check", "Then", "Now"), _worse(sheet))]
    if sheet.checks:
        parts.append(_table_of_checks(sheet.checks))
    parts.append("## Approvals")
    for request in sheet.requests:
        parts += _request(request)
    if not sheet.requests:
        parts.append("No approval was requested until then.")
    if sheet.switch_steps:
        parts += ["## Cutover", table(("Step", "State", "At", "Took"), _switch_steps(sheet))]
    if sheet.events:
        parts.append("## Events")
        parts += [f"{sheet.events_left_out} older events are left out."] if sheet.events_left_out else []
        parts.append(
            table(("At", "Who", "What"), ((stamp(event.at), event.who, event.text) for event in sheet.events))
        )
    parts.append(
        f"Written by Switchyard from what was recorded until {stamp(sheet.as_of)}. The last line of this file is a "
        "signature over all of it; `swy report verify FILE` tells whether it was changed."
    )
    return "\n\n".join(parts) + "\n"


def _steps(sheet: RunSheet) -> Iterable[Sequence[str]]:
    for step in sheet.steps:
        at = stamp(step.started_at) if step.started_at else ""
        yield STEP_NAMES.get(step.step, step.step), STEP_WORDS[step.state.value], at, step.who


def _checks_line(sheet: RunSheet) -> str:
    counts = counted_checks(sheet.checks)
    if not sheet.checks:
        return counts
    return f"{counts} {'Recorded ' + stamp(sheet.checks_at) if sheet.checks_at else 'Made ' + stamp(sheet.as_of)}."


def _worse(sheet: RunSheet) -> Iterable[Sequence[str]]:
    return (
        (now.check, VERDICT_WORDS[before.verdict], VERDICT_WORDS[now.verdict]) for before, now in sheet.worse
    )


def _table_of_checks(checks: Sequence[SheetCheck]) -> str:
    rows = (
        (VERDICT_WORDS.get(check.verdict, check.verdict), check.check, check.sentence)
        for check in by_severity(checks)
    )
    return table(("Result", "Check", "What it says"), rows)


def _request(of: SheetRequest) -> list[str]:
    parts = [f"### Approval of the {of.purpose}, requested by {plain_text(of.who)}, {stamp(of.at)}"]
    parts += [f"> {plain_text(of.comment)}"] if of.comment else []
    parts.append(f"{of.needed} needed. Checks of {stamp(of.checks_at)}: {counted_checks(of.checks)}")
    open_checks = [check for check in of.checks if not check.passes]
    parts += [_table_of_checks(open_checks)] if open_checks else []
    votes = [
        (
            stamp(vote.at),
            vote.who,
            VOTE_WORDS.get(vote.verdict, vote.verdict) + (f" (void: {vote.void})" if vote.void else ""),
            vote.comment,
        )
        for vote in of.votes
    ]
    return [*parts, table(("At", "Who", "Vote", "Comment"), votes) if votes else "No votes until then."]


def _switch_steps(sheet: RunSheet) -> Iterable[Sequence[str]]:
    for step in sheet.switch_steps:
        took = "not recorded" if step.took_seconds is None else f"{step.took_seconds * 1000:,.0f} ms"
        yield step.step, step.state, stamp(step.at), took

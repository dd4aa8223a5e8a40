"""A run sheet as one HTML file: charts and styles inside, no script, and nothing that a browser would have to load."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape
from pathlib import Path

from migrations_app.control.upgrades.run_sheet.charts import curve_chart, legend, shards_chart
from migrations_app.control.upgrades.run_sheet.document import (
    VERDICT_WORDS,
    RunSheet,
    SheetCheck,
    SheetRequest,
    by_severity,
    counted_checks,
    facts_of,
)
from migrations_app.domain.approvals.votes import VOTE_WORDS
from migrations_app.domain.switch.words import stamp

STYLE = Path(__file__).with_name("page.css")
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Whatever a name or a comment holds: a browser loads and runs nothing for this page."""
STEP_NAMES = {
    "Planned": "Plan",
    "Initial sync": "Backfill",
    "Readiness": "Evidence and approvals",
    "Switching": "Cutover",
    "Done": "Complete",
}
STEP_WORDS = {
    "done": "done",
    "current": "in progress",
    "todo": "to do",
    "failed": "failed",
    "skipped": "not needed",
}


def as_page(sheet: RunSheet) -> str:
    """Write a run sheet as a page."""
    title = escape(sheet.title)
    body = [
        f"<header><p class='kind'>Run sheet of an upgrade</p><h1>{title}</h1>",
        f"<p class='sentence'>{escape(sheet.sentence)}</p>{_facts(sheet)}</header>",
        _section("In time", _charts(sheet)),
        _section("Steps", _steps(sheet)),
        _section("Checks", _checks(sheet)),
        _section("Approvals", _requests(sheet.requests)),
        _section("Cutover", _switch_steps(sheet)),
        _section("Events", _events(sheet)),
    ]
    return "\n".join(
        (
            "<!doctype html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<style>{STYLE.read_text()}</style></head><body><main>",
            *body,
            "</main>",
            f"<footer>{_about_signature(sheet)}</footer></body></html>",
        )
    )


def _about_signature(sheet: RunSheet) -> str:
    return (
        f"<p>Written by Switchyard from what was recorded until {_time(sheet.as_of)}. The last line of this file is a "
        "signature over all of it. <code>swy report verify FILE</code> tells whether it was changed.</p>"
    )


def _section(title: str, content: str) -> str:
    name = title.lower().replace(" ", "-")
    return (
        f'<section aria-labelledby="{name}"><h2 id="{name}">{title}</h2>{content}</section>'
        if content
        else ""
    )


def _time(at: datetime | None) -> str:
    return f'<time datetime="{at.isoformat()}">{stamp(at)}</time>' if at else "not recorded"


def _facts(sheet: RunSheet) -> str:
    rows = (
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
        for name, value in facts_of(sheet).items()
    )
    return f"<dl class='facts'>{''.join(rows)}</dl>"


def _charts(sheet: RunSheet) -> str:
    figures = [
        ("Shards, approvals and the pause of writes", shards_chart(sheet) + legend(sheet.spans)),
        ("Lag, 95th percentile of the shards", curve_chart(sheet, "Lag", "s", lambda each: each.lag_p95)),
        (
            "Write latency of clients, 95th percentile",
            curve_chart(sheet, "Write latency", "ms", lambda each: each.write_p95_ms),
        ),
        ("Copied resources a second", curve_chart(sheet, "Copy rate", "/s", lambda each: each.rate)),
    ]
    drawn = [_figure(name, chart) for name, chart in figures if chart]
    if not sheet.shards_complete:
        drawn.append("<p class='note'>The oldest changes of shards are not drawn.</p>")
    return "".join(drawn)


def _figure(name: str, chart: str) -> str:
    return (
        f"<figure><figcaption>{name} (UTC)</figcaption>"
        f'<div class="scroll" role="region" aria-label="{name}" tabindex="0">{chart}</div></figure>'
    )


def _steps(sheet: RunSheet) -> str:
    items = []
    for step in sheet.steps:
        took = f", {step.took_seconds:,.1f} s" if step.took_seconds is not None else ""
        by = f", {escape(step.who)}" if step.who else ""
        when = f"{_time(step.started_at)}{took}{by}" if step.started_at else ""
        parts = " · ".join(part for part in (when, escape(step.text)) if part)
        name = STEP_NAMES.get(step.step, step.step)
        items.append(
            f"<li class='{step.state.value}'><b>{name}</b> <span class='word'>{STEP_WORDS[step.state.value]}</span>"
            f"<span class='when'>{parts}</span></li>"
        )
    return f"<ol class='steps'>{''.join(items)}</ol>"


def _checks(sheet: RunSheet) -> str:
    when = f"Recorded {_time(sheet.checks_at)}" if sheet.checks_at else f"Made {_time(sheet.as_of)}"
    if not sheet.checks:
        return f"<p>{counted_checks(sheet.checks)}</p>"
    worse = "".join(
        f"<li><b>{escape(now.check)}</b>: {VERDICT_WORDS[before.verdict]} when approval was requested, "
        f"{VERDICT_WORDS[now.verdict]} now</li>"
        for before, now in sheet.worse
    )
    changed = f"<h3>Worse since the request</h3><ul>{worse}</ul>" if worse else ""
    return f"<p>{counted_checks(sheet.checks)} {when}.</p>{changed}{_table_of_checks(sheet.checks, 'Checks')}"


def _table_of_checks(checks: Sequence[SheetCheck], name: str) -> str:
    rows = (
        (
            f"<span class='verdict {check.verdict}'>{VERDICT_WORDS.get(check.verdict, check.verdict)}</span>",
            escape(check.check),
            escape(check.sentence),
        )
        for check in by_severity(checks)
    )
    return _table(name, ("Result", "Check", "What it says"), rows)


def _requests(requests: Iterable[SheetRequest]) -> str:
    return "".join(map(_request, requests)) or "<p>No approval was requested until then.</p>"


def _request(of: SheetRequest) -> str:
    comment = f"<blockquote>{escape(of.comment)}</blockquote>" if of.comment else ""
    votes = [
        (
            _time(vote.at),
            escape(vote.who),
            escape(VOTE_WORDS.get(vote.verdict, vote.verdict))
            + (f" (void: {escape(vote.void)})" if vote.void else ""),
            escape(vote.comment),
        )
        for vote in of.votes
    ]
    name = f"Votes on the {of.purpose} requested {stamp(of.at)}"
    given = _table(name, ("At", "Who", "Vote", "Comment"), votes) if votes else "<p>No votes until then.</p>"
    open_checks = [check for check in of.checks if not check.passes]
    seen = (
        _table_of_checks(
            open_checks, f"Checks that did not hold when {of.purpose} was requested {stamp(of.at)}"
        )
        if open_checks
        else ""
    )
    return (
        f"<h3>Approval of the {escape(of.purpose)}, requested by {escape(of.who)}, {_time(of.at)}</h3>{comment}"
        f"<p>{of.needed} needed. Checks of {_time(of.checks_at)}: {counted_checks(of.checks)}</p>{seen}{given}"
    )


def _switch_steps(sheet: RunSheet) -> str:
    if not sheet.switch_steps:
        return ""
    rows = (
        (
            escape(step.step),
            escape(step.state),
            _time(step.at),
            "not recorded" if step.took_seconds is None else f"{step.took_seconds * 1000:,.0f} ms",
        )
        for step in sheet.switch_steps
    )
    return _table("Steps of the cutover", ("Step", "State", "At", "Took"), rows)


def _events(sheet: RunSheet) -> str:
    older = f"<p>{sheet.events_left_out} older events are left out.</p>" if sheet.events_left_out else ""
    rows = ((_time(event.at), escape(event.who), escape(event.text)) for event in sheet.events)
    return older + _table("Events", ("At", "Who", "What"), rows) if sheet.events else ""


def _table(name: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    heads = "".join(f'<th scope="col">{each}</th>' for each in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f'<div class="scroll" role="region" aria-label="Table: {escape(name)}" tabindex="0"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )

"""The report of an upgrade in Markdown: what tickets, mails and reviews are written from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.votes import VOTE_WORDS
from migrations_app.domain.switch.states import STATE_WORDS, State
from migrations_app.domain.switch.words import count, stamp

MARKS = {"pass": "✓", "skipped": "–", "warn": "!", "pending": "…", "fail": "✗", "unknown": "?"}


def as_markdown(report: Mapping[str, Any]) -> str:
    """Write a report for people to read; it says nothing that the document does not."""
    of, counts = report["upgrade"], report["counts"]
    head = f"# {of['service']} @ {of['region']}: {of['from_version']} to {of['to_version']}"
    facts = {
        "State": STATE_WORDS[State(of["state"])],
        "Planned by": f"{of['requested_by']}, {_at(of['created_at'])}",
        "Started": _at(of["started_at"]),
        "Ended": _at(of["finished_at"]),
        "Rollback possible until": _at(of["reversible_until"], "not possible"),
        "Copied": f"{count(counts['copied'], 'resource')}, {count(counts['followed'], 'change')} followed, {counts['quarantined']} quarantined",
        "Highest copy rate": f"{report['peak_rate_per_second']:.0f} resources a second",
        **_speed(report),
        "Pause of writes": "not yet" if report["freeze_ms"] is None else f"{report['freeze_ms']:.0f} ms",
        **_rollback(report["rollback_freeze_ms"]),
        "Plan": f"`{of['plan_digest']}`",
        "Upgrade": f"`{of['id']}`",
    }
    parts = [head, plain_text(of["sentence"]), *([f"> {plain_text(of['comment'])}"] if of["comment"] else [])]
    parts.append(table(("", ""), facts.items()))
    parts += _section("Checks", _checks(report["checks"]))
    parts += _section("Votes", [_vote(each) for each in report["votes"]])
    parts += _section(
        "Emergency overrides (break-glass)", [_emergency(each) for each in report["emergencies"]]
    )
    moves = [(_at(each["at"]), STATE_WORDS[State(each["state"])], each["who"]) for each in report["moves"]]
    parts += ["## States", table(("At", "State", "By"), moves)] if moves else []
    story = [
        f"- {_at(each['at'])} {plain_text(each['text'])} ({plain_text(each['who'])})"
        for each in report["timeline"]
    ]
    parts += _section("What happened", story)
    return "\n\n".join(parts) + "\n"


def _rollback(freeze_ms: float | None) -> dict[str, str]:
    return {} if freeze_ms is None else {"Pause of writes by the rollback": f"{freeze_ms:.0f} ms"}


def _speed(report: Mapping[str, Any]) -> dict[str, str]:
    phases, rates = report["phases_seconds"], report["rates_per_second"]
    until = {
        "Copied in": _seconds(phases["copying"], rates["copying"]),
        "Caught up in": _seconds(phases["catching_up"]),
        "Compared in": _seconds(phases["comparing"], rates["comparing"]),
        "Waited for workers and ticks": _seconds(report["waiting_seconds"]),
    }
    return {name: text for name, text in until.items() if text}


def _seconds(seconds: float | None, rate: int | None = None) -> str:
    if seconds is None:
        return ""
    return f"{seconds:.1f} s" + (f", {rate:,} resources a second" if rate else "")


def _section(title: str, lines: list[str]) -> list[str]:
    return [f"## {title}", "\n".join(lines)] if lines else []


def _checks(checks: Iterable[Mapping[str, Any]]) -> list[str]:
    return [f"- {MARKS.get(each['verdict'], '?')} {plain_text(each['sentence'])}" for each in checks]


def _vote(of: Mapping[str, Any]) -> str:
    void = f" (void: {plain_text(of['void'])})" if of["void"] else ""
    purpose = "rollback" if of["purpose"] == Purpose.REVERT.value else "switch"
    vote = VOTE_WORDS.get(of["verdict"], of["verdict"])
    return f"- {_at(of['at'])} {plain_text(of['who'])} {vote}, for the {purpose}{void}"


def _at(iso: str | None, otherwise: str = "not yet") -> str:
    """Write a moment of the document for people."""
    return stamp(datetime.fromisoformat(iso)) if iso else otherwise


def _emergency(of: Mapping[str, Any]) -> str:
    review = f"reviewed by {plain_text(of['reviewed_by'])}" if of["reviewed_by"] else "not reviewed yet"
    return f"- {plain_text(of['who'])}, {plain_text(of['ticket'])}: {plain_text(of['reason'])} ({review})"


def table(head: tuple[str, ...], rows: Iterable[Iterable[object]]) -> str:
    """Write a table."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(plain_text(str(each)) for each in row)} |" for row in rows]
    return "\n".join(lines)


def plain_text(said: str) -> str:
    """Keep what people wrote from being read as marks, and on one line."""
    safe = "".join(f"\\{each}" if each in "\\|<>[]*_#" else each for each in said)
    return " ".join(safe.split())

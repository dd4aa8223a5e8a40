"""The demo's last words: figures, and whether anything was lost."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from console.cli.output import screen
from console.demo.story import DemoReport


def as_json(told: DemoReport) -> dict[str, Any]:
    """Give the report as data."""
    counts = [report["counts"] for report in told.reports]
    peak = max((report["peak_rate_per_second"] for report in told.reports), default=0.0)
    return {
        "service": told.place.service,
        "from_version": told.place.old,
        "to_version": told.place.new,
        "seconds": round(told.seconds, 1),
        "took_seconds": {phase: round(each, 1) for phase, each in told.took.items()},
        "copied": [count["copied"] for count in counts],
        "followed": [count["followed"] for count in counts],
        "quarantined": [count["quarantined"] for count in counts],
        "copy_seconds": [round(each, 1) for each in told.copy_seconds],
        "peak_rate_per_second": round(peak),
        "phases_seconds": [report["phases_seconds"] for report in told.reports],
        "waiting_seconds": [report["waiting_seconds"] for report in told.reports],
        "rates_per_second": [report["rates_per_second"] for report in told.reports],
        "looks": told.history.looks,
        "contradictions": len(told.history.contradictions),
        "freeze_ms": {label: round(each, 1) for label, each in told.freezes_ms.items()},
        "freeze_steps_ms": told.steps_ms,
        "gap_ms": {label: round(each, 1) for label, each in told.gaps_ms.items()},
        "parity": told.parity,
        "writes": told.writes,
        "writes_per_second": round(told.writes_per_second, 1),
        "slowest_write_ms": round(told.slowest_write_ms, 1),
        "longest_gap_ms": round(told.longest_gap_ms, 1),
        "retried_writes": told.retried,
        "refused_writes": told.refused,
        "method_calls": told.method_calls,
        "miscounted_calls": told.miscounted_calls,
        "compared": sum(each.compared for each in told.comparisons),
        "lost": sum(each.lost for each in told.comparisons),
        "stale": sum(each.stale for each in told.comparisons),
        "differing": sum(each.differing for each in told.comparisons),
        "duplicated": sum(each.extra for each in told.comparisons),
        "not_compared": sum(each.not_compared for each in told.comparisons),
        "clean": told.clean,
    }


def show(told: DemoReport) -> None:
    """Print the report."""
    found = as_json(told)
    table = Table(
        title=f"{found['service']}: {found['from_version']} → {found['to_version']}", show_header=False
    )
    for name, value in found.items():
        if name in ("service", "from_version", "to_version", "clean"):
            continue
        table.add_row(name.replace("_", " "), _said(value))
    screen.print(table)
    for each in told.comparisons:
        for example in each.examples:
            screen.print(f"  {each.moment}: {example}")
    for contradiction in told.history.contradictions:
        screen.print(f"  Contradiction: {contradiction}")
    verdict = "Nothing was lost." if told.clean else "Something went wrong: see above."
    screen.print(f"  {verdict}")


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_said(each)}" for name, each in value.items()) or "none"
    if isinstance(value, list):
        return " · ".join(_said(each) for each in value)
    return f"{value:,}" if isinstance(value, int | float) else str(value)

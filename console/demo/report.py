"""The demo's last words: figures, and whether anything was lost."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from console.cli.output import screen
from console.demo.story import DemoReport


def as_json(demo: DemoReport) -> dict[str, Any]:
    """Give the report as data."""
    counts = [report["counts"] for report in demo.reports]
    peak = max((report["peak_rate_per_second"] for report in demo.reports), default=0.0)
    return {
        "service": demo.place.service,
        "from_version": demo.place.old,
        "to_version": demo.place.new,
        "seconds": round(demo.seconds, 1),
        "took_seconds": {phase: round(each, 1) for phase, each in demo.took.items()},
        "copied": [count["copied"] for count in counts],
        "followed": [count["followed"] for count in counts],
        "quarantined": [count["quarantined"] for count in counts],
        "copy_seconds": [round(each, 1) for each in demo.copy_seconds],
        "peak_rate_per_second": round(peak),
        "phases_seconds": [report["phases_seconds"] for report in demo.reports],
        "waiting_seconds": [report["waiting_seconds"] for report in demo.reports],
        "rates_per_second": [report["rates_per_second"] for report in demo.reports],
        "looks": demo.history.looks,
        "contradictions": len(demo.history.contradictions),
        "freeze_ms": {label: round(each, 1) for label, each in demo.freezes_ms.items()},
        "freeze_steps_ms": demo.steps_ms,
        "gap_ms": {label: round(each, 1) for label, each in demo.gaps_ms.items()},
        "parity": demo.parity,
        "writes": demo.writes,
        "writes_per_second": round(demo.writes_per_second, 1),
        "slowest_write_ms": round(demo.slowest_write_ms, 1),
        "longest_gap_ms": round(demo.longest_gap_ms, 1),
        "retried_writes": demo.retried,
        "refused_writes": demo.refused,
        "method_calls": demo.method_calls,
        "miscounted_calls": demo.miscounted_calls,
        "compared": sum(each.compared for each in demo.comparisons),
        "lost": sum(each.lost for each in demo.comparisons),
        "stale": sum(each.stale for each in demo.comparisons),
        "differing": sum(each.differing for each in demo.comparisons),
        "duplicated": sum(each.extra for each in demo.comparisons),
        "not_compared": sum(each.not_compared for each in demo.comparisons),
        "clean": demo.clean,
    }


def show(demo: DemoReport) -> None:
    """Print the report."""
    found = as_json(demo)
    table = Table(
        title=f"{found['service']}: {found['from_version']} → {found['to_version']}", show_header=False
    )
    for name, value in found.items():
        if name in ("service", "from_version", "to_version", "clean"):
            continue
        table.add_row(name.replace("_", " "), _said(value))
    screen.print(table)
    for each in demo.comparisons:
        for example in each.examples:
            screen.print(f"  {each.moment}: {example}")
    for contradiction in demo.history.contradictions:
        screen.print(f"  Contradiction: {contradiction}")
    verdict = "Nothing was lost." if demo.clean else "Something went wrong: see above."
    screen.print(f"  {verdict}")


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_said(each)}" for name, each in value.items()) or "none"
    if isinstance(value, list):
        return " · ".join(_said(each) for each in value)
    return f"{value:,}" if isinstance(value, int | float) else str(value)

"""The figures of an upgrade in words, each with its age."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any


def age_of(figures: dict[str, Any]) -> str:
    """Say how old figures are, by the oldest report of the shards that count."""
    if not figures["oldest_report_at"]:
        return "no shard has reported"
    reported = datetime.fromisoformat(figures["oldest_report_at"])
    seconds = max(0.0, (datetime.now(UTC) - reported).total_seconds())
    return f"reported {reported:%H:%M:%S} UTC, {seconds:.0f} s ago"


def figures_of(upgrade: dict[str, Any]) -> str:
    """Say how far an upgrade is in one line."""
    shards, progress = upgrade["shards"], upgrade["progress"]
    least = "at least " if progress["total_is_minimum"] else ""
    percent = "not counted yet" if progress["percent"] is None else f"{progress['percent']} %"
    words = [
        f"{shards['ready']} of {shards['total']} shards caught up",
        f"{percent} ({progress['copied']:,} of {least}{progress['total']:,})",
    ]
    if progress["unknown_shards"]:
        words.append(f"{progress['unknown_shards']} without a report")
    if progress["lag_seconds"] is not None:
        words.append(f"{progress['lag_seconds']:.1f} s behind")
    return " · ".join([*words, age_of(progress)])


def causes_of(upgrade: dict[str, Any]) -> list[str]:
    """Name what holds an upgrade up: each cause with since when and what helps."""
    told: list[str] = []
    for cause in upgrade["blockages"]:
        since = f" (since {cause['since'][:19].replace('T', ' ')} UTC)" if cause["since"] else ""
        told.append(f"  ✕ {cause['sentence']}{since}")
        told.append(f"    {cause['remedy']}")
    return told


def pace_of(upgrade: dict[str, Any]) -> list[str]:
    """Tell that copies and comparisons are slowed for the sake of writes, if they are."""
    paced = upgrade.get("paced")
    return [f"  {paced['sentence']}"] if paced else []

"""What an upgrade said about itself at every look, and whether any of it contradicts the rest."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

REPORT_LIMIT_SECONDS = 30.0
"""A shard with an older report may not be shown as caught up (migrations_app/domain/switch/progress.py)."""
LAG_LIMIT_SECONDS = 10.0
TOLERANCE_SECONDS = 5.0
"""What the answer's way to here may take on a busy machine."""
REPORTING = ("SYNCING", "READY", "SWITCHING", "REVERTING")
CAUGHT_UP = ("ready", "switched")
MOST_KEPT = 20


class History:
    """Counts the looks at upgrades and keeps the first contradictions."""

    def __init__(self) -> None:
        self.looks = 0
        self.contradictions: list[str] = []

    def add(self, seen: dict[str, Any]) -> None:
        """Check one look."""
        self.looks += 1
        for sentence in contradictions(seen, datetime.now(UTC)):
            if len(self.contradictions) < MOST_KEPT:
                self.contradictions.append(f"{seen['id']} {seen['state']}: {sentence}")


def contradictions(seen: dict[str, Any], now: datetime) -> Iterator[str]:
    """Name what one answer about an upgrade says that the rest of it denies."""
    progress, shards = seen["progress"], seen["shards"]
    items, ready = shards["items"], shards["ready"]
    if progress["total"] < progress["copied"]:
        yield f"{progress['copied']} of {progress['total']} are copied"
    if (progress["percent"] == 100) != (ready == shards["total"]):
        yield f"{progress['percent']} % with {ready} of {shards['total']} shards caught up"
    counted = sum(shard["state"] in CAUGHT_UP for shard in items)
    if counted != ready:
        yield f"{ready} shards are counted as caught up and {counted} are shown so"
    if seen["state"] in REPORTING and not seen["paused"] and seen["started_at"]:
        yield from _old(items, now)
    yield from _checks(seen, ready)
    causes = [cause["sentence"] for cause in seen["blockages"]]
    if seen["stall"] and not set(seen["stall"]["causes"]) <= set(causes):
        yield f"it stalls for {seen['stall']['causes']} and is held up by {causes}"


def _old(items: list[dict[str, Any]], now: datetime) -> Iterator[str]:
    for shard in items:
        if shard["state"] in CAUGHT_UP and shard["reported_at"]:
            age = (now - datetime.fromisoformat(shard["reported_at"])).total_seconds()
            if age > REPORT_LIMIT_SECONDS + TOLERANCE_SECONDS:
                yield f"shard {shard['shard']} is {shard['state']}, reported {age:.0f} s ago"


def _checks(seen: dict[str, Any], ready: int) -> Iterator[str]:
    checks = {check["check"]: check for check in seen["readiness"]["checks"]}
    if seen["state"] not in ("SYNCING", "READY"):
        return
    level = checks.get("shards-caught-up")
    if level and (level["verdict"] == "pass") != (ready == seen["shards"]["total"]):
        yield f"the check says {level['sentence']!r} with {ready} shards caught up"
    lag, measured = checks.get("lag"), seen["progress"]["lag_seconds"]
    # Both are of one request, looked at one after the other: close to the limit they may fall on its two sides.
    is_clear = measured is not None and abs(measured - LAG_LIMIT_SECONDS) > TOLERANCE_SECONDS
    if lag and is_clear and (lag["verdict"] == "pass") != (measured <= LAG_LIMIT_SECONDS):
        yield f"the check says {lag['sentence']!r} with a lag of {measured:.1f} s"
    for check in checks.values():
        if check["verdict"] in ("pass", "skipped") and check["remedy"]:
            yield f"{check['check']} passed and names the remedy {check['remedy']!r}"

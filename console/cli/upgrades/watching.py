"""Watching an upgrade: one bar, a strip of its shards and the same sentence as everywhere."""

from __future__ import annotations

import time
from typing import Any

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.text import Text

from console.cli.client import ConsoleClient
from console.cli.figures import causes_of, figures_of, pace_of
from console.cli.output import people_look, screen

ENDS = frozenset({"READY", "REVERSIBLE", "COMPLETED", "ABORTED", "REVERTED", "HALTED", "HANDED_OVER"})
STATES = (*sorted(ENDS), "PLANNED", "REVERTING", "SWITCHING", "SYNCING")
EVERY_SECONDS = 0.5
STRIP = {
    "pending": ("·", "dim"),
    "syncing": ("▒", "yellow"),
    "ready": ("█", "green"),
    "switching": ("▓", "cyan"),
    "switched": ("█", "blue"),
    "regressed": ("▒", "red"),
    "failed": ("✕", "red"),
    "unknown": ("?", "dim"),
}


def watch_upgrade(client: ConsoleClient, upgrade: str, ends: frozenset[str], timeout: float) -> bool:
    """Watch until the upgrade reaches one of `ends`; false when the time ran out."""
    stop = time.monotonic() + timeout if timeout else float("inf")
    if not people_look():
        return _lines(client, upgrade, ends, stop)
    with Live(console=screen.console, refresh_per_second=4) as live:
        while time.monotonic() < stop:
            seen = client.get(f"/api/v1/upgrades/{upgrade}")
            live.update(picture(seen))
            if seen["state"] in ends:
                return True
            time.sleep(EVERY_SECONDS)
    return False


def _lines(client: ConsoleClient, upgrade: str, ends: frozenset[str], stop: float) -> bool:
    last = ""
    while time.monotonic() < stop:
        seen = client.get(f"/api/v1/upgrades/{upgrade}")
        if seen["sentence"] != last:
            last = seen["sentence"]
            print(last, flush=True)
        if seen["state"] in ends:
            return True
        time.sleep(EVERY_SECONDS)
    return False


def picture(seen: dict[str, Any]) -> Group:
    """Draw an upgrade."""
    progress = seen["progress"]
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=40),
        TaskProgressColumn(),
        TextColumn("{task.fields[tail]}"),
        console=screen.console,
    )
    # A bar without a total moves to and fro: nothing was counted yet.
    total = None if progress["percent"] is None else 100
    completed = progress["percent"] or 0
    name = f"{seen['from_version']} → {seen['to_version']}"
    bar.add_task(name, total=total, completed=completed, tail=f"{progress['rate_per_second']:,.0f}/s")
    lines = [figures_of(seen), seen["sentence"], *causes_of(seen), *pace_of(seen)]
    return Group(bar, strip(seen["shards"]["items"]), *map(Text, lines))


def strip(shards: list[dict[str, Any]]) -> Text:
    """Draw the shards in a row, a sign each."""
    drawn = Text()
    for shard in shards:
        sign, style = STRIP[shard["state"]]
        drawn.append(sign, style=style)
    return drawn

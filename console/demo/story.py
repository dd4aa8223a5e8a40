"""The demo's story: fill, copy, vote, switch, compare, roll back, compare, switch again, complete."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from console.cli.output import people_look, screen
from console.cli.upgrades.watching import picture
from console.demo.clients import Crowd, DemoClient, WriteTarget
from console.demo.comparing import Comparison, VersionComparison
from console.demo.history import History
from console.demo.loading import fill, register
from console.demo.method_calls import CALLS_PER_SECOND, MethodClient, counting_method
from console.demo.people import LOOK_SECONDS, People

CLIENTS = 8
RULES = {"immutable", "reference-missing", "deletion-blocked"}
BREATH_SECONDS = 4.0
# Clients wait for answers most of the time; they must not wait for Python's lock as well while others compute.
TURN_SECONDS = 0.0005


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """What the demo was asked to do."""

    home: Path
    example: Path
    resources: int
    writes_per_second: float
    source: str = ""
    target: str = ""


@dataclass
class DemoReport:
    """What the demo found out."""

    place: WriteTarget
    comparisons: list[Comparison] = field(default_factory=list)
    reports: list[dict[str, Any]] = field(default_factory=list)
    freezes_ms: dict[str, float] = field(default_factory=dict)
    steps_ms: dict[str, dict[str, float]] = field(default_factory=dict)
    copy_seconds: list[float] = field(default_factory=list)
    took: dict[str, float] = field(default_factory=dict)
    writes: int = 0
    slowest_write_ms: float = 0.0
    gaps_ms: dict[str, float] = field(default_factory=dict)
    longest_gap_ms: float = 0.0
    writes_per_second: float = 0.0
    retried: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    method_calls: dict[str, int] = field(default_factory=dict)
    miscounted_calls: int = 0
    parity: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    history: History = field(default_factory=History)

    @property
    def clean(self) -> bool:
        """Tell whether nothing was lost, stale, changed or there twice, no write refused, and nothing false said.

        A version's own rules may refuse what was made up; nothing else may.
        """
        kept = (
            not self.refused.keys() - RULES and not self.history.contradictions and not self.miscounted_calls
        )
        return kept and bool(self.comparisons) and all(each.clean for each in self.comparisons)

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Add the seconds of the block to a phase."""
        began = time.monotonic()
        yield
        self.took[phase] = self.took.get(phase, 0.0) + time.monotonic() - began

    def pause(self, label: str) -> str:
        """Say how long a freeze was, and how much of it a client noticed."""
        return (
            f"writes paused for {self.freezes_ms[label]:.0f} ms, "
            f"no client waited more than {self.gaps_ms[label]:.0f} ms"
        )


class Story:
    """Plays the story on an installation that is up."""

    def __init__(self, wanted: DemoOptions) -> None:
        self._wanted = wanted
        self._live: Live | None = None
        self._last = ""
        # One line per request would bury the story.
        logging.getLogger("httpx").setLevel(logging.WARNING)
        self._history = History()
        self._people = People(wanted.home, self._watch)

    def play(self) -> DemoReport:
        """Play it from beginning to end."""
        began = time.monotonic()
        sys.setswitchinterval(TURN_SECONDS)
        place = register(self._wanted.example, self._wanted.source, self._wanted.target)
        demo = DemoReport(place, history=self._history)
        demo.took["set up"] = time.monotonic() - began
        per_second = self._wanted.writes_per_second / CLIENTS
        filled = self._wanted.resources
        clients = [DemoClient(place, number, per_second, filled) for number in range(CLIENTS)]
        with demo.timed("filling"):
            self._fill(place, clients)
        callers = _callers(place, filled)
        crowd = Crowd([*clients, *callers])
        say(f"{self._wanted.writes_per_second:g} writes a second begin, and do not stop.")
        for caller in callers:
            say(f"{caller.called} is called all the time, too, in both versions once there are two.")
        crowd.start()
        try:
            first = self._forward(demo, crowd, "first switch")
            self._check(demo, crowd, place.new, "after the first switch")
            self._back(demo, crowd, first)
            second = self._forward(demo, crowd, "second switch")
        finally:
            crowd.stop()
        self._check(demo, crowd, place.new, "after the second switch, when all writers had stopped")
        with demo.timed("completing"), self._shown("Completing"):
            self._people.insist(second, "complete", "COMPLETED")
        demo.reports = [self._people.report(first), self._people.report(second)]
        self._sum_up(demo, crowd)
        demo.seconds = time.monotonic() - began
        return demo

    def _fill(self, place: WriteTarget, clients: list[DemoClient]) -> None:
        resources = self._wanted.resources
        say(f"Filling {place.served.deployment} with {resources:,} resources of {place.old} …")
        columns = (TextColumn("  "), BarColumn(40), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=screen.console, disable=not people_look()) as progress:
            task = progress.add_task("", total=resources)
            fill(place, clients, resources, lambda count: progress.advance(task, count))

    def _forward(self, demo: DemoReport, crowd: Crowd, label: str) -> str:
        """Plan, copy, vote, switch, and let half of the writes come through the new API for a while."""
        place = demo.place
        began = time.monotonic()
        upgrade, would = self._people.plan(place.served.deployment, place.new)
        say(f"Upgrade {upgrade} is planned and started:")
        for step in would:
            say(f"  · {step}")
        with demo.timed("copying"), self._shown("Copying"):
            self._people.wait(upgrade, "READY")
        demo.copy_seconds.append(time.monotonic() - began)
        removed = self._people.accept_removals(upgrade, place.service)
        if removed:
            say(f"Two people accept that {place.new} does not have {', '.join(removed)}.")
        say("All shards are caught up. The operator asks for approval; two people read it and approve.")
        self._people.approve(upgrade)
        demo.longest_gap_ms = max(demo.longest_gap_ms, crowd.longest_gap_ms())
        with demo.timed("to the switch"), self._shown("Switching"):
            switched = self._people.insist(upgrade, "switch", "REVERSIBLE")
        demo.parity[label] = _verdict(switched, "parity")
        self._note_freeze(demo, crowd, label, switched, "freeze_ms")
        say(f"Switched: {demo.pause(label)}. Half of the writes use {place.new} now.")
        crowd.use_new_api(True)
        time.sleep(BREATH_SECONDS)
        return upgrade

    def _back(self, demo: DemoReport, crowd: Crowd, upgrade: str) -> None:
        """Roll back, and compare: what was written after the switch must still be there."""
        crowd.use_new_api(False)
        say("Something is wrong with the new version, let us say. Back.")
        demo.longest_gap_ms = max(demo.longest_gap_ms, crowd.longest_gap_ms())
        with demo.timed("to the rollback"), self._shown("Rolling back"):
            seen = self._people.insist(upgrade, "rollback", "REVERTED")
        self._note_freeze(demo, crowd, "rollback", seen, "rollback_freeze_ms")
        say(f"Back at {demo.place.old}: {demo.pause('rollback')}.")
        self._check(demo, crowd, demo.place.old, "after the rollback")

    def _note_freeze(
        self, demo: DemoReport, crowd: Crowd, label: str, seen: dict[str, Any], field: str
    ) -> None:
        time.sleep(BREATH_SECONDS / 4)
        demo.freezes_ms[label] = float(seen[field] or 0.0)
        demo.steps_ms[label] = {
            str(each["step"]): round(1000 * float(each["took_seconds"]), 1)
            for each in seen["switch_steps"]
            if each["took_seconds"]
        }
        # It was looked at once a second: the pause was within the last two, and one has gone by since.
        demo.gaps_ms[label] = crowd.gap_ms_since(
            time.monotonic() - BREATH_SECONDS / 4 - 2 * LOOK_SECONDS - demo.freezes_ms[label] / 1000
        )

    def _check(self, demo: DemoReport, crowd: Crowd, active: str, moment: str) -> None:
        with demo.timed("comparing"):
            found = VersionComparison(demo.place, crowd, active, moment).run()
        demo.comparisons.append(found)
        verdict = "all there, each once, at its newest value" if found.clean else "; ".join(found.examples)
        say(f"Compared {found.compared:,} resources through both APIs {moment}: {verdict}.")

    def _sum_up(self, demo: DemoReport, crowd: Crowd) -> None:
        demo.writes, demo.writes_per_second = crowd.writes, crowd.writes_per_second
        demo.slowest_write_ms = max(client.slowest_seconds for client in crowd.clients) * 1000
        demo.longest_gap_ms = max(demo.longest_gap_ms, crowd.longest_gap_ms(), *demo.gaps_ms.values())
        for client in crowd.clients:
            for code, count in client.refused.items():
                demo.refused[code] = demo.refused.get(code, 0) + count
            for code, count in client.retried.items():
                demo.retried[code] = demo.retried.get(code, 0) + count
        for caller in crowd.clients:
            if isinstance(caller, MethodClient):
                demo.method_calls, demo.miscounted_calls = caller.calls, caller.miscounted

    @contextmanager
    def _shown(self, what: str) -> Iterator[None]:
        if not people_look():
            yield
            return
        with Live(console=screen.console, refresh_per_second=4, transient=True) as live:
            self._live = live
            yield
            self._live = None

    def _watch(self, seen: dict[str, Any]) -> None:
        self._history.add(seen)
        if self._live is not None:
            self._live.update(picture(seen))
        elif seen["sentence"] != self._last and not people_look():
            self._last = seen["sentence"]
            say(f"  {self._last}")


def say(sentence: str) -> None:
    """Tell watchers."""
    screen.print(f"  {sentence}")


def _verdict(seen: dict[str, Any], check: str) -> str:
    """Give what a check says; right after a switch it may not have been measured for the way back yet."""
    sentences = (str(one["sentence"]) for one in seen["readiness"]["checks"] if one["check"] == check)
    return next(sentences, "") or "not measured yet"


def _callers(place: WriteTarget, filled: int) -> list[MethodClient]:
    method = counting_method(place)
    return [] if method is None else [MethodClient(place, CLIENTS, CALLS_PER_SECOND, filled, method=method)]

"""Pages of copying and comparing take turns by what clients' writes take: slower while those are slowed, else faster.

What writes take in calm is measured again and again, in three seconds in which every worker rests: once a minute, and
three times a minute by workers that are slowed. Writes may be slow for another reason, and then slowing does not help.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from migrations_app.domain.sync.write_latency import LatencyCounts, sum_latencies
from migrations_app.domain.sync.write_pace import BEGIN, FULL, WriteBound, next_pace, threads_at
from migrations_app.kernel.clock import Clock
from migrations_app.ports.write_latency import PaceReport, WriteLatencies, WriteReport

READ_SECONDS = 1.0
IDLE_SECONDS = 10.0
"""So seldom reports are read while nothing works."""
OLD_SECONDS = 6
"""What was reported before is not gone by: nothing is held back then."""
STEP_SECONDS = 3
"""So far apart the pace changes, by what was written since it did last."""
LONGEST_STEP_SECONDS = 10
LEAST_WRITES, ENOUGH_WRITES = 30, 100
"""So few writes say nothing; fewer than enough are taken only after the longest step."""
CALM_EVERY_SECONDS, SLOWED_CALM_EVERY_SECONDS, CALM_SECONDS = 60, 20, 3
CALM_PARTS = 3
"""What writes take in calm comes from so many of the last times of calm, if the last alone has not enough writes."""
BUSY_SECONDS = 0.05
"""Who finds all turns taken asks again so soon, or after the rest that follows a page."""
LONGEST_WAIT_SECONDS = 5.0
"""Nothing waits longer without looking: a shard is also to be followed, and the pace may have changed."""
PAGE_SECONDS = 0.005
"""Who needs less looked only whether there is something to do."""
KEPT_SECONDS = 300.0


@dataclass(slots=True)
class _Paced:
    """One deployment: its pace, who works now, and what its writes took."""

    pace: float = FULL
    working: int = 0
    rest_seconds: float = 0.0
    line_ends_at: float = float("-inf")
    next_at: float = float("-inf")
    read_at: float = float("-inf")
    worked_at: float = float("-inf")
    told_at: float = float("-inf")
    stepped: int = 0
    pages: int = 0
    is_heard: bool = False
    is_slow: bool = False
    p95_seconds: float = 0.0
    slowed_since: datetime | None = None
    calm: deque[LatencyCounts] = field(default_factory=lambda: deque(maxlen=CALM_PARTS))
    calm_of: int = -1
    disturbed: int = -1
    others_calm_seconds: float | None = None

    @property
    def calm_seconds(self) -> float | None:
        """The 95th percentile in calm; None when it is not known."""
        last = self.calm[-1] if self.calm else LatencyCounts({})
        calm = last if last.writes >= ENOUGH_WRITES else sum_latencies(self.calm)
        return calm.p95_seconds if calm.writes >= LEAST_WRITES else self.others_calm_seconds


class WritePacing:
    """Gives turns to the threads of this process; what it remembers is a hint, and each process has its own."""

    def __init__(self, latencies: WriteLatencies, clock: Clock, bound: WriteBound) -> None:
        self._latencies, self._clock, self._bound = latencies, clock, bound
        self._paced: dict[str, _Paced] = {}
        self._lock, self._reading = Lock(), Lock()

    @contextmanager
    def turn(self, deployment: str, *, apart: bool = False) -> Iterator[float]:
        """Take a turn for the block, when 0 is given; else tell in how many seconds to ask again.

        Asking costs a slice. Those that take others along ask again all at once; `apart` tells each another moment.
        Once: there is a turn after at most the time of the last page divided by the least pace, for who asks then.
        """
        if not self._bound.multiple:
            yield 0.0
            return
        paced = self._of(deployment)
        self._look(deployment, paced)
        began = self._clock.monotonic()
        wait = self._begin(paced, began, apart=apart)
        try:
            yield wait
        finally:
            if not wait:
                self._end(paced, began)

    def _of(self, deployment: str) -> _Paced:
        with self._lock:
            paced = self._paced.get(deployment)
            if paced is None:
                now = self._clock.monotonic()
                self._paced = {
                    name: other
                    for name, other in self._paced.items()
                    if other.working or now - max(other.worked_at, other.read_at) < KEPT_SECONDS
                }
                paced = self._paced[deployment] = _Paced()
            return paced

    def _begin(self, paced: _Paced, now: float, *, apart: bool) -> float:
        with self._lock:
            wait = self._calm_left(paced)
            if not wait and paced.pace < FULL:
                wait = paced.next_at - now
                if wait <= 0 and paced.working >= threads_at(paced.pace):
                    wait = max(BUSY_SECONDS, paced.rest_seconds)
            if wait > 0:
                return self._spread(paced, now, wait) if apart else min(wait, LONGEST_WAIT_SECONDS)
            paced.working += 1
            return 0.0

    def _spread(self, paced: _Paced, now: float, wait: float) -> float:
        """Tell those who wait moments that are as far apart as pages may be."""
        at = min(max(now + wait, paced.line_ends_at), now + LONGEST_WAIT_SECONDS)
        paced.line_ends_at = at + paced.rest_seconds
        return at - now

    def _end(self, paced: _Paced, began: float) -> None:
        with self._lock:
            paced.working -= 1
            now = self._clock.monotonic()
            if now - began >= PAGE_SECONDS:
                paced.worked_at = now
                self._note_disturbance(paced, now - began)
            rest = (now - began) / paced.pace
            paced.next_at = max(paced.next_at, began) + rest
            if now - began >= PAGE_SECONDS:
                paced.rest_seconds = rest
                paced.pages += 1

    def _calm_left(self, paced: _Paced) -> float:
        """Tell how long the time of calm still lasts; 0 outside of it, and where no writes are reported."""
        if not paced.is_heard:
            return 0.0
        every = SLOWED_CALM_EVERY_SECONDS if paced.slowed_since else CALM_EVERY_SECONDS
        return max(0.0, CALM_SECONDS - self._clock.now().timestamp() % every)

    def _note_disturbance(self, paced: _Paced, took: float) -> None:
        """Remember that a page was worked on in a time of calm, but for its first second."""
        at = self._clock.now().timestamp()
        begin = int(at - at % SLOWED_CALM_EVERY_SECONDS)
        if at > begin + 1 and at - took < begin + CALM_SECONDS:
            paced.disturbed = begin

    def _look(self, deployment: str, paced: _Paced) -> None:
        """Read what was reported, one thread at a time, and change the pace by it."""
        now = self._clock.monotonic()
        every = READ_SECONDS if now - paced.worked_at < IDLE_SECONDS else IDLE_SECONDS
        if now - paced.read_at < every or not self._reading.acquire(blocking=False):
            return
        try:
            report, first = self._latencies.read(deployment), paced.read_at == float("-inf")
            with self._lock:
                paced.read_at = now
                changed = self._learn(paced, report, first=first)
                again = paced.slowed_since is not None and now - paced.told_at >= STEP_SECONDS
                told = self._report_of(paced) if changed or again else None
                paced.told_at = now if told else paced.told_at
            if told is not None and now - paced.worked_at < IDLE_SECONDS:
                self._latencies.publish(deployment, told)
        finally:
            self._reading.release()

    def _learn(self, paced: _Paced, report: WriteReport, *, first: bool) -> bool:
        """Take a report in; tell whether a step was made."""
        # The last whole second that has been reported for certain: reports come once a second.
        second = int(self._clock.now().timestamp()) - 2
        known = sum_latencies(report.seconds.values())
        if known.writes < LEAST_WRITES or max(report.seconds) < second - OLD_SECONDS:
            paced.is_heard, paced.pace, paced.slowed_since = False, FULL, None
            return False
        paced.others_calm_seconds = report.calm_seconds
        if first and report.calm_seconds is None:
            # Nothing was copied or compared yet: what was written so far was written in calm.
            paced.calm.append(known)
        self._learn_calm(paced, report.seconds, second)
        if not paced.is_heard:
            paced.is_heard, paced.stepped = True, second
            paced.pace = FULL if paced.calm_seconds is None else BEGIN
            return False
        return self._step(paced, report.seconds, second)

    def _learn_calm(self, paced: _Paced, seconds: Mapping[int, LatencyCounts], second: int) -> None:
        """Take over what writes took in the last time of calm, without its first second: pages came to their end."""
        begin = second - second % SLOWED_CALM_EVERY_SECONDS
        parts = [seconds[at] for at in range(begin + 1, begin + CALM_SECONDS) if at in seconds]
        if second >= begin + CALM_SECONDS - 1 and parts and begin not in (paced.calm_of, paced.disturbed):
            paced.calm.append(sum_latencies(parts))
            paced.calm_of = begin

    def _step(self, paced: _Paced, seconds: Mapping[int, LatencyCounts], second: int) -> bool:
        took = sum_latencies(
            counts
            for at, counts in seconds.items()
            if paced.stepped < at <= second and at % SLOWED_CALM_EVERY_SECONDS >= CALM_SECONDS
        )
        since, calm = second - paced.stepped, paced.calm_seconds
        if since < (STEP_SECONDS if took.writes >= ENOUGH_WRITES else LONGEST_STEP_SECONDS):
            return False
        if not paced.pages:
            # Nothing that could slow a write was done: what they took says nothing of this pace.
            return False
        paced.stepped, paced.pages = second, 0
        if calm is None or took.writes < LEAST_WRITES:
            paced.pace, paced.slowed_since = FULL, None
            return False
        before, paced.p95_seconds = paced.pace, took.p95_seconds
        was_slow, paced.is_slow = paced.is_slow, took.p95_seconds > self._bound.seconds(calm)
        # One slow measurement may be chance; two in a row are taken for true.
        if was_slow or not paced.is_slow:
            paced.pace = next_pace(before, took.p95_seconds, calm, self._bound)
        if paced.pace >= FULL:
            paced.slowed_since = None
        elif paced.pace < before:
            paced.slowed_since = paced.slowed_since or self._clock.now()
        return True

    def _report_of(self, paced: _Paced) -> PaceReport:
        return PaceReport(paced.pace, paced.p95_seconds, paced.calm_seconds or 0.0, paced.slowed_since)

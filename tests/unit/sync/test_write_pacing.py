"""Turns are given by what writes were reported to take: fewer while they are slowed, all when nothing is known."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from migrations_app.domain.sync.write_latency import LatencyCounts, latency_class
from migrations_app.domain.sync.write_pace import FULL, LEAST, WriteBound
from migrations_app.engine.sync.write_pacing import (
    BUSY_SECONDS,
    CALM_SECONDS,
    LONGEST_WAIT_SECONDS,
    WritePacing,
)
from migrations_app.kernel.clock import HeldClock
from migrations_app.ports.write_latency import PaceReport, WriteReport

HERE = "services/s/deployments/eu"
PAGE_SECONDS = 0.25


@dataclass
class Writers:
    """Writers of a deployment: what they take grows with the time that pages take of each second."""

    clock: HeldClock
    calm_seconds: float = 0.010
    slowing: float = 1.0
    per_second: int = 200
    others_calm_seconds: float | None = None
    seconds: dict[int, LatencyCounts] = field(default_factory=dict)
    worked: dict[int, float] = field(default_factory=dict)
    reads: int = 0
    told: list[PaceReport] = field(default_factory=list)

    def read(self, deployment: str) -> WriteReport:
        assert deployment == HERE
        self.reads += 1
        return WriteReport(dict(self.seconds), self.others_calm_seconds)

    def publish(self, deployment: str, report: PaceReport) -> None:
        assert deployment == HERE
        self.told.append(report)

    def second(self) -> int:
        return int(self.clock.now().timestamp())

    def write(self) -> None:
        """Let a second pass, with its writes; reports keep the last fourteen."""
        at = self.second()
        self.clock.advance(1.0)
        took = self.calm_seconds * (1 + self.slowing * self.worked.get(at, 0.0))
        if self.per_second:
            self.seconds[at] = LatencyCounts({latency_class(took): self.per_second})
        self.seconds = {one: kept for one, kept in self.seconds.items() if one > at - 14}

    def work(self, pacing: WritePacing, threads: int = 4) -> float:
        """Work for a second with some threads, each a quarter of it in a page; tell how long pages took together."""
        at, done = self.second(), 0.0
        for _ in range(4):
            begun = [pacing.turn(HERE) for _ in range(threads)]
            waits = [each.__enter__() for each in begun]
            self.clock.advance(PAGE_SECONDS)
            done += PAGE_SECONDS * waits.count(0.0)
            for each in begun:
                each.__exit__(None, None, None)
        self.worked[at] = done
        self.clock.advance(-1.0)
        self.write()
        return done


@pytest.fixture
def clock() -> HeldClock:
    held = HeldClock()
    held.advance(10)
    return held


def pacing_of(writers: Writers, multiple: float = 1.25) -> WritePacing:
    return WritePacing(writers, writers.clock, WriteBound(multiple))


def calm(writers: Writers, seconds: int = 10) -> None:
    for _ in range(seconds):
        writers.write()


def test_it_slows_down_until_writes_are_hardly_slowed_and_comes_back(clock: HeldClock) -> None:
    writers = Writers(clock)
    calm(writers)
    pacing = pacing_of(writers)
    done = [writers.work(pacing) for _ in range(120)]
    # A thread at work the whole time would double what they take; a quarter of that is allowed.
    assert 0.15 <= sum(done[60:]) / 60 <= 0.40
    slowed = writers.told[-1]
    assert slowed.slowed_since is not None
    assert slowed.calm_seconds == pytest.approx(0.010, rel=0.06)
    assert slowed.pace < 1.0

    writers.slowing = 0.0
    done = [writers.work(pacing) for _ in range(120)]
    assert done[-1] == 4.0
    assert (writers.told[-1].pace, writers.told[-1].slowed_since) == (FULL, None)


def test_it_never_stops_however_slow_writes_are(clock: HeldClock) -> None:
    writers = Writers(clock, slowing=100.0)
    calm(writers)
    pacing = pacing_of(writers)
    done = [writers.work(pacing) for _ in range(660)]
    assert min(report.pace for report in writers.told) == LEAST
    # A page, and the rest after it, which may come to its end in a time of calm.
    longest = int(PAGE_SECONDS / LEAST + CALM_SECONDS) + 2
    assert min(sum(done[begin : begin + longest]) for begin in range(60, 660 - longest)) >= PAGE_SECONDS
    assert sum(done[60:]) / 600 == pytest.approx(LEAST, rel=0.2)


@pytest.mark.parametrize("per_second", [0, 1])
def test_without_enough_writes_nothing_is_held_back(clock: HeldClock, per_second: int) -> None:
    writers = Writers(clock, slowing=100.0, per_second=per_second)
    calm(writers)
    pacing = pacing_of(writers)
    done = [writers.work(pacing) for _ in range(45)]
    assert done == [4.0] * 45


def test_old_reports_hold_nothing_back(clock: HeldClock) -> None:
    writers = Writers(clock, slowing=100.0)
    calm(writers)
    pacing = pacing_of(writers)
    for _ in range(30):
        writers.work(pacing)
    writers.per_second = 0
    done = [writers.work(pacing) for _ in range(20)]
    assert done[-5:] == [4.0] * 5


def test_no_bound_reads_no_reports(clock: HeldClock) -> None:
    writers = Writers(clock, slowing=100.0)
    calm(writers)
    assert [writers.work(pacing_of(writers, 0.0)) for _ in range(5)] == [4.0] * 5
    assert writers.reads == 0


def test_a_worker_that_is_slowed_rests_for_three_seconds_of_twenty(clock: HeldClock) -> None:
    writers = Writers(clock, slowing=1.0)
    calm(writers)
    pacing = pacing_of(writers)
    for _ in range(100):
        writers.work(pacing)
    resting = [at for at in writers.worked if at % 20 < CALM_SECONDS and at > min(writers.worked) + 40]
    assert resting
    assert [writers.worked[at] for at in resting] == [0.0] * len(resting)


def test_a_worker_at_full_speed_rests_for_three_seconds_of_sixty(clock: HeldClock) -> None:
    writers = Writers(clock, slowing=0.0)
    calm(writers)
    pacing = pacing_of(writers)
    for _ in range(240):
        writers.work(pacing)
    rests = [at for at, done in writers.worked.items() if done == 0.0 and at >= min(writers.worked) + 60]
    assert len(rests) == 9
    assert {at % 60 for at in rests} == {0, 1, 2}


def test_writes_that_are_slow_for_another_reason_slow_nothing_down_for_long(clock: HeldClock) -> None:
    writers = Writers(clock, slowing=0.01)
    calm(writers)
    pacing = pacing_of(writers)
    for _ in range(60):
        writers.work(pacing)
    writers.calm_seconds = 0.080
    for _ in range(120):
        writers.work(pacing)
    slowed = [report for report in writers.told if report.pace < FULL and report.slowed_since]
    assert slowed
    assert writers.told[-1].pace == FULL
    assert writers.told[-1].calm_seconds == pytest.approx(0.080, rel=0.06)
    worked = [*writers.worked.values()][-60:]
    assert sum(worked) >= 0.9 * 60 * 4


def test_a_worker_that_comes_later_goes_by_what_calm_is_to_the_others(clock: HeldClock) -> None:
    writers = Writers(clock, calm_seconds=0.040, others_calm_seconds=0.010)
    calm(writers)
    pacing = pacing_of(writers)
    for _ in range(12):
        writers.work(pacing)
    assert writers.told[-1].calm_seconds == 0.010
    assert writers.told[-1].pace < 1.0


def test_who_finds_the_turns_taken_is_told_when_to_ask_again(clock: HeldClock) -> None:
    writers = Writers(clock, slowing=100.0)
    calm(writers)
    pacing = pacing_of(writers)
    while not writers.told or writers.told[-1].pace >= 1.0:
        writers.work(pacing)
    waits: list[float] = []
    seconds: list[float] = []
    for _ in range(100):
        clock.advance(0.1)
        if clock.now().timestamp() % 20 < CALM_SECONDS:
            continue
        with pacing.turn(HERE) as first:
            if not first:
                with pacing.turn(HERE) as second:
                    seconds.append(second)
                clock.advance(PAGE_SECONDS)
        with pacing.turn(HERE) as after:
            waits.append(after) if not first else None
    # The rest after this page is guessed from the one before.
    assert min(wait for wait in seconds if wait) >= BUSY_SECONDS
    assert max(seconds + waits) <= LONGEST_WAIT_SECONDS


def test_those_that_wait_apart_are_told_other_moments_than_each_other(clock: HeldClock) -> None:
    writers = Writers(clock, slowing=100.0)
    calm(writers)
    pacing = pacing_of(writers)
    while not writers.told or writers.told[-1].pace >= 0.2 or clock.now().timestamp() % 20 != 10:
        writers.work(pacing)
    clock.advance(5.0)
    with pacing.turn(HERE) as first:
        assert first == 0.0
        clock.advance(0.02)
    rest = 0.02 / writers.told[-1].pace

    def waits(*, apart: bool) -> list[float]:
        begun = [pacing.turn(HERE, apart=apart) for _ in range(4)]
        told = [each.__enter__() for each in begun]
        for each in begun:
            each.__exit__(None, None, None)
        return told

    together, apart = waits(apart=False), waits(apart=True)
    assert together == [pytest.approx(rest - 0.02)] * 4
    assert apart == [pytest.approx(rest - 0.02 + number * rest) for number in range(4)]
    # However many wait, each looks again after the longest wait.
    assert max(wait for _ in range(100) for wait in waits(apart=True)) == LONGEST_WAIT_SECONDS


def test_reports_are_read_once_a_second_at_most_and_seldom_while_nothing_works(clock: HeldClock) -> None:
    writers = Writers(clock, per_second=0)
    pacing = pacing_of(writers)
    for _ in range(20):
        writers.work(pacing)
    assert writers.reads <= 21
    before = writers.reads
    clock.advance(60)
    for _ in range(30):
        clock.advance(1.0)
        with pacing.turn(HERE) as wait:
            assert wait == 0.0
    assert writers.reads - before == 3


def test_one_slow_measurement_slows_nothing(clock: HeldClock) -> None:
    writers = Writers(clock, slowing=0.0)
    calm(writers)
    pacing = pacing_of(writers)
    for turn in range(200):
        # Some seconds of each eighteen are slow by chance.
        writers.calm_seconds = 0.050 if turn % 18 == 9 else 0.010
        writers.work(pacing)
    assert {report.slowed_since for report in writers.told} == {None}

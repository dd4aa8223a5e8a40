"""Durations of writes are counted by deployment and second, bounded, and reported only while there are any."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.adapters.write_latency.log import (
    KEPT_SECONDS,
    MOST_DEPLOYMENTS,
    Seconds,
    WriteLatencyLog,
)
from migrations_app.domain.sync.write_latency import latency_class


class Noted:
    def __init__(self) -> None:
        self.at = 1000.5
        self.told: list[Mapping[str, Seconds]] = []
        self.fails = False
        self.log = WriteLatencyLog(self.report, now=lambda: self.at)

    def report(self, told: Mapping[str, Seconds]) -> None:
        if self.fails:
            raise OSError("the database is away")
        self.told.append(told)


def test_many_writes_make_one_report_and_none_make_none() -> None:
    noted = Noted()
    for _ in range(500):
        noted.log.note("a", 0.010)
    noted.at += 1
    noted.log.note("a", 0.020)
    noted.log.note("b", 0.010)
    noted.log.flush()
    noted.log.flush()
    ten, twenty = latency_class(0.010), latency_class(0.020)
    assert noted.told == [{"a": {1000: {ten: 500}, 1001: {twenty: 1}}, "b": {1001: {ten: 1}}}]


def test_seconds_that_are_old_are_forgotten() -> None:
    noted = Noted()
    for _ in range(100):
        noted.log.note("a", 0.010)
        noted.at += 1
    noted.log.note("b", 0.010)
    noted.log.flush()
    assert sorted(noted.told[0]["a"]) == list(range(1100 - KEPT_SECONDS + 1, 1100))
    noted.at += KEPT_SECONDS
    noted.log.note("b", 0.010)
    noted.log.flush()
    assert noted.told[1] == {"b": {1100 + KEPT_SECONDS: {latency_class(0.010): 1}}}


def test_of_many_deployments_those_with_the_most_writes_are_reported() -> None:
    noted = Noted()
    for number in range(MOST_DEPLOYMENTS + 8):
        for _ in range(1 + number):
            noted.log.note(f"d{number:02}", 0.010)
    noted.log.flush()
    assert sorted(noted.told[0]) == [f"d{number:02}" for number in range(8, MOST_DEPLOYMENTS + 8)]


def test_what_could_not_be_reported_is_in_the_next_report() -> None:
    noted = Noted()
    noted.fails = True
    noted.log.note("a", 0.010)
    noted.log.flush()
    noted.fails = False
    noted.at += 1
    noted.log.note("a", 0.010)
    noted.log.flush()
    ten = latency_class(0.010)
    assert noted.told == [{"a": {1000: {ten: 1}, 1001: {ten: 1}}}]

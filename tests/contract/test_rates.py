"""The contract of rates: of one process in memory, of all in Valkey, and of a process whose Valkey does not answer."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from migrations_app.adapters.rates.memory import MemoryRates
from migrations_app.adapters.rates.valkey import ValkeyRates
from migrations_app.ports.processes.rates import Rates


def _shared() -> ValkeyRates:
    return ValkeyRates(os.environ["REDIS_URL"], timeout_seconds=60.0)


@pytest.fixture(params=["memory", "valkey", "valkey that does not answer"])
def rates(request: pytest.FixtureRequest, tmp_path: Path) -> Rates:
    match request.param:
        case "memory":
            return MemoryRates()
        case "valkey":
            return _shared()
    return ValkeyRates(f"unix://{tmp_path}/nothing.sock?db=0")


def test_a_window_begins_with_the_first_event_and_ends_for_all(rates: Rates) -> None:
    ann, bob = f"ann-{uuid4()}", f"bob-{uuid4()}"
    first, second = rates.spend(ann, 3600), rates.spend(ann, 3600)
    assert (first.count, second.count) == (1, 2)
    assert 0 < second.resets_in_seconds <= first.resets_in_seconds <= 3600
    assert rates.spend(bob, 3600).count == 1


def test_events_at_the_same_time_all_count(rates: Rates) -> None:
    key = f"ann-{uuid4()}"
    with ThreadPoolExecutor(8) as pool:
        counts = sorted(spent.count for spent in pool.map(lambda _: rates.spend(key, 3600), range(100)))
    assert counts == list(range(1, 101))


def test_processes_share_counts_only_through_valkey() -> None:
    key = f"ann-{uuid4()}"
    one, other = _shared(), _shared()
    assert [one.spend(key, 3600).count, other.spend(key, 3600).count] == [1, 2]
    assert [MemoryRates().spend(key, 3600).count, MemoryRates().spend(key, 3600).count] == [1, 1]


def test_nothing_is_pushed_out_by_filling_the_counts_of_a_process() -> None:
    rates = MemoryRates(most=100)
    for _ in range(3):
        rates.spend("mallory", 3600)
    for number in range(1000):
        rates.spend(f"other-{number}", 3600)
    assert rates.spend("mallory", 3600).count == 4
    assert rates.spend("one-more", 3600).count == 902


def test_a_window_never_ends_later_than_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    # Added to this instant and taken off again, an hour is 2e-12 seconds longer.
    monkeypatch.setattr("migrations_app.adapters.rates.memory.time.monotonic", lambda: 15866.965269840284)

    assert MemoryRates().spend("ann", 3600).resets_in_seconds == 3600.0

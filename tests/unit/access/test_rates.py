"""Counting by one process alone, while Valkey is away."""

from __future__ import annotations

from pathlib import Path

from migrations_app.adapters.rates import LocalRates, SharedRates


def test_nothing_is_pushed_out_by_filling_the_counts() -> None:
    rates = LocalRates(most=100)
    for _ in range(3):
        rates.spend("mallory", 60)
    for number in range(1000):
        rates.spend(f"other-{number}", 60)
    assert rates.spend("mallory", 60).count == 4
    assert rates.spend("one-more", 60).count == 902


def test_a_window_begins_with_the_first_and_ends_for_all() -> None:
    rates = LocalRates()
    first, second = rates.spend("ann", 60), rates.spend("ann", 60)
    assert (first.count, second.count) == (1, 2)
    assert 0 < second.resets_in_seconds <= first.resets_in_seconds <= 60
    assert rates.spend("bob", 60).count == 1


def test_without_valkey_a_process_counts_alone(tmp_path: Path) -> None:
    rates = SharedRates(f"unix://{tmp_path}/nothing.sock?db=0")
    assert [rates.spend("ann", 60).count for _ in range(3)] == [1, 2, 3]

"""Hints of what ended do not fill the memory of a process that runs for months."""

from __future__ import annotations

from migrations_app.kernel.recent_map import RecentMap


def test_a_new_hint_takes_the_place_of_the_one_that_was_set_longest_ago() -> None:
    hints = RecentMap[str, int](most=2)
    hints["a"] = 1
    hints["b"] = 2
    hints["a"] = 3
    hints["c"] = 4
    assert [hints.find(key) for key in "abc"] == [3, None, 4]
    assert hints.get("b", 0) == 0
    assert len(hints) == 2


def test_a_hint_is_made_once_and_forgotten_on_request() -> None:
    hints = RecentMap[str, list[int]](most=2)
    first = hints.setdefault("a", [])
    assert hints.setdefault("a", [1]) is first
    hints.discard("a")
    hints.discard("a")
    assert hints.find("a") is None

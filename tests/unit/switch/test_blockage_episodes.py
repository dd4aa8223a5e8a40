"""A cause is announced once when it lasts, its end once when it stays away, however often it flaps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrations_app.domain.switch.blockage_episodes import Episode, advance_episodes
from migrations_app.domain.switch.blockages import Blockage, BlockageKind

NOW = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)
LOOK_SECONDS = 5
LATE, STOPPED = BlockageKind.WORKER_LATE, BlockageKind.QUARANTINED
THROTTLED = BlockageKind.THROTTLED


def looks(history: Iterable[Sequence[BlockageKind]]) -> list[tuple[int, str]]:
    """Look every five seconds at what each look finds; tell at which second what was announced."""
    announced: list[tuple[int, str]] = []
    known: tuple[Episode, ...] = ()
    for number, kinds in enumerate(history):
        seconds = number * LOOK_SECONDS
        found = [Blockage(kind, "A.", None, "B.") for kind in kinds]
        step = advance_episodes(known, found, NOW + timedelta(seconds=seconds))
        announced += [(seconds, blockage.kind.value) for blockage in step.blocked]
        if step.unblocked_since is not None:
            announced.append((seconds, "unblocked"))
        known = step.episodes
    return announced


@pytest.mark.parametrize(("kind", "after"), [(STOPPED, 10), (LATE, 20), (THROTTLED, 60)])
def test_a_cause_that_lasts_is_announced_once_and_its_end_once(kind: BlockageKind, after: int) -> None:
    history = [*[[kind]] * 20, *[[]] * 20]

    # The last look that found it was at 95 s.
    assert looks(history) == [(after, kind.value), (115, "unblocked")]


def test_a_cause_that_is_gone_at_the_next_look_is_not_announced() -> None:
    assert looks([[STOPPED], [STOPPED], [], [STOPPED], [STOPPED], []]) == []


def test_a_cause_that_comes_back_soon_is_the_same_one() -> None:
    flaps = [*[[STOPPED]] * 3, [], [], []] * 10

    assert looks([*flaps, *[[]] * 10]) == [(10, "quarantined"), (300, "unblocked")]


def test_each_further_announcement_makes_its_end_wait_twice_as_long() -> None:
    history = [[STOPPED]] * 3 + [[]] * 4 + [[STOPPED]] * 3 + [[]] * 9

    assert looks(history) == [(10, "quarantined"), (30, "unblocked"), (45, "quarantined"), (85, "unblocked")]


def test_it_is_unblocked_when_the_last_cause_is_gone_and_each_new_cause_is_announced() -> None:
    history = [[STOPPED]] * 4 + [[STOPPED, LATE]] * 6 + [[LATE]] * 10 + [[]] * 5

    assert looks(history) == [(10, "quarantined"), (40, "worker-late"), (115, "unblocked")]


def test_an_upgrade_that_rests_is_unblocked_at_once() -> None:
    known = (Episode(STOPPED, NOW, NOW, NOW - timedelta(seconds=70), 1),)

    step = advance_episodes(known, [Blockage(STOPPED, "A.")], NOW, reporting=False)

    assert (step.blocked, step.unblocked_since) == ((), NOW - timedelta(seconds=70))
    assert step.episodes == (Episode(STOPPED, NOW, None, None, 1),)


@given(st.lists(st.lists(st.sampled_from([STOPPED, LATE, THROTTLED]), unique=True), max_size=200))
def test_announcements_alternate_and_never_come_more_often_than_they_may(
    history: list[list[BlockageKind]],
) -> None:
    announced = looks(history)

    opened: set[str] = set()
    for _, what in announced:
        if what == "unblocked":
            assert opened
            opened.clear()
        else:
            opened.add(what)
    ends = [at for at, what in announced if what == "unblocked"]
    # The n-th end of one cause waits 20 s times a power of two; three kinds share the count.
    assert len(ends) <= 3 * (1 + len(history) * LOOK_SECONDS // 30)
    assert all(later - earlier >= 30 for earlier, later in pairwise(ends))

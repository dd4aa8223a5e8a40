"""Shards that wait for a thread that compares: together they ask at a fixed rate, and the last ones soon."""

from __future__ import annotations

import heapq

import pytest

from migrations_app.engine.parity.waiting import (
    ASKED_PER_SECOND,
    LEAST_SECONDS,
    LONGEST_SECONDS,
    WaitingShards,
)
from migrations_app.kernel.clock import HeldClock
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.upgrades import Direction

SECONDS = 60.0


def key(shard: int) -> ShardKey:
    return ShardKey("u1", Direction.FORWARD, shard)


def asked(shards: int) -> list[float]:
    """Let so many shards ask as they are advised for a minute, and give the moments in the second half of it."""
    clock = HeldClock()
    waiting, began = WaitingShards(clock), clock.monotonic()
    queue = [(0.0, shard) for shard in range(shards)]
    moments = []
    while queue[0][0] < SECONDS:
        at, shard = heapq.heappop(queue)
        clock.advance(max(0.0, began + at - clock.monotonic()))
        moments.append(at)
        heapq.heappush(queue, (at + waiting.wait(key(shard)), shard))
    return [at for at in moments if at >= SECONDS / 2]


@pytest.mark.parametrize("shards", [1, 2, 14, 20])
def test_all_together_ask_five_times_a_second(shards: int) -> None:
    assert len(asked(shards)) / (SECONDS / 2) == pytest.approx(ASKED_PER_SECOND, rel=0.05)


def test_with_very_many_shards_each_asks_after_the_longest_wait() -> None:
    assert len(asked(200)) / (SECONDS / 2) == pytest.approx(200 / LONGEST_SECONDS, rel=0.1)


def test_shards_that_left_or_did_not_come_back_are_not_counted() -> None:
    clock = HeldClock()
    waiting = WaitingShards(clock)
    for shard in range(10):
        waiting.wait(key(shard))
    assert waiting.wait(key(0)) == 10 / ASKED_PER_SECOND
    for shard in range(5, 10):
        waiting.remove(key(shard))
    assert waiting.wait(key(0)) == 5 / ASKED_PER_SECOND
    clock.advance(2 * LONGEST_SECONDS)
    assert waiting.wait(key(0)) == LEAST_SECONDS

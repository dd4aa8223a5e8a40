"""The contract of touches, checked on PostgreSQL and in memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from migrations_app.adapters.store.memory.touches import MemoryTouches
from migrations_app.adapters.store.touching import PostgresTouches
from migrations_app.kernel.errors import Stale
from migrations_app.ports.touching import Touch, Touches
from tests.contract.conftest import World

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def touches(world: World) -> Touches:
    return PostgresTouches(world.databases) if world.databases else MemoryTouches()


def test_a_touch_is_kept_as_it_was_saved_in_every_version(world: World, touches: Touches) -> None:
    opened = touches.open(world.old, "p/a", "one", AT)
    assert opened == Touch("p/a", "one", 1, opened_at=AT)
    moved = replace(opened, second=True, mark="7.0", type="Secret", name="p/a/s/1", looked=5, changed=2)
    touches.save(world.old, moved)
    assert (touches.find(world.new, "p/a"), touches.find(world.old, "p/b")) == (moved, None)


def test_a_touch_that_begins_anew_takes_no_word_of_the_one_before(world: World, touches: Touches) -> None:
    before = touches.open(world.old, "p/a", "one", AT)
    touches.save(world.old, replace(before, looked=5, ended_at=AT))
    again = touches.open(world.old, "p/a", "two", AT + timedelta(seconds=1))
    assert again == Touch("p/a", "two", 2, opened_at=AT + timedelta(seconds=1))
    with pytest.raises(Stale) as late:
        touches.save(world.old, replace(before, looked=9))
    assert (late.value.code, touches.find(world.old, "p/a")) == ("touch-renewed", again)


def test_open_ones_are_listed_oldest_first_and_ended_ones_last_first(world: World, touches: Touches) -> None:
    for number, scope in enumerate(("", "p/b", "p/a", "p/c")):
        touch = touches.open(world.old, scope, "x", AT + timedelta(seconds=number))
        if scope in ("p/a", "p/b"):
            touches.save(world.old, replace(touch, ended_at=AT + timedelta(seconds=10 + number)))
    assert [each.scope for each in touches.listed(world.old, ended=False)] == ["", "p/c"]
    assert [each.scope for each in touches.listed(world.old, ended=False, limit=1)] == [""]
    assert [each.scope for each in touches.listed(world.old, ended=True)] == ["p/a", "p/b"]

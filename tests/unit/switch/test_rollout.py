"""Waves: one after the other, so many at once, and nothing after a failure."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.switch.rollout import (
    Item,
    ItemState,
    Moves,
    RolloutSpec,
    RolloutState,
    checked_waves,
    demand,
    digest_of_plan,
    next_moves,
    refusal,
    rollout_message,
)
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Conflict, Invalid

AT = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
ITEMS = (
    Item("canary", 0, ItemState.WAITING, State.PLANNED),
    Item("eu", 1, ItemState.WAITING, State.PLANNED),
    Item("us", 1, ItemState.WAITING, State.PLANNED),
    Item("ap", 1, ItemState.WAITING, State.PLANNED),
)
ROLLOUT = RolloutSpec(RolloutState.RUNNING, 2, 60, ITEMS)


def with_item(
    rollout: RolloutSpec, name: str, state: ItemState, upgrade: State, at: datetime | None = None
) -> RolloutSpec:
    items = tuple(
        Item(item.deployment, item.wave, state, upgrade, at) if item.deployment == name else item
        for item in rollout.items
    )
    return replace(rollout, items=items)


def test_the_first_wave_begins_and_the_second_waits_for_it() -> None:
    assert next_moves(ROLLOUT, AT) == Moves(start=("canary",))
    running = with_item(ROLLOUT, "canary", ItemState.RUNNING, State.READY)
    assert next_moves(running, AT) == Moves()


def test_the_second_wave_begins_after_the_pause_two_at_a_time() -> None:
    switched = with_item(ROLLOUT, "canary", ItemState.RUNNING, State.REVERSIBLE)
    assert next_moves(switched, AT) == Moves(done=("canary",), wait_seconds=60.0)
    settled = with_item(ROLLOUT, "canary", ItemState.DONE, State.REVERSIBLE, AT)
    assert next_moves(settled, AT + timedelta(seconds=20)) == Moves(wait_seconds=40.0)
    later = AT + timedelta(seconds=60)
    assert next_moves(settled, later) == Moves(start=("eu", "us"))
    one = with_item(settled, "eu", ItemState.RUNNING, State.SYNCING)
    assert next_moves(one, later) == Moves(start=("us",))


@pytest.mark.parametrize("fallen", [State.ABORTED, State.REVERTED, State.HALTED])
@pytest.mark.parametrize("state", [ItemState.RUNNING, ItemState.DONE])
def test_one_that_fell_stops_those_that_did_not_begin(state: ItemState, fallen: State) -> None:
    fell = with_item(ROLLOUT, "canary", state, fallen, AT)
    assert next_moves(fell, AT + timedelta(hours=1)) == Moves(failed=("canary",))
    failed = with_item(ROLLOUT, "canary", ItemState.FAILED, fallen, AT)
    assert next_moves(failed, AT + timedelta(hours=1)) == Moves()
    assert str(refusal("resume", replace(failed, state=RolloutState.PAUSED))) == (
        "A deployment failed; retry or skip it first."
    )


def test_one_left_out_does_not_hold_the_rest() -> None:
    skipped = with_item(ROLLOUT, "canary", ItemState.SKIPPED, State.ABORTED, AT - timedelta(hours=1))
    assert next_moves(skipped, AT) == Moves(start=("eu", "us"))


def test_it_is_done_when_all_are() -> None:
    done = ROLLOUT
    for item in ITEMS:
        done = with_item(done, item.deployment, ItemState.DONE, State.COMPLETED, AT)
    assert next_moves(done, AT) == Moves(finished=True)
    assert str(rollout_message(replace(done, state=RolloutState.DONE), "v1 everywhere")) == (
        "v1 everywhere is done: 4 of 4 deployments moved."
    )


def test_the_sentence_says_where_it_is() -> None:
    assert (
        str(rollout_message(replace(ROLLOUT, state=RolloutState.PLANNED), "It"))
        == "It is planned: 4 deployments in 2 waves."
    )
    failed = with_item(ROLLOUT, "canary", ItemState.FAILED, State.ABORTED, AT)
    assert str(rollout_message(replace(failed, state=RolloutState.PAUSED), "It")) == (
        "It is paused: 0 of 4 deployments moved. Failed: canary."
    )
    skipped = with_item(ROLLOUT, "canary", ItemState.SKIPPED, State.ABORTED, AT)
    assert str(rollout_message(skipped, "It")) == (
        "It is at wave 2 of 2: 0 of 4 deployments moved. 1 deployment was skipped."
    )


def test_an_action_out_of_season_is_refused_in_words() -> None:
    with pytest.raises(Conflict) as caught:
        demand("start", ROLLOUT)
    assert caught.value.message == "The rollout is running. Starting is possible only while it is planned."


@pytest.mark.parametrize(
    ("waves", "path"), [([], "waves"), ([["a"], []], "waves.1"), ([["a"], ["b", "a"]], "waves.1.1")]
)
def test_waves_that_cannot_be_are_refused(waves: list[list[str]], path: str) -> None:
    with pytest.raises(Invalid) as caught:
        checked_waves(waves)
    assert [each.path for each in caught.value.violations] == [path]


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(list(ItemState)), st.sampled_from(list(State))),
        min_size=1,
        max_size=8,
    ),
    st.integers(1, 3),
)
def test_whatever_happens_waves_keep_their_order_and_their_number(
    drawn: list[tuple[int, ItemState, State]], most: int
) -> None:
    items = tuple(Item(str(n), wave, state, upgrade, AT) for n, (wave, state, upgrade) in enumerate(drawn))
    moves = next_moves(RolloutSpec(RolloutState.RUNNING, most, 0, items), AT)
    by_name = {item.deployment: item for item in items}
    for name in moves.start:
        earlier = [item for item in items if item.wave < by_name[name].wave]
        over = {ItemState.DONE, ItemState.SKIPPED}
        assert all(item.state in over or item.deployment in moves.done for item in earlier)
        assert by_name[name].state is ItemState.WAITING
    running = [
        item for item in items if item.state is ItemState.RUNNING and item.deployment not in moves.done
    ]
    assert len(moves.start) <= max(0, most - len(running))
    if moves.failed or any(item.state is ItemState.FAILED for item in items):
        assert moves.start == ()


def test_the_digest_of_a_rollout_names_plans_order_and_pace() -> None:
    waves = [[("a", "1")], [("b", "2"), ("c", "3")]]
    said = digest_of_plan(waves, 1, 0)
    others = [
        digest_of_plan([[("a", "9")], *waves[1:]], 1, 0),
        digest_of_plan([*waves[::-1]], 1, 0),
        digest_of_plan([[*waves[0], *waves[1]]], 1, 0),
        digest_of_plan(waves, 2, 0),
        digest_of_plan(waves, 1, 60),
    ]
    assert said == digest_of_plan(waves, 1, 0)
    assert len({said, *others}) == 6


def test_a_reason_names_deployments_as_the_console_does() -> None:
    name = "services/secrets.example.com/deployments/us-east2"
    with pytest.raises(Invalid) as refused:
        checked_waves([[name], [name]])

    assert refused.value.message == "secrets @ us-east2 occurs twice."

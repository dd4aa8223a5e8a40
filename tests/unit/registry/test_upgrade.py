"""An upgrade as the registry sees it: begun, reported, advanced, done; and data tasks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from migrations_app.domain.registry.upgrade import (
    advance,
    begin,
    check_begin,
    notify_readiness,
    register_data_task,
    set_available_upgrade,
    update_data_task,
)
from migrations_app.domain.registry.values import AvailableUpgrade, Deployment, Stage
from migrations_app.kernel.errors import Conflict, Invalid, Missing, Refused
from tests.unit.registry.pictures import deployment, service

SERVICE = service("secrets", versions=("v2", "v1"))
OFFER = AvailableUpgrade(api_version="v2", total_shards_count=16)


def offered(region: str = "eu") -> Deployment:
    """Make a deployment of secrets that could move to v2."""
    return replace(deployment("secrets", region), available_upgrade=OFFER)


def running(ring: int = 4) -> Deployment:
    """Make a deployment in the middle of its move to v2."""
    return begin(offered(), "v2", ring)


def code_of(error: type[Refused], **change: object) -> str:
    """Give the code with which beginning is refused when one thing differs from the good case."""
    facts: dict[str, object] = {
        "deployment": offered(),
        "siblings": [offered(), offered("us")],
        "service": SERVICE,
        "target": "v2",
        "ring": 16,
        "data_ring": 16,
    }
    with pytest.raises(error) as refused:
        check_begin(**{**facts, **change})  # type: ignore[arg-type]
    return refused.value.code


def test_an_upgrade_begins_when_every_region_supports_the_target() -> None:
    check_begin(offered(), [offered(), offered("us")], SERVICE, "v2", 16, 16)
    begun = begin(offered(), "v2", 16)
    assert begun.upgrade_state is not None
    assert begun.upgrade_state.pending_shards == tuple(range(16))
    assert begun.upgrade_state.ready_shards == ()
    assert begun.upgrade_state.stage is Stage.INITIAL_SYNCING
    assert begun.current_version == "v1"


def test_what_forbids_beginning_is_named() -> None:
    assert code_of(Conflict, deployment=running()) == "upgrade-running"
    assert code_of(Conflict, deployment=replace(offered(), is_disabled=True)) == "deployment-disabled"
    assert code_of(Invalid, target="v3") == "upgrade-target-unknown"
    assert code_of(Conflict, target="v1") == "upgrade-target-current"
    assert code_of(Conflict, siblings=[offered(), deployment("secrets", "us")]) == "upgrade-not-everywhere"
    assert code_of(Conflict, ring=8) == "upgrade-ring-differs"


def test_a_disabled_sibling_does_not_hold_the_others_back() -> None:
    idle = replace(deployment("secrets", "us"), is_disabled=True)
    check_begin(offered(), [offered(), idle], SERVICE, "v2", 16, 16)


def test_shards_report_ready_and_may_fall_back() -> None:
    after = notify_readiness(running(), 1, 2, True, 4)
    assert after.upgrade_state is not None
    assert (after.upgrade_state.ready_shards, after.upgrade_state.pending_shards) == ((1, 2), (0, 3))
    back = notify_readiness(after, 2, 2, False, 4)
    assert back.upgrade_state is not None
    assert back.upgrade_state.ready_shards == (1,)


def test_a_changed_total_starts_the_ring_over() -> None:
    after = notify_readiness(notify_readiness(running(), 0, 3, True, 4), 0, 0, True, 8)
    assert after.upgrade_state is not None
    assert after.upgrade_state.ready_shards == (0,)
    assert after.upgrade_state.pending_shards == (1, 2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize(("first", "last"), [(-1, 0), (0, 4), (3, 2)])
def test_shards_outside_the_ring_are_refused(first: int, last: int) -> None:
    with pytest.raises(Invalid) as refused:
        notify_readiness(running(), first, last, True, 4)
    assert refused.value.code == "shard-range"


def test_readiness_without_an_upgrade_is_refused() -> None:
    with pytest.raises(Conflict) as refused:
        notify_readiness(offered(), 0, 0, True, 4)
    assert refused.value.code == "upgrade-not-running"


def test_all_level_waits_for_approval_then_switches_then_is_done() -> None:
    level = notify_readiness(running(), 0, 3, True, 4)
    waiting = advance(level, approved=False)
    assert waiting.upgrade_state is not None
    assert waiting.upgrade_state.stage is Stage.READY
    switching = advance(waiting, approved=True)
    assert switching.upgrade_state is not None
    assert switching.upgrade_state.stage is Stage.SWITCHING
    assert switching.upgrade_state.pending_shards == (0, 1, 2, 3)
    done = advance(notify_readiness(switching, 0, 3, True, 4), approved=True)
    assert (done.current_version, done.upgrade_state, done.available_upgrade) == ("v2", None, None)


def test_a_shard_that_falls_behind_takes_ready_back() -> None:
    waiting = advance(notify_readiness(running(), 0, 3, True, 4), approved=False)
    after = advance(notify_readiness(waiting, 2, 2, False, 4), approved=False)
    assert after.upgrade_state is not None
    assert after.upgrade_state.stage is Stage.INITIAL_SYNCING


def test_an_offer_of_what_already_runs_clears_the_note() -> None:
    assert set_available_upgrade(offered(), AvailableUpgrade(api_version="v1")).available_upgrade is None
    assert set_available_upgrade(deployment("secrets", "eu"), OFFER).available_upgrade == OFFER


def test_a_data_task_is_registered_once_and_reports_by_shard() -> None:
    first = register_data_task(deployment("secrets", "eu"), "labels", 2, "v1.2")
    assert register_data_task(first, "labels", 2, "v1.2") is first
    after = update_data_task(first, "labels", 1, True, {"percent": 100}, "v1.2")
    (status,) = after.data_update_statuses
    assert (status.ready_shards, status.progress_bar) == ((1,), ({}, {"percent": 100}))
    (fresh,) = register_data_task(after, "labels", 2, "v1.3").data_update_statuses
    assert (fresh.target_version, fresh.ready_shards) == ("v1.3", ())


def test_a_data_task_that_does_not_exist_or_differs_is_refused() -> None:
    one = register_data_task(deployment("secrets", "eu"), "labels", 2, "v1.2")
    with pytest.raises(Missing):
        update_data_task(one, "other", 0, True, {}, "v1.2")
    with pytest.raises(Conflict) as target:
        update_data_task(one, "labels", 0, True, {}, "v1.1")
    with pytest.raises(Invalid) as shard:
        update_data_task(one, "labels", 2, True, {}, "v1.2")
    assert (target.value.code, shard.value.code) == ("data-task-target", "shard-range")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.booleans()), max_size=12))
def test_ready_and_pending_always_split_the_ring(reports: list[tuple[int, int, bool]]) -> None:
    current = running(8)
    for one, other, ready in reports:
        current = advance(
            notify_readiness(current, min(one, other), max(one, other), ready, 8), approved=False
        )
    state = current.upgrade_state
    assert state is not None
    assert sorted((*state.ready_shards, *state.pending_shards)) == list(range(8))
    assert (state.stage is Stage.READY) == (not state.pending_shards)

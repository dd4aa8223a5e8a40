"""Laws of what is shown of an upgrade, over any facts: none is green that is old, and no remedy stands without a fault."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrations_app.control.upgrade_state.repository import snapshots as upgrade_snapshots
from migrations_app.control.upgrade_state.repository.progress import (
    blockage_as_json,
    figures_as_json,
    progress_as_json,
    slowdown_as_json,
    stall_as_json,
)
from migrations_app.control.upgrade_state.repository.snapshots import snapshot_of
from migrations_app.domain.switch.progress import EXPECTED_TO_REPORT, REPORT_LIMIT_SECONDS
from migrations_app.domain.switch.states import ShardState, State
from migrations_app.domain.switch.write_slowdown import PACE_LIMIT_SECONDS
from migrations_app.models.upgrades import Upgrade

NOW = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)
RING = 3
REPORTING = ("SYNCING", "READY", "SWITCHING", "REVERTING")


def ago(seconds: float) -> str:
    return (NOW - timedelta(seconds=seconds)).isoformat()


ages = st.one_of(st.floats(0, 20), st.floats(0, 3600)).map(ago)
perhaps = st.one_of(st.none(), ages)
shard = st.fixed_dictionaries(
    {
        "state": st.sampled_from([state.value for state in ShardState if state is not ShardState.UNKNOWN]),
        "stage": st.just("follow"),
        "copied": st.integers(0, 2000),
        "total": st.integers(0, 1000),
        "applied": st.just(0),
        "failed": st.integers(0, 2),
        "lag_seconds": st.one_of(st.none(), st.floats(0, 1e4)),
        "rate_per_second": st.floats(0, 1e4),
        "error": st.sampled_from(["", "The disk is full."]),
        "throttled": st.sampled_from(["", "commits are slow", "held to 5 resources a second"]),
        "reported_at": ages,
        "changed_at": ages,
    }
)
key = st.fixed_dictionaries(
    {
        "controller": st.sampled_from(["sync", "parity", "switch"]),
        "key": st.sampled_from(["u1/forward/0", "u1/forward/2", "u1"]),
        "holder": st.just("vm:7"),
        "attempts": st.integers(0, 5),
        "due_at": perhaps,
        "leased_until": st.one_of(st.none(), st.floats(-60, 60).map(ago)),
        "quarantined_at": perhaps,
        "quarantined_reason": st.just("It is refused."),
        "quarantined_reason_phrases": st.sampled_from([[], [{"key": "It is refused.", "values": {}}]]),
        "quarantined_remedy": st.sampled_from(["", "Retry it."]),
        "quarantined_remedy_phrases": st.sampled_from([[], [{"key": "Retry it.", "values": {}}]]),
        "waits_for": st.sampled_from(["", "The database eu does not answer."]),
        "waits_for_phrases": st.sampled_from(
            [[], [{"key": "The database {name} does not answer.", "values": {"name": "eu"}}]]
        ),
        "waits_since": perhaps,
    }
)
worker = st.fixed_dictionaries({"at": ages, "details": st.just({"queues": ["sync"]})})
pace = st.fixed_dictionaries(
    {
        "at": ages,
        "details": st.fixed_dictionaries(
            {
                "pace": st.floats(0.2, 4.0),
                "p95_seconds": st.just(0.03),
                "calm_seconds": st.just(0.01),
                "slowed_since": perhaps,
            }
        ),
    }
)
facts = st.fixed_dictionaries(
    {
        "at": st.just(NOW.isoformat()),
        "shards": st.lists(shard, max_size=RING).map(
            lambda rows: [{**row, "shard": number} for number, row in enumerate(rows)]
        ),
        "lags": st.just([]),
        "keys": st.lists(key, max_size=4),
        "workers": st.lists(worker, max_size=2),
        "paces": st.lists(pace, max_size=2),
    }
)


@pytest.fixture(autouse=True, scope="module")
def broker_that_answers() -> Any:
    """No broker is asked for facts that were made up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upgrade_snapshots, "broker_answers", lambda: True)
        yield


def upgrade(state: str, read: dict[str, Any], *, paused: bool) -> Upgrade:
    row = Upgrade(id="u1", service="s.example.com", region="eu", ring=RING, state=state, paused=paused)
    row.started_at = NOW - timedelta(seconds=7200)
    row.__dict__["facts_read"] = read
    return row


@given(facts, st.sampled_from([state.value for state in State]), st.booleans())
def test_every_snapshot_keeps_the_laws(read: dict[str, Any], state: str, paused: bool) -> None:
    found = snapshot_of(upgrade(state, read, paused=paused))
    progress, figures = progress_as_json(found.progress), figures_as_json(found)
    causes = [blockage_as_json(cause) for cause in found.blockages]

    assert found.progress.total >= found.progress.copied
    assert (figures["percent"] == 100) == (figures["ready"] == RING)
    shown = {
        name: progress[name] for name in ("percent", "lag_seconds", "unknown_shards", "oldest_report_at")
    }
    assert shown == {name: figures[name] for name in shown}
    assert figures["ready"] == sum(each.state in ("ready", "switched") for each in found.shards)
    assert figures["oldest_report_at"] or not found.shards
    is_moving = state in REPORTING and not paused
    for each in found.shards:
        age = (NOW - each.reported_at).total_seconds()
        expected = ShardState(each.state) in EXPECTED_TO_REPORT
        assert not (is_moving and expected and age > REPORT_LIMIT_SECONDS)
    assert all(cause["remedy"] for cause in causes)
    assert is_moving or (causes == [] and found.stall is None)
    assert figures["blocked"] == bool(causes or found.stall)
    told = [datetime.fromisoformat(each["at"]) for each in read["paces"] if each["details"]["slowed_since"]]
    slowed = [at for at in told if (NOW - at).total_seconds() <= PACE_LIMIT_SECONDS]
    paced = slowdown_as_json(found.slowdown)
    assert (paced is None) == (not slowed or not is_moving)
    assert paced is None or datetime.fromisoformat(str(paced["reported_at"])) == max(slowed)
    stall = stall_as_json(found.stall)
    if stall is not None:
        assert stall["causes"] == [cause["sentence"] for cause in causes]
        assert all(ShardState(each.state) not in EXPECTED_TO_REPORT for each in found.shards), (
            "it is silent and shows a shard that works"
        )


@given(facts, st.sampled_from(REPORTING), st.floats(0, 3600))
def test_time_alone_makes_nothing_greener(read: dict[str, Any], state: str, later: float) -> None:
    then = {**read, "at": (NOW + timedelta(seconds=later)).isoformat()}
    before = figures_as_json(snapshot_of(upgrade(state, read, paused=False)))
    after = figures_as_json(snapshot_of(upgrade(state, then, paused=False)))

    def number(figures: dict[str, Any], name: str) -> float:
        return float(figures[name] or 0)

    assert number(after, "ready") <= number(before, "ready")
    assert number(after, "percent") <= number(before, "percent")
    assert number(after, "lag_seconds") >= number(before, "lag_seconds")
    assert number(after, "unknown_shards") >= number(before, "unknown_shards")

"""The demo's check of what an upgrade says about itself finds each kind of contradiction, and none in a true answer."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from console.demo.history import MOST_KEPT, History, contradictions

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
TRUE: dict[str, Any] = {
    "id": "u1",
    "state": "READY",
    "paused": False,
    "started_at": "2026-11-23T11:00:00+00:00",
    "progress": {"copied": 20, "total": 20, "percent": 100, "lag_seconds": 0.5},
    "shards": {
        "total": 2,
        "ready": 2,
        "items": [
            {"shard": shard, "state": "ready", "reported_at": (NOW - timedelta(seconds=2)).isoformat()}
            for shard in range(2)
        ],
    },
    "readiness": {
        "checks": [
            {
                "check": "shards-caught-up",
                "verdict": "pass",
                "sentence": "All 2 shards are caught up.",
                "remedy": "",
            },
            {
                "check": "lag",
                "verdict": "pass",
                "sentence": "The slowest shard is 0.5 s behind.",
                "remedy": "",
            },
        ]
    },
    "blockages": [],
    "stall": None,
}


def changed(path: str, value: object) -> dict[str, Any]:
    seen: Any = deepcopy(TRUE)
    *parents, last = path.split(".")
    found = seen
    for part in parents:
        found = found[int(part)] if part.isdigit() else found[part]
    found[last] = value
    return dict(seen)


def test_a_true_answer_has_no_contradiction() -> None:
    assert list(contradictions(TRUE, NOW)) == []


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("progress.total", 19, "20 of 19 are copied"),
        ("progress.percent", 99, "99 % with 2 of 2 shards caught up"),
        ("shards.items.0.state", "unknown", "2 shards are counted as caught up and 1 are shown so"),
        (
            "shards.items.1.reported_at",
            (NOW - timedelta(seconds=60)).isoformat(),
            "shard 1 is ready, reported 60 s ago",
        ),
        (
            "readiness.checks.0.verdict",
            "pending",
            "the check says 'All 2 shards are caught up.' with 2 shards caught up",
        ),
        (
            "progress.lag_seconds",
            100.0,
            "the check says 'The slowest shard is 0.5 s behind.' with a lag of 100.0 s",
        ),
        ("readiness.checks.1.remedy", "Wait.", "lag passed and names the remedy 'Wait.'"),
        ("stall", {"causes": ["no worker runs"]}, "it stalls for ['no worker runs'] and is held up by []"),
    ],
)
def test_each_contradiction_is_named(path: str, value: object, sentence: str) -> None:
    assert list(contradictions(changed(path, value), NOW)) == [sentence]


def test_shards_of_a_paused_upgrade_may_have_reported_long_ago() -> None:
    seen = changed("paused", True)

    assert list(contradictions(seen, NOW + timedelta(hours=1))) == []


def test_a_history_counts_its_looks_and_keeps_the_first_contradictions() -> None:
    history = History()
    for _ in range(MOST_KEPT + 5):
        history.add({**changed("progress.percent", 7), "paused": True})

    assert history.looks == MOST_KEPT + 5
    assert history.contradictions == ["u1 READY: 7 % with 2 of 2 shards caught up"] * MOST_KEPT

"""The recorded histories hold every law between the surfaces, and each law refuses a moment that breaks it."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from tests.histories.laws import contradictions_between
from tests.histories.surfaces import RECORDED

HISTORIES = {path.stem: json.loads(path.read_text())["moments"] for path in sorted(RECORDED.glob("*.json"))}
CAUSES = {
    "healthy": set(),
    "rolled-back": set(),
    "throttled": {"throttled"},
    "starved": {"worker-late", "no-worker"},
    "lease-held": {"lease-held"},
    "partitioned": {"unavailable"},
    "broker-unavailable": {"broker-unavailable"},
    "quarantined": {"quarantined"},
}


@pytest.mark.parametrize("history", HISTORIES)
def test_no_moment_of_a_history_contradicts_itself(history: str) -> None:
    for moment in HISTORIES[history]:
        assert contradictions_between(moment) == []


@pytest.mark.parametrize("history", CAUSES)
def test_each_history_shows_its_cause(history: str) -> None:
    kinds = {cause["kind"] for moment in HISTORIES[history] for cause in moment["page"]["blockages"]}

    assert CAUSES[history] <= kinds
    assert kinds if CAUSES[history] else not kinds


def caught_up() -> dict[str, Any]:
    """Give a moment at which every shard is caught up."""
    found = (each for each in HISTORIES["healthy"] if each["page"]["state"] == "READY")
    return deepcopy(next(found))


def set_at(moment: dict[str, Any], path: str, value: object) -> None:
    *parents, last = path.split(".")
    found: Any = moment
    for part in parents:
        found = found[int(part)] if part.isdigit() else found[part]
    found[last] = value


@pytest.mark.parametrize(
    ("path", "value", "refusal"),
    [
        ("listed.state", "SYNCING", "the states differ"),
        ("rollout.upgrade_state", "SYNCING", "the states differ"),
        ("cell.ready", 3, "ready differs"),
        ("live.cell.ready", 3, "ready differs"),
        ("metrics.upgrade_shards_ready", 3.0, "ready differs"),
        ("rollout.percent", 99, "percent differs"),
        ("building.percent", 99, "percent of the index is 99"),
        ("deployment.active_upgrade.progress.lag_seconds", 99.0, "lag_seconds differs"),
        ("cell.lag_seconds", None, "lag_seconds differs"),
        ("cell.oldest_report_at", None, "fleet shows figures without an age"),
        ("page.progress.total", 1, "60 of 1 are copied"),
        ("page.stall", {"causes": []}, "do not agree whether it stalls"),
        ("cell.blocked", True, "held up: "),
        ("metrics.upgrade_blockages", 1.0, "metrics count 1 causes of 0"),
        ("text", "It is fine.", "the command line counts other shards"),
        ("page.readiness.checks.0.remedy", "Wait.", "passed and names a remedy"),
    ],
)
def test_a_surface_that_says_something_else_is_refused(path: str, value: object, refusal: str) -> None:
    moment = caught_up()
    set_at(moment, path, value)

    assert any(refusal in sentence for sentence in contradictions_between(moment))


def test_a_shard_that_is_caught_up_with_an_old_report_is_refused() -> None:
    moment = caught_up()
    moment["page"]["shards"]["items"][0]["reported_at"] = "2026-01-01T00:00:00Z"

    assert any("shard 0 is ready, reported" in sentence for sentence in contradictions_between(moment))


def test_a_cause_without_a_remedy_is_refused() -> None:
    moment = deepcopy(next(each for each in HISTORIES["quarantined"] if each["page"]["blockages"]))
    moment["page"]["blockages"][0]["remedy"] = ""

    assert "quarantined has no remedy" in contradictions_between(moment)

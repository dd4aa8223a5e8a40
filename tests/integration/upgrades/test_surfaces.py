"""Every surface that shows an upgrade tells the same, whatever happened to it: none is green where another is not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone
from rest_framework.test import APIClient

from console.demo.history import contradictions
from migrations_app.adapters.probes import valkey as broker
from migrations_app.adapters.pulses import PulseRows
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.models.sync import SyncCheckpoint, SyncScan
from migrations_app.models.upgrades import Upgrade, UpgradeShard
from migrations_app.models.work import Pulse, Work
from migrations_app.ports.upgrades import ShardReport, ShardState, TimelineEntry
from tests.histories.laws import contradictions_between
from tests.histories.surfaces import RECORDED, add_rollout, look
from tests.integration.upgrades.conftest import EU, OLGA
from tests.processes import free_port

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
UPGRADES = DjangoUpgrades()
RING = 16
Told = Mapping[str, Any]


def started() -> str:
    upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(EU, "v1")).upgrade_id)
    UPGRADES.expect_shards(upgrade, dict.fromkeys(range(RING), 10))
    PulseRows().beat("worker", "worker", {"queues": ["sync"]})
    return upgrade


def report(upgrade: str, shards: range, state: ShardState, **values: Any) -> None:
    for shard in shards:
        UPGRADES.report_shard(
            upgrade, ShardReport(shard, state, "follow", copied=10, total=10, lag_seconds=0.5, **values)
        )


def age(upgrade: str, shards: range, seconds: float) -> None:
    then = timezone.now() - timedelta(seconds=seconds)
    UpgradeShard.objects.filter(upgrade_id=upgrade, shard__in=shards).update(reported_at=then)


def metrics_of(text: str) -> Mapping[str, float]:
    """Read the numbers of upgrades from an answer of `/metrics`; there is one upgrade."""
    found = re.findall(r"^switchyard_(upgrade_\w+)\{[^}]*\} (\S+)$", text, re.MULTILINE)
    assert len(dict(found)) == len(found)
    return {name: float(value) for name, value in found}


def stop_keys(upgrade: str) -> None:
    for shard in range(RING):
        Work.objects.create(
            controller="sync",
            key=f"{upgrade}/forward/{shard}",
            quarantined_at=timezone.now(),
            quarantined_code="unexpected",
            quarantined_reason="The disk is full.",
            quarantined_remedy="Make room, then retry it.",
        )


def nothing(upgrade: str) -> None:
    """It has just begun."""


def copying(upgrade: str) -> None:
    report(upgrade, range(10), ShardState.READY)
    report(upgrade, range(10, 12), ShardState.SYNCING)


def caught_up(upgrade: str) -> None:
    report(upgrade, range(RING), ShardState.READY)


def starved(upgrade: str) -> None:
    caught_up(upgrade)
    age(upgrade, range(RING), 900)
    late = timezone.now() - timedelta(seconds=890)
    Work.objects.create(controller="sync", key=f"{upgrade}/forward/0", due_at=late)


def begun_again(upgrade: str) -> None:
    caught_up(upgrade)
    age(upgrade, range(RING), 900)
    Work.objects.create(controller="sync", key=f"{upgrade}/forward/0", attempts=4)


def partly_silent(upgrade: str) -> None:
    caught_up(upgrade)
    age(upgrade, range(3), 100)


def without_worker(upgrade: str) -> None:
    caught_up(upgrade)
    age(upgrade, range(RING), 900)
    Pulse.objects.filter(kind="worker").update(at=timezone.now() - timedelta(seconds=900))


def quarantined(upgrade: str) -> None:
    caught_up(upgrade)
    age(upgrade, range(RING), 900)
    stop_keys(upgrade)


def failed(upgrade: str) -> None:
    report(upgrade, range(15), ShardState.READY)
    report(upgrade, range(15, 16), ShardState.FAILED, error="The target refused it.")


def throttled(upgrade: str) -> None:
    report(upgrade, range(14), ShardState.READY)
    report(upgrade, range(14, 16), ShardState.SYNCING, throttled="52 sessions are active, more than 48")


def partly_counted(upgrade: str) -> None:
    report(upgrade, range(4), ShardState.READY)
    UpgradeShard.objects.filter(upgrade_id=upgrade, shard__gte=8).delete()


BUSY_PHRASES = [
    {"key": "{active} sessions are active, more than {limit}.", "values": {"active": 52, "limit": 48}}
]
HISTORIES: dict[str, tuple[Callable[[str], None], tuple[int, int | None, str], tuple[str, ...]]] = {
    "begun": (nothing, (0, 0, "pending"), ()),
    "copying": (copying, (10, 75, "pending"), ()),
    "caught up": (caught_up, (16, 100, "pass"), ()),
    "starved": (starved, (0, 99, "unknown"), ("worker-late",)),
    "begun again": (begun_again, (0, 99, "unknown"), ("no-result",)),
    "partly silent": (partly_silent, (13, 99, "unknown"), ()),
    "without worker": (without_worker, (0, 99, "unknown"), ("no-worker",)),
    "quarantined": (quarantined, (0, 99, "unknown"), ("quarantined",)),
    "throttled": (throttled, (14, 99, "pending"), ("throttled",)),
    "partly counted": (partly_counted, (4, None, "pending"), ()),
    "failed": (failed, (15, 99, "fail"), ("shard-failed",)),
}


@pytest.mark.parametrize("history", HISTORIES)
def test_all_surfaces_agree(olga: APIClient, history: str) -> None:
    happen, (ready, percent, verdict), kinds = HISTORIES[history]
    upgrade = started()
    happen(upgrade)

    page: Told = olga.get(f"/api/v1/upgrades/{upgrade}").json()
    listed: Told = olga.get("/api/v1/upgrades").json()["items"][0]
    cell: Told = next(each for each in olga.get("/api/v1/fleet").json()["cells"] if each["upgrade_id"])
    overview: Told = olga.get("/api/v1/overview").json()
    building: Told = olga.get("/api/v1/references/building").json()["items"][0]
    metrics = metrics_of(olga.get("/metrics").content.decode())
    checks = {check["check"]: check for check in page["readiness"]["checks"]}

    assert list(contradictions(dict(page), timezone.now())) == []
    resting = {
        shard["shard"]: shard["throttled_phrases"] for shard in page["shards"]["items"] if shard["throttled"]
    }
    assert resting == (dict.fromkeys((14, 15), BUSY_PHRASES) if history == "throttled" else {})
    counted = sum(shard["state"] in ("ready", "switched") for shard in page["shards"]["items"])
    assert {ready} == {page["shards"]["ready"], listed["shards"]["ready"], cell["ready"], counted}
    assert (metrics["upgrade_shards"], metrics["upgrade_shards_ready"]) == (RING, ready)
    assert metrics["upgrade_shards_unknown"] == sum(
        shard["state"] == "unknown" for shard in page["shards"]["items"]
    )
    assert metrics["upgrade_blockages"] == len(kinds)
    assert [page["progress"]["percent"], listed["progress"]["percent"]] == [percent, percent]
    assert (metrics.get("upgrade_progress_percent"), building["percent"]) == (percent, percent)
    assert page["progress"]["total"] == 10 * UpgradeShard.objects.filter(upgrade_id=upgrade).count()
    assert page["progress"]["total"] >= page["progress"]["copied"]
    assert checks["shards-caught-up"]["verdict"] == verdict
    assert tuple(cause["kind"] for cause in page["blockages"]) == kinds
    assert page["sentence"].startswith(listed["sentence"][:40])
    assert (page["stall"] is None) == (listed["stall"] is None) == (overview["now"]["stalled"] == 0)
    # One lag, whichever surface is looked at; what grows grew by the time between the looks only.
    lags = [page["progress"]["lag_seconds"], listed["progress"]["lag_seconds"]]
    assert (lags[0] is None) == (lags[1] is None) == (cell["lag_seconds"] is None)
    assert ("upgrade_lag_seconds" in metrics) == (lags[0] is not None)
    if lags[0] is not None:
        assert lags[0] == pytest.approx(lags[1], abs=60)
        assert lags[0] == pytest.approx(cell["lag_seconds"], abs=60)
        assert lags[0] == pytest.approx(metrics["upgrade_lag_seconds"], abs=60)
        assert (lags[0] > 10) == (checks["lag"]["verdict"] == "fail")


def test_recorded_histories_have_the_shape_of_the_answers_of_today(olga: APIClient) -> None:
    upgrade = started()
    caught_up(upgrade)
    add_rollout(upgrade)

    now = look(olga, upgrade)

    assert contradictions_between(now) == []
    for path in RECORDED.glob("*.json"):
        for moment in json.loads(path.read_text())["moments"]:
            assert moment.keys() == now.keys()
            for surface in ("page", "listed", "rollout", "overview"):
                assert moment[surface].keys() == now[surface].keys(), (path, surface)
            assert moment["page"]["progress"].keys() == now["page"]["progress"].keys()
            assert moment["page"]["shards"]["items"][0].keys() == now["page"]["shards"]["items"][0].keys()


@pytest.mark.parametrize("history", ["starved", "begun again", "without worker", "quarantined"])
def test_a_stall_names_the_cause_that_the_facts_show_and_no_other(olga: APIClient, history: str) -> None:
    upgrade = started()
    HISTORIES[history][0](upgrade)

    page: Told = olga.get(f"/api/v1/upgrades/{upgrade}").json()

    assert page["stall"]["causes"] == [cause["sentence"] for cause in page["blockages"]]
    assert len(page["stall"]["causes"]) == 1
    assert page["sentence"].endswith(page["stall"]["causes"][0])
    assert all(cause["remedy"] for cause in page["blockages"])


def test_late_work_names_the_broker_where_it_does_not_answer(olga: APIClient, settings: LazySettings) -> None:
    upgrade = started()
    starved(upgrade)
    away = f"redis://127.0.0.1:{free_port()}/0"
    settings.SWITCHYARD = replace(settings.SWITCHYARD, redis_url=away)
    broker._answers.cache_clear()
    try:
        page: Told = olga.get(f"/api/v1/upgrades/{upgrade}").json()
    finally:
        broker._answers.cache_clear()

    assert [cause["kind"] for cause in page["blockages"]] == ["broker-unavailable"]
    assert page["sentence"].endswith("the broker does not answer, so nothing wakes the workers.")


def test_a_stall_without_a_known_cause_says_so(olga: APIClient) -> None:
    upgrade = started()
    caught_up(upgrade)
    age(upgrade, range(RING), 900)

    page: Told = olga.get(f"/api/v1/upgrades/{upgrade}").json()

    assert page["stall"]["causes"] == []
    assert page["sentence"].endswith("what is shown is old. The cause is not known.")


def test_an_upgrade_that_rests_or_has_ended_is_held_up_by_nothing(olga: APIClient) -> None:
    upgrade = started()
    quarantined(upgrade)
    Upgrade.objects.filter(pk=upgrade).update(paused=True)

    assert olga.get(f"/api/v1/upgrades/{upgrade}").json()["blockages"] == []


def test_shards_that_were_expected_keep_what_they_reported(olga: APIClient) -> None:
    upgrade = started()
    report(upgrade, range(1), ShardState.SYNCING)
    UPGRADES.expect_shards(upgrade, {0: 99, 1: 99})

    shards = {each.shard: each for each in UPGRADES.shards(upgrade)}
    assert (shards[0].state, shards[0].total) == (ShardState.SYNCING, 10)
    assert (shards[1].state, shards[1].total) == (ShardState.PENDING, 10)
    lines = Upgrade.objects.get(pk=upgrade).lines.filter(kind="counted")
    assert [line.text for line in lines] == ["Resources to copy: 160."]


def test_the_report_tells_how_long_each_phase_took(olga: APIClient) -> None:
    upgrade = started()
    begin = timezone.now()
    began = (begin - timedelta(seconds=2.5)).isoformat()
    UPGRADES.note(upgrade, TimelineEntry("prepared", "v1 was prepared; capture is on.", {"began_at": began}))
    row = Upgrade.objects.get(pk=upgrade)
    report(upgrade, range(RING), ShardState.READY)
    UPGRADES.transition(
        UPGRADES.load(upgrade), UpgradeEvent.CATCH_UP, TimelineEntry("caught-up", "All shards are caught up.")
    )
    Upgrade.objects.filter(pk=upgrade).update(started_at=begin - timedelta(seconds=3))
    row.lines.filter(kind="prepared").update(at=begin - timedelta(seconds=1))
    row.lines.filter(kind="counted").update(at=begin - timedelta(seconds=0.75))
    row.shard_turns.all().delete()
    for shard in range(RING):
        for seconds, stage, state in (
            (0, "backfill", "syncing"),
            (4 + shard, "follow", "syncing"),
            (30, "follow", "ready"),
        ):
            row.shard_turns.create(
                shard=shard, at=begin + timedelta(seconds=seconds), stage=stage, state=state
            )
        place = {"upgrade": upgrade, "direction": "forward", "shard": shard}
        SyncCheckpoint.objects.create(**place, stage="follow", copied=100)
        SyncScan.objects.create(
            **place, started_at=begin + timedelta(seconds=5), ended_at=begin + timedelta(seconds=9 + shard)
        )
    row.moves.filter(state="READY").update(at=begin + timedelta(seconds=31.5))

    found = olga.get(f"/api/v1/upgrades/{upgrade}/report").json()
    assert found["phases_seconds"] == {
        "to_director": 0.5,
        "preparing": 1.5,
        "to_first_shard": 0.25,
        "to_first_report": 3.0,
        "copying": 19.75,
        "catching_up": 11.0,
        "to_ready": 1.5,
        "comparing": 19.0,
    }
    assert found["waiting_seconds"] == 2.25
    assert found["rates_per_second"] == {"copying": 81, "comparing": 84}
    markdown = olga.get(f"/api/v1/upgrades/{upgrade}/report?as=md").content.decode()
    assert "| Copied in | 19.8 s, 81 resources a second |" in markdown
    assert "| Waited for workers and ticks | 2.2 s |" in markdown


def test_phases_that_have_not_ended_have_no_length(olga: APIClient) -> None:
    upgrade = started()

    found = olga.get(f"/api/v1/upgrades/{upgrade}/report").json()
    assert set(found["phases_seconds"].values()) == {None}
    assert (found["waiting_seconds"], set(found["rates_per_second"].values())) == (None, {None})
    assert "Copied in" not in olga.get(f"/api/v1/upgrades/{upgrade}/report?as=md").content.decode()

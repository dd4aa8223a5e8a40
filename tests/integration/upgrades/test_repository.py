"""Upgrades in tables as the engine meets them: moves, shards, the registry's mirror, one live upgrade."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from migrations_app.control.registry.repository import registry
from migrations_app.control.upgrade_state.repository.snapshots import known_shards
from migrations_app.control.upgrade_state.repository.upgrade_rows import locked
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.control.upgrades.queries import upgrades as known
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import Deployment, Stage
from migrations_app.domain.switch.states import State, UpgradeEvent
from migrations_app.kernel.errors import Conflict, Missing, Stale
from migrations_app.kernel.messages import message
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.outbox import OutboxEvent
from migrations_app.models.registry import Deployment as DeploymentRow
from migrations_app.models.registry import Namespace
from migrations_app.models.registry import ShardState as StoredShard
from migrations_app.models.upgrades import RecordedTransition, Upgrade, UpgradeShard
from migrations_app.ports.namespaces import Namespace as Place
from migrations_app.ports.upgrades import (
    CheckResult,
    DirectorRequest,
    ShardReport,
    ShardState,
    StepMark,
    TimelineEntry,
)
from tests.integration.upgrades.conftest import EU, OLGA

UPGRADES = DjangoUpgrades()
pytestmark = pytest.mark.usefixtures("fleet")


def planned() -> str:
    return plan_upgrade(OLGA, UpgradeSpec(EU, "v1")).upgrade_id


def started() -> str:
    return start_upgrade(OLGA, planned())


def shown() -> Deployment:
    value = registry.get(RegistryKind.DEPLOYMENT, EU)
    assert isinstance(value, Deployment)
    return value


def test_a_shard_tells_which_process_reported_it_last() -> None:
    upgrade = started()
    UPGRADES.report_shard(upgrade, ShardReport(3, ShardState.SYNCING, "", copied=1))
    items = known.upgrade(OLGA, upgrade)["shards"]["items"]  # type: ignore[index,call-overload]
    told = {item["shard"]: item["node"] for item in items}  # type: ignore[index,call-overload,union-attr]
    assert (told[3], told[4]) == (f"{socket.gethostname()}:{os.getpid()}", "")


def test_what_a_start_went_by_is_kept_with_it() -> None:
    upgrade = planned()
    DeploymentRow.objects.filter(pk=EU).update(is_disabled=True)
    ahead = _preflight(upgrade)
    DeploymentRow.objects.filter(pk=EU).update(is_disabled=False)
    start_upgrade(OLGA, upgrade)
    # What becomes of the plan later does not change what the start went by.
    Upgrade.objects.filter(pk=upgrade).update(plan_digest="other")

    assert ahead == ("failed", "1 of 6 checks would stop the start now", ["The deployment is disabled."])
    assert _preflight(upgrade) == ("done", "6 of 6 checks held", [])


def _preflight(upgrade: str) -> tuple[str, str, list[str]]:
    shown: Any = known.upgrade(OLGA, upgrade)
    (step,) = [each for each in shown["steps"] if each["step"] == "Preflight"]
    stopping = [each["sentence"] for each in shown["preflight"] if each["verdict"] == "fail"]
    return step["state"], step["text"], stopping


def test_a_started_upgrade_is_due_and_syncing_and_shown_by_the_registry() -> None:
    upgrade = planned()
    assert (UPGRADES.due(), UPGRADES.syncing()) == ([], [])
    start_upgrade(OLGA, upgrade)
    record = UPGRADES.load(upgrade)
    assert (record.state, record.source.version, record.target.version) == (State.SYNCING, "v1alpha2", "v1")
    assert record.source.schema != record.target.schema
    assert (UPGRADES.due(), UPGRADES.syncing()) == ([upgrade], [record])
    assert UPGRADES.live(EU) == record
    state = shown().upgrade_state
    assert state is not None
    assert (state.stage, state.target_version, state.pending_shards) == (
        Stage.INITIAL_SYNCING,
        "v1",
        tuple(range(16)),
    )
    assert list(Namespace.objects.values_list("version", flat=True)) == ["v1", "v1alpha2"]


def test_a_transition_moves_once_and_tells_the_ledger_the_story_and_the_watchers() -> None:
    upgrade = started()
    record = UPGRADES.load(upgrade)
    after = UPGRADES.transition(
        record, UpgradeEvent.CATCH_UP, TimelineEntry("caught-up", "all shards are caught up")
    )
    assert after.state is State.READY
    with pytest.raises(Stale):
        UPGRADES.transition(record, UpgradeEvent.CATCH_UP, TimelineEntry("caught-up", "again"))
    with pytest.raises(Conflict):
        UPGRADES.transition(after, UpgradeEvent.FLIP, TimelineEntry("flip", "no"))
    assert list(RecordedTransition.objects.values_list("letter", flat=True)) == ["", "A", "C"]
    entry = LedgerEntry.objects.filter(action="upgrade.catch-up").get()
    assert (entry.target, entry.before, entry.after) == (upgrade, {"state": "SYNCING"}, {"state": "READY"})
    told = OutboxEvent.objects.filter(topic=f"upgrade:{upgrade}", kind="upgrade").last()
    assert told is not None
    assert told.patch["state"] == "READY"  # type: ignore[index]
    state = shown().upgrade_state
    assert state is not None
    assert state.stage is Stage.READY


def test_one_deployment_has_one_live_upgrade_by_the_database() -> None:
    upgrade = planned()
    with pytest.raises(Conflict) as caught:
        planned()
    assert caught.value.message == f"Upgrade {upgrade} holds this deployment."
    row = Upgrade.objects.get(pk=upgrade)
    row.pk = "another"
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


def test_an_older_director_is_refused() -> None:
    upgrade = started()
    UPGRADES.claim(upgrade, 7)
    UPGRADES.claim(upgrade, 7)
    with pytest.raises(Stale):
        UPGRADES.claim(upgrade, 6)


def test_a_director_that_was_overtaken_moves_nothing_and_clears_nothing() -> None:
    upgrade = started()
    before = UPGRADES.claim(upgrade, 7)
    UPGRADES.claim(upgrade, 8)
    for move in (
        lambda: UPGRADES.transition(before, UpgradeEvent.CATCH_UP, TimelineEntry("caught-up", "late")),
        lambda: UPGRADES.clear_request(before, TimelineEntry("refused", "late")),
        lambda: UPGRADES.run_out(before, TimelineEntry("complete-asked", "late")),
    ):
        with pytest.raises(Stale) as refused:
            move()
        assert refused.value.code == "director-stale"
    record = UPGRADES.load(upgrade)
    assert (record.state, record.request, record.director) == (State.SYNCING, None, 8)


def test_shards_are_pending_until_they_report_and_the_registry_follows() -> None:
    upgrade = started()
    assert [report.state for report in UPGRADES.shards(upgrade)] == [ShardState.PENDING] * 16
    ready = ShardReport(3, ShardState.READY, "follow", copied=9, total=9, lag_seconds=0.1)
    UPGRADES.report_shard(upgrade, ready)
    assert UPGRADES.shards(upgrade)[3] == ready
    state = shown().upgrade_state
    assert state is not None
    assert state.ready_shards == (3,)
    UPGRADES.report_shard(upgrade, ready)
    assert OutboxEvent.objects.filter(kind="shard").count() == 1


def test_shards_at_rest_are_reported_with_as_many_statements_as_one() -> None:
    upgrade = started()
    for shard in range(15):
        ready = ShardReport(shard, ShardState.READY, "follow", copied=9, total=9, rate_per_second=3.0)
        UPGRADES.report_shard(upgrade, ready)
    UPGRADES.report_shard(upgrade, ShardReport(15, ShardState.SYNCING, "backfill", copied=1, total=9))
    long_ago = timezone.now() - timedelta(minutes=1)
    UpgradeShard.objects.filter(upgrade_id=upgrade).update(reported_at=long_ago)
    StoredShard.objects.filter(upgrade=upgrade).update(reported_at=long_ago)
    OutboxEvent.objects.all().delete()

    def statements(shards: Sequence[int]) -> int:
        with CaptureQueriesContext(connection) as asked:
            reported = UPGRADES.report_resting(upgrade, shards, 0.25)
        assert list(reported) == [shard for shard in shards if shard != 15]
        return len(asked)

    assert statements(range(16)) == statements([3])
    rows = list(UpgradeShard.objects.filter(upgrade_id=upgrade).order_by("shard"))
    assert [row.reported_at > long_ago for row in rows] == [True] * 15 + [False]
    assert {(row.state, row.copied, row.lag_seconds, row.rate_per_second) for row in rows[:15]} == {
        ("ready", 9, 0.25, 0.0)
    }
    assert (rows[15].state, rows[15].copied, rows[15].lag_seconds) == ("syncing", 1, None)
    # Watchers and the registry are told as of each report.
    told = [each.full for each in OutboxEvent.objects.filter(kind="shard").order_by("pk")[:15]]
    assert [each and (each["shard"], each["lag_seconds"]) for each in told] == [(n, 0.25) for n in range(15)]
    stored = StoredShard.objects.filter(upgrade=upgrade, reported_at__gt=long_ago)
    assert sorted(stored.values_list("shard", flat=True)) == list(range(15))


@pytest.mark.django_db(transaction=True)
def test_a_shard_reports_while_the_director_holds_its_upgrade() -> None:
    """What a report writes refers to the upgrade; waiting for it with the registry held would be a deadlock."""
    upgrade = started()
    is_held, is_reported = Event(), Event()

    def direct() -> None:
        with transaction.atomic():
            locked(upgrade)
            is_held.set()
            is_reported.wait(30)
        connection.close()

    with ThreadPoolExecutor(1) as director:
        directed = director.submit(direct)
        assert is_held.wait(30)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '2s'")
            UPGRADES.report_shard(upgrade, ShardReport(3, ShardState.READY, "follow", copied=9, total=9))
        finally:
            is_reported.set()
            connection.close()
        directed.result()
    assert UPGRADES.shards(upgrade)[3].state is ShardState.READY


def test_the_lag_of_a_shard_that_fell_silent_grows_while_the_upgrade_goes_on() -> None:
    upgrade = started()
    UPGRADES.report_shard(upgrade, ShardReport(3, ShardState.READY, "follow", lag_seconds=0.5))
    row = Upgrade.objects.get(pk=upgrade)
    shards = list(row.shards.all())

    def lags(seconds: float, of: Upgrade = row) -> list[float | None]:
        later = shards[0].reported_at + timedelta(seconds=seconds)
        return [shard.lag_seconds for shard in known_shards(of, shards, later)[0]]

    assert lags(2) == [0.5]
    assert lags(20) == [20.5]
    row.paused = True
    assert lags(20) == [0.5]


def test_switching_counts_the_shards_anew() -> None:
    upgrade = started()
    for shard in range(16):
        UPGRADES.report_shard(upgrade, ShardReport(shard, ShardState.READY, "follow"))
    record = UPGRADES.transition(
        UPGRADES.load(upgrade), UpgradeEvent.CATCH_UP, TimelineEntry("caught-up", "")
    )
    record = UPGRADES.transition(record, UpgradeEvent.FREEZE, TimelineEntry("freeze", ""), freeze_epoch=2)
    state = shown().upgrade_state
    assert state is not None
    assert (state.stage, state.ready_shards) == (Stage.SWITCHING, ())
    record = UPGRADES.transition(record, UpgradeEvent.FLIP, TimelineEntry("flip", ""), freeze_ms=41.5)
    assert (record.freeze_epoch, record.state) == (2, State.REVERSIBLE)
    assert record.reversible_until is not None
    assert shown().upgrade_state is None


def test_the_fence_is_published_only_forwards() -> None:
    old, new = (Place(EU, version, "default", f"s_{version}") for version in ("v1alpha2", "v1"))
    assert UPGRADES.publish(new, 3) is True
    assert UPGRADES.publish(old, 2) is False
    assert UPGRADES.publish(new, 3) is False
    row = DeploymentRow.objects.get(pk=EU)
    assert (row.current_version, row.fence_epoch) == ("v1", 3)


def test_a_request_is_dropped_with_its_reason() -> None:
    upgrade = started()
    Upgrade.objects.filter(pk=upgrade).update(request="switch", request_by="olga")
    record = UPGRADES.load(upgrade)
    assert record.request is DirectorRequest.SWITCH
    record = UPGRADES.clear_request(
        record, TimelineEntry("refused", message("{given} of 2 approvals were given.", given=1))
    )
    undone = known.upgrade(OLGA, record.id)["undone"]
    assert undone is not None
    assert undone["text"] == "1 of 2 approvals were given."
    assert undone["phrases"] == [{"key": "{given} of 2 approvals were given.", "values": {"given": 1}}]
    assert record.request is None


def test_checks_steps_and_notes_are_kept() -> None:
    upgrade = started()
    UPGRADES.record_checks(upgrade, [CheckResult("disk", "pass", "There is room.")])
    UPGRADES.mark_step(upgrade, StepMark("freeze", "current"))
    stopped = message("Writers were stopped at epoch {epoch}.", epoch=3)
    UPGRADES.mark_step(upgrade, StepMark("freeze", "done", 0.02, stopped))
    UPGRADES.note(upgrade, TimelineEntry("writes-resumed", "the writers did not drain"))
    row = Upgrade.objects.get(pk=upgrade)
    assert row.checks[0]["sentence"] == "There is room."
    assert list(row.switch_steps.values_list("step", "state")) == [("freeze", "done")]
    (step,) = known.upgrade(OLGA, upgrade)["switch_steps"]
    assert step["text"] == "Writers were stopped at epoch 3."
    assert step["phrases"] == [{"key": "Writers were stopped at epoch {epoch}.", "values": {"epoch": 3}}]
    with pytest.raises(Missing):
        UPGRADES.load("nothing")


def test_the_director_is_told_why_a_switch_is_refused() -> None:
    upgrade = started()
    record = UPGRADES.load(upgrade)
    assert UPGRADES.refusal(record, DirectorRequest.ABORT) is None
    assert UPGRADES.refusal(record, DirectorRequest.SWITCH) == "0 of 16 shards are caught up."
    for shard in range(16):
        UPGRADES.report_shard(upgrade, ShardReport(shard, ShardState.READY, "follow", lag_seconds=0.0))
    assert UPGRADES.refusal(record, DirectorRequest.SWITCH) == (
        "0 of 2 approvals were given; none was asked for."
    )

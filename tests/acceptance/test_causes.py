"""Each cause of a stall, produced for real under a real worker: every surface names it, and it goes when the cause goes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from django.conf import LazySettings
from django.utils import timezone

from console.embedded import commands
from console.embedded.postgres import Postgres
from console.embedded.valkey import Valkey
from migrations_app import wiring
from migrations_app.adapters.probes import valkey as broker
from migrations_app.control.upgrades.commands.request_switch import request_rollback, request_switch
from migrations_app.domain.switch.states import State
from migrations_app.models.work import Pulse
from migrations_app.ports.locks import Again, Lease
from tests.factories.access import client_of
from tests.histories.surfaces import History, add_rollout
from tests.integration.switch.secrets_upgrade import carry_out, reach
from tests.integration.switch.secrets_upgrade import started as started
from tests.processes import Children
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
Begin = Callable[[str], History]


@pytest.fixture
def begin(started: str) -> Iterator[Begin]:
    """Begin the history of the upgrade that was started; it is kept where nothing contradicted."""
    client = client_of("nora", "operator", "admin")
    add_rollout(started)
    begun: list[History] = []

    def make(name: str) -> History:
        begun.append(History(name, client, started))
        return begun[-1]

    yield make
    for history in begun:
        history.keep()


def wait_for(found: Callable[[], bool], children: Children) -> None:
    wait_until(found, lambda: children.log("worker")[-3000:], pause_seconds=0.3)


def test_a_healthy_upgrade_and_its_rollback_show_no_cause(
    begin: Begin, started: str, live_worker: Children
) -> None:
    healthy = begin("healthy")

    def log() -> str:
        return live_worker.log("worker")

    _fresh_pulse(live_worker)
    wait_for(lambda: healthy.look()["page"]["state"] == "READY", live_worker)
    wait_for(lambda: healthy.look()["page"]["progress"]["percent"] == 100, live_worker)
    assert healthy.moments[-1]["page"]["blockages"] == []
    carry_out(started, request_switch, State.REVERSIBLE, log)
    rolled_back = begin("rolled-back")
    rolled_back.look()
    carry_out(started, request_rollback, State.REVERTED, log)
    assert rolled_back.look()["page"]["state"] == "REVERTED"
    assert [each["page"]["blockages"] for each in rolled_back.moments] == [[], []]


def test_a_copy_that_is_throttled(begin: Begin, started: str, children: Children, data_database: str) -> None:
    history, namespace = begin("throttled"), wiring.ports().upgrades.load(started).source
    with wiring.databases().connection(namespace.database) as connection:
        connection.execute("CREATE TABLE public.night (reason text)")
        connection.execute("INSERT INTO public.night VALUES ('the night batch runs')")
    children.start_worker(SWITCHYARD_THROTTLE_QUERY="SELECT reason FROM public.night")
    children.start_beat()

    wait_for(lambda: history.kinds() == ["throttled"], children)

    assert "the night batch runs" in history.moments[-1]["page"]["blockages"][0]["sentence"]
    with wiring.databases().connection(namespace.database) as connection:
        connection.execute("DELETE FROM public.night")
    reach(started, State.READY, lambda: children.log("worker"))
    wait_for(lambda: history.kinds() == [], children)


def _fresh_pulse(children: Children) -> None:
    """Wait until the worker was heard from just now."""
    before = Pulse.objects.filter(kind="worker").values_list("at", flat=True).first() or timezone.now()
    wait_for(lambda: Pulse.objects.filter(kind="worker", at__gt=before).exists(), children)


def test_a_worker_without_processor_time_and_one_that_is_stopped(
    begin: Begin, started: str, live_worker: Children
) -> None:
    history = begin("starved")
    reach(started, State.READY, lambda: live_worker.log("worker"))
    wait_for(lambda: history.kinds() == [], live_worker)
    _fresh_pulse(live_worker)
    worker = live_worker.running["worker"].pid

    os.killpg(worker, signal.SIGSTOP)
    try:
        wait_for(lambda: "worker-late" in history.kinds(), live_worker)
        assert "cannot keep up" in history.moments[-1]["page"]["blockages"][0]["sentence"]
        wait_for(lambda: history.kinds() == ["no-worker"], live_worker)
        wait_for(lambda: history.look()["page"]["stall"] is not None, live_worker)
    finally:
        os.killpg(worker, signal.SIGCONT)

    silent = history.moments[-1]["page"]
    assert (silent["shards"]["ready"], silent["progress"]["percent"]) == (0, 99)
    wait_for(lambda: history.kinds() == [] and history.moments[-1]["page"]["stall"] is None, live_worker)


def test_a_worker_that_holds_a_shard_and_reports_nothing(
    begin: Begin, started: str, live_worker: Children
) -> None:
    history, leases = begin("lease-held"), wiring.leases()
    reach(started, State.READY, lambda: live_worker.log("worker"))
    taken: list[Lease] = []

    def take() -> bool:
        lease = leases.take("sync", f"{started}/forward/0", holder="vm:7", lease_seconds=300)
        taken.extend([lease] if lease else [])
        return bool(taken)

    wait_until(take, pause_seconds=0.01)
    wait_for(lambda: history.kinds() == ["lease-held"], live_worker)
    cause = history.moments[-1]["page"]["blockages"][0]
    assert cause["sentence"] == "Worker vm:7 holds shard 0 and reports nothing."
    assert history.moments[-1]["page"]["shards"]["ready"] == 3

    leases.settle(taken[0], Again(0.0))
    wait_for(lambda: history.kinds() == [], live_worker)


@contextmanager
def away(postgres: Postgres, database: str) -> Iterator[None]:
    """Let a data database take no connection."""
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{database}" ALLOW_CONNECTIONS false')
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        connection.execute(end, (database,))
        try:
            yield
        finally:
            connection.execute(f'ALTER DATABASE "{database}" ALLOW_CONNECTIONS true')


def test_a_data_database_that_does_not_answer(
    begin: Begin, started: str, live_worker: Children, postgres: Postgres, data_database: str
) -> None:
    history = begin("partitioned")
    reach(started, State.READY, lambda: live_worker.log("worker"))
    with away(postgres, data_database):
        wait_for(lambda: "unavailable" in history.kinds(), live_worker)
        wait_for(lambda: history.look()["page"]["stall"] is not None, live_worker)
        assert "unavailable" in history.kinds()
        assert history.moments[-1]["page"]["shards"]["ready"] == 0
    wait_for(lambda: history.kinds() == [] and history.moments[-1]["page"]["stall"] is None, live_worker)


def test_a_broker_that_is_stopped(
    begin: Begin, started: str, children: Children, settings: LazySettings, tmp_path: Path
) -> None:
    history, valkey = begin("broker-unavailable"), Valkey(tmp_path / "valkey")
    own = valkey.start(tmp_path / "valkey.log")
    try:
        valkey.wait_ready(own)
        # As `make up` does: who tells people is another process than the one that copies.
        queues = "sync,constraints,switch,housekeeping"
        for name, served in (("worker", queues), ("teller", "notifications")):
            children.start(name, commands.worker(name, served), REDIS_URL=valkey.url(0))
        children.start_beat(REDIS_URL=valkey.url(0))
        reach(started, State.READY, lambda: children.log("worker"))
        settings.SWITCHYARD = replace(settings.SWITCHYARD, redis_url=valkey.url(0))
    finally:
        own.terminate()
        own.wait()
    broker._answers.cache_clear()
    try:
        wait_for(lambda: history.kinds() == ["broker-unavailable"], children)
        # The asker is notified, although nothing wakes the workers.
        told = wiring.ports().upgrades.load(started)
        wait_for(
            lambda: (
                history.client.get(f"/api/v1/upgrades/{told.id}/events").json()["items"][-1]["kind"]
                == "blocked"
            ),
            children,
        )
    finally:
        broker._answers.cache_clear()


def test_work_that_stopped_for_a_person(begin: Begin, started: str, live_worker: Children) -> None:
    history = begin("quarantined")
    reach(started, State.READY, lambda: live_worker.log("worker"))
    record = wiring.ports().upgrades.load(started)
    cursor = f'"{record.source.schema}".cursor'
    with wiring.databases().connection(record.source.database) as connection:
        connection.execute(f"ALTER TABLE {cursor} RENAME COLUMN reached_seq TO elsewhere")
    wait_for(lambda: "quarantined" in history.kinds(), live_worker)
    wait_for(lambda: history.look()["page"]["stall"] is not None, live_worker)
    assert history.moments[-1]["page"]["shards"]["ready"] == 0
    assert history.moments[-1]["overview"]["now"]["stalled"] == 1

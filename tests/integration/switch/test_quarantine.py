"""What stops the work of an upgrade for a person: it is said, and the named action gets the upgrade to its end."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from migrations_app import wiring
from migrations_app.control.upgrades.commands.request_switch import abort_upgrade, request_switch
from migrations_app.control.upgrades.commands.retry_shard import retry_shard
from migrations_app.control.upgrades.queries import upgrades as known
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import DueKey, Terms, reconcile
from migrations_app.kernel.errors import Conflict
from migrations_app.models.work import Work
from migrations_app.ports.fence import FenceLocation, Mode
from migrations_app.ports.upgrades import UpgradeRecord
from tests.integration.switch.secrets_upgrade import OLGA
from tests.integration.switch.secrets_upgrade import started as started

pytestmark = pytest.mark.django_db(transaction=True)
TERMS = Terms()


def turn(terms: Terms) -> None:
    """Every key that is due once, under real leases."""
    for name in ("switch", "sync", "parity"):
        controller = wiring.controllers()[name]
        for due in list(controller.due()):
            key = due.key if isinstance(due, DueKey) else due
            reconcile(
                controller, key, leases=wiring.leases(), clock=wiring.clock(), holder="test", terms=terms
            )


def turn_until(
    upgrade: str,
    reached: Callable[[UpgradeRecord], bool],
    ask: Callable[[Actor, str], str] | None = None,
    terms: Terms = TERMS,
) -> None:
    until = time.monotonic() + 120
    while not reached(record := wiring.ports().upgrades.load(upgrade)):
        assert time.monotonic() < until, known.upgrade(OLGA, upgrade)
        if ask is not None and record.request is None:
            with suppress(Conflict):
                ask(OLGA, upgrade)
        turn(terms)
        time.sleep(0.05)


def stopped(code: str) -> list[str]:
    return list(
        Work.objects.filter(quarantined_at__isnull=False, quarantined_code=code).values_list("key", flat=True)
    )


def alter(record: UpgradeRecord, statement: str) -> None:
    with wiring.databases().connection(record.source.database) as connection:
        connection.execute(statement)


def said(upgrade: str) -> str:
    return str(known.upgrade(OLGA, upgrade)["blockages"])


def test_a_statement_that_the_data_database_refuses(started: str) -> None:
    turn_until(started, lambda record: record.state is State.READY)
    record = wiring.ports().upgrades.load(started)
    cursor = f'"{record.source.schema}".cursor'
    alter(record, f"ALTER TABLE {cursor} RENAME COLUMN reached_seq TO elsewhere")
    turn_until(started, lambda record: len(stopped("statement-refused")) >= 5)
    assert "refused a statement" in said(started)
    alter(record, f"ALTER TABLE {cursor} RENAME COLUMN elsewhere TO reached_seq")
    retry_shard(OLGA, started, 0)
    assert stopped("statement-refused") == []
    turn_until(started, lambda record: record.state is State.REVERSIBLE, request_switch)


def test_work_whose_workers_died_again_and_again(started: str) -> None:
    keys = [("sync", f"{started}/forward/0"), ("parity", f"{started}/forward/1"), ("switch", started)]
    for controller, key in keys:
        for _ in range(Terms().attempts):
            lease = wiring.leases().take(controller, key, holder="dies", lease_seconds=0.001)
            assert lease is not None
            time.sleep(0.02)
    turn_until(started, lambda record: len(stopped("work-abandoned")) >= 2)
    assert "without finishing" in said(started)
    retry_shard(OLGA, started, 3)
    turn_until(started, lambda record: record.state is State.REVERSIBLE, request_switch)
    assert stopped("work-abandoned") == []


def test_an_unexpected_error(started: str, monkeypatch: pytest.MonkeyPatch) -> None:
    turn_until(started, lambda record: record.state is State.READY)
    with monkeypatch.context() as broken:

        def fail(*_: object, **__: object) -> None:
            raise RuntimeError("a driver that is not itself")

        broken.setattr(type(wiring.ports().feed), "cursors", fail)
        turn_until(started, lambda record: len(stopped("unexpected")) >= 5, terms=Terms(attempts=1))
        assert "a driver that is not itself" in said(started)
    retry_shard(OLGA, started, 0)
    turn_until(started, lambda record: record.state is State.REVERSIBLE, request_switch)


def test_what_another_service_has_to_change_stops_nothing_for_good(started: str) -> None:
    turn_until(started, lambda record: record.state is State.READY)
    record = wiring.ports().upgrades.load(started)
    schema = record.target.schema
    alter(record, f'ALTER SCHEMA "{schema}" RENAME TO "{schema[:50]}_away"')
    turn_until(started, lambda record: Work.objects.exclude(waits_for="").count() >= 4)
    assert not Work.objects.filter(quarantined_at__isnull=False).exists()
    alter(record, f'ALTER SCHEMA "{schema[:50]}_away" RENAME TO "{schema}"')
    turn_until(started, lambda record: record.state is State.REVERSIBLE, request_switch)


def test_an_abort_is_heard_by_a_director_that_had_stopped(started: str) -> None:
    for _ in range(Terms().attempts):
        lease = wiring.leases().take("switch", started, holder="dies", lease_seconds=0.001)
        assert lease is not None
        time.sleep(0.02)
    turn_until(started, lambda record: started in stopped("work-abandoned"))
    abort_upgrade(OLGA, started)
    turn_until(started, lambda record: record.state is State.ABORTED)
    assert not Work.objects.filter(quarantined_at__isnull=False).exists()


def test_an_unexpected_error_inside_the_freeze(started: str, monkeypatch: pytest.MonkeyPatch) -> None:
    turn_until(started, lambda record: record.state is State.READY)
    with monkeypatch.context() as broken:

        def fail(*_: object, **__: object) -> None:
            raise RuntimeError("a driver that is not itself")

        broken.setattr(type(wiring.ports().fence), "prove", fail)
        turn_until(started, lambda record: started in stopped("switch-broken"), request_switch)
        assert "The switch was aborted: RuntimeError: a driver that is not itself" in said(started)
    record = wiring.ports().upgrades.load(started)
    assert wiring.ports().fence.state(FenceLocation.of(record.source)).mode is Mode.OPEN
    retry_shard(OLGA, started, 0)
    assert stopped("switch-broken") == []
    turn_until(started, lambda record: record.state is State.REVERSIBLE, request_switch)


@pytest.mark.parametrize(("code", "sqlstate"), [("isolation-too-high", "SYF03"), ("revision-stuck", "SYR02")])
def test_an_invariant_of_the_data_database_that_failed(started: str, code: str, sqlstate: str) -> None:
    turn_until(started, lambda record: record.state is State.READY)
    record = wiring.ports().upgrades.load(started)
    cursor = f'"{record.source.schema}".cursor'
    alter(
        record,
        f"CREATE FUNCTION refuse_cursor() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{sqlstate}'; END$$",
    )
    alter(
        record,
        f"CREATE TRIGGER refused BEFORE UPDATE ON {cursor} FOR EACH ROW EXECUTE FUNCTION refuse_cursor()",
    )
    turn_until(started, lambda record: len(stopped(code)) >= 1)
    sentence = {
        "isolation-too-high": "Writers of resources use READ COMMITTED.",
        "revision-stuck": "An update did not raise the revision.",
    }[code]
    assert sentence in said(started)
    alter(record, f"DROP TRIGGER refused ON {cursor}")
    retry_shard(OLGA, started, 0)
    assert stopped(code) == []
    turn_until(started, lambda record: record.state is State.REVERSIBLE, request_switch)

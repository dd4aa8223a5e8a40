"""The database tells with the commit which controllers may have new keys."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.utils import timezone

from migrations_app.adapters.leases.notifications import PostgresWorkNotifications
from migrations_app.models.hooks import Webhook
from migrations_app.models.registry import Deployment, Region, RegistryChange, Service
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_SECONDS = 60.0
OF_DEPLOYMENTS = {
    "registry", "pending", "deleting", "search", "fixtures", "subscribed-deletions", "syncing-meta", "read-copies",
    "left-copies",
}  # fmt: skip


@pytest.fixture
def missed() -> list[str]:
    """How often a listener was told that it may have missed something."""
    return []


@pytest.fixture
def heard(children: Children, missed: list[str]) -> Iterator[list[frozenset[str]]]:
    """What a listener is told; it listens by then."""
    told: list[frozenset[str]] = []
    ended = threading.Event()
    listener = PostgresWorkNotifications(children.environment()["DATABASE_URL"])
    arguments = (told.append, lambda: missed.append("missed"), ended)
    thread = threading.Thread(target=listener.listen, args=arguments, daemon=True)
    thread.start()
    _until(told, lambda: _notify("probe"))
    told.clear()
    yield told
    ended.set()
    _notify("end")
    thread.join(PATIENCE_SECONDS)


def _notify(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify('switchyard_work', %s)", [name])


def _until(told: list[frozenset[str]], act: object) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not told:
        assert time.monotonic() < until
        act()  # type: ignore[operator]
        time.sleep(0.3)


def _change(seq: int, kind: str) -> None:
    RegistryChange.objects.create(seq=seq, at=timezone.now(), kind=kind, name="x")


def test_a_removed_deployment_is_told_with_the_commit_and_a_change_of_a_region_is_not(
    heard: list[frozenset[str]],
) -> None:
    _change(1, "regions")
    with transaction.atomic():
        _change(2, "deployments")
        _change(3, "deployments")
        time.sleep(0.5)
        assert heard == []
    _until(heard, lambda: None)
    assert heard == [frozenset(OF_DEPLOYMENTS)]


def test_a_deployment_is_told_when_it_changes_and_not_for_each_shard_of_its_upgrade(
    heard: list[frozenset[str]],
) -> None:
    times = {"created_at": timezone.now(), "updated_at": timezone.now()}
    Region.objects.create(id="eu", **times)
    Service.objects.create(id="iam", **times)
    name = "services/iam/deployments/eu"
    Deployment.objects.create(name=name, service_id="iam", region_id="eu", current_version="v1", **times)
    _until(heard, lambda: None)
    assert heard == [frozenset(OF_DEPLOYMENTS)]
    for change, names in (
        ({"upgrade_target": "v2", "upgrade_stage": "INITIAL_SYNCING", "upgrade_ring": 2}, OF_DEPLOYMENTS),
        ({"upgrade_ready": [1], "revision": 7, "updated_at": timezone.now()}, set()),
        ({"upgrade_ready": [1, 0], "revision": 8}, set()),
        ({"upgrade_stage": "READY", "revision": 9}, OF_DEPLOYMENTS),
        ({"database": "one", "revision": 10}, OF_DEPLOYMENTS),
    ):
        heard.clear()
        Deployment.objects.filter(pk=name).update(**change)
        _notify("probe")
        until = time.monotonic() + PATIENCE_SECONDS
        # Notifications come in the order of their commits; on a slow machine not within one gathering.
        while "probe" not in set().union(*heard) and time.monotonic() < until:
            time.sleep(0.05)
        assert set().union(*heard) == {"probe", *names}, change


def test_who_listens_again_after_a_loss_is_told_that_it_may_have_missed_something(
    heard: list[frozenset[str]], missed: list[str]
) -> None:
    assert missed == []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND query = 'LISTEN switchyard_work'"
        )
        assert cursor.fetchall() == [(True,)]
    until = time.monotonic() + PATIENCE_SECONDS
    while not missed:
        assert time.monotonic() < until
        time.sleep(0.05)
    heard.clear()
    _notify("probe")
    _until(heard, lambda: None)
    assert (heard, missed) == ([frozenset({"probe"})], ["missed"])


def test_a_channel_is_told_when_it_is_switched_on_and_not_at_each_event_it_is_sent(
    heard: list[frozenset[str]],
) -> None:
    hook = Webhook.objects.create(id="wh1", name="chat", active=False, created_by="olga")
    Webhook.objects.filter(pk=hook.pk).update(cursor=7)
    _notify("probe")
    _until(heard, lambda: None)
    assert heard == [frozenset({"probe"})]
    heard.clear()
    Webhook.objects.filter(pk=hook.pk).update(active=True)
    _until(heard, lambda: None)
    Webhook.objects.filter(pk=hook.pk).update(cursor=8)
    _notify("probe")
    until = time.monotonic() + PATIENCE_SECONDS
    while frozenset({"probe"}) not in heard and time.monotonic() < until:
        time.sleep(0.05)
    assert set().union(*heard) == {"webhooks", "probe"}
    assert sum("webhooks" in each for each in heard) == 1

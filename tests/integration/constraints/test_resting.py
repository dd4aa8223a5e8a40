"""Deployments at rest cost no turns and no questions; what changes in the registry wakes who stands on it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from migrations_app import wiring
from migrations_app.control.registry.controllers.registry_watch import KEY, RESTING
from migrations_app.control.registry.controllers.registry_watch import NAME as REGISTRY_WATCH
from migrations_app.engine.controller import Budget, Terms, ensure_due, reconcile_taken
from migrations_app.engine.regions.feed_watch import NAME as FEED_WATCH
from migrations_app.models import registry as rows
from migrations_app.models.work import Work
from migrations_app.ports.locks import Again, WorkPool
from tests.integration.constraints.conftest import DEVICES, EU, IAM, SECRETS, US, Fleet

pytestmark = pytest.mark.django_db(transaction=True)
STANDING = (*RESTING, FEED_WATCH, REGISTRY_WATCH)
SHORT_SECONDS = 60.0


def _work() -> Counter[str]:
    """Let every resting controller work until nothing is due now; count the turns of each."""
    turns: Counter[str] = Counter()
    pool, controllers = WorkPool("resting", STANDING), wiring.controllers()
    while (taken := wiring.leases().take_next(pool, holder="test", lease_seconds=60.0)) is not None:
        name = taken.lease.controller
        turns[name] += 1
        assert sum(turns.values()) < 3000, turns
        reconcile_taken(
            controllers[name], taken.lease, leases=wiring.leases(), clock=wiring.clock(), terms=Terms()
        )
    return turns


def _pass(seconds: float) -> None:
    Work.objects.filter(due_at__isnull=False).update(due_at=F("due_at") - timedelta(seconds=seconds))


def _end_touches() -> None:
    """Take the touches of new policies as done: they take half a minute by the clock."""
    for peer in wiring.hosted_here():
        for namespace in wiring.directory().served(peer.region, peer.service).namespaces.values():
            for touch in wiring.touches().listed(namespace, ended=False):
                wiring.touches().save(namespace, replace(touch, ended_at=wiring.clock().now()))


@pytest.fixture
def resting(placing_fleet: Fleet) -> Fleet:
    """A fleet that had what it wanted."""
    for name in STANDING:
        ensure_due(wiring.controllers()[name], wiring.leases())
    for _ in range(6):
        _work()
        _end_touches()
        _pass(20.0)
    _work()
    return placing_fleet


def test_keys_of_a_fleet_at_rest_are_not_due_again_soon(resting: Fleet) -> None:
    soon = Work.objects.filter(
        controller__in=RESTING, due_at__lt=timezone.now() + timedelta(seconds=SHORT_SECONDS)
    )
    assert list(soon.values_list("controller", "key", "waits_for")) == []
    _pass(SHORT_SECONDS)
    turns = _work()
    assert turns.keys() == {FEED_WATCH, REGISTRY_WATCH}
    assert turns[FEED_WATCH] == len(list(wiring.controllers()[FEED_WATCH].due()))
    assert turns[REGISTRY_WATCH] == 1


def test_a_change_of_a_service_wakes_its_deployments_twice_and_no_other(
    resting: Fleet,
) -> None:
    lone = rows.Service.objects.create(
        id="lone.example.com", created_at=timezone.now(), updated_at=timezone.now()
    )
    watch = wiring.controllers()[REGISTRY_WATCH]

    def look() -> set[str]:
        told = wiring.leases().take(REGISTRY_WATCH, KEY, holder="test", lease_seconds=60.0)
        if told is None:
            _pass(SHORT_SECONDS)
            told = wiring.leases().take(REGISTRY_WATCH, KEY, holder="test", lease_seconds=60.0)
        assert told is not None
        before = dict(Work.objects.values_list("pk", "wakes"))
        outcome = watch.reconcile(KEY, Budget(2.0, wiring.clock()), told)
        assert isinstance(outcome, Again)
        wiring.leases().settle(told, outcome)
        woken = [each for each in Work.objects.all() if each.wakes != before.get(each.pk, each.wakes)]
        return {each.key.split("/")[1] for each in woken if each.controller in RESTING}

    assert look() == set(), "a service without deployments has no deployment to wake"
    assert look() == set()
    rows.Service.objects.filter(pk=SECRETS).update(revision=F("revision") + 1)
    first = look()
    assert SECRETS in first
    assert look() == first
    assert look() == set()
    lone.delete()


def test_a_write_wakes_exactly_who_depends_on_it_and_is_copied(resting: Fleet) -> None:
    database = rows.Deployment.objects.get(service=IAM, region=EU).database
    before = dict(Work.objects.values_list("pk", "wakes"))
    resting.create(IAM, EU, "Project", "projects/p0", title="New")
    wiring.leases().wake(FEED_WATCH, database)
    taken = wiring.leases().take_next(WorkPool("watch", (FEED_WATCH,)), holder="test", lease_seconds=60.0)
    assert taken is not None
    reconcile_taken(
        wiring.controllers()[FEED_WATCH],
        taken.lease,
        leases=wiring.leases(),
        clock=wiring.clock(),
        terms=Terms(),
    )
    woken = {
        (each.controller, each.key)
        for each in Work.objects.all()
        if each.wakes != before.get(each.pk, each.wakes)
    }
    of_copies = {key for name, key in woken if name == "read-copies"}
    assert of_copies == {f"services/{IAM}/deployments/{US}<{EU}"}
    heeding = {key for name, key in woken if name == "syncing-meta"}
    assert heeding == {f"services/{service}/deployments/{EU}" for service in (IAM, SECRETS, DEVICES)}
    assert {name for name, _ in woken} == {FEED_WATCH, "read-copies", "syncing-meta"}
    _work()
    assert resting.find(IAM, US, "Project", "projects/p0") is not None

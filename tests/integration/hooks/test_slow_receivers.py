"""Receivers that drip, flood and keep silent, among a hundred: the others get everything, on running workers."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from django.db import connection

from console.embedded import commands
from migrations_app import wiring
from migrations_app.control.events.outbox import publish
from migrations_app.control.notifications.claims import AT_ONCE, claim_receiver, receiver_of
from migrations_app.control.notifications.commands.write_webhook import HookSpec, create_webhook
from migrations_app.control.notifications.controller import Courier
from migrations_app.engine.controller import Again, Budget, Done
from migrations_app.kernel.errors import Stale
from migrations_app.models.hooks import ReceiverClaim, Webhook, WebhookDelivery
from migrations_app.models.work import Work
from tests.factories.sink import MEGABYTE, Sink, sink
from tests.integration.hooks.test_webhooks import ADMIN
from tests.processes import Children

CHANNELS, SERVERS, EVENTS = 100, 10, 3
BAD = ("drip", "huge", "mute")


@pytest.fixture
def workers(children: Children) -> Children:
    from celery_worker.app import app
    from celery_worker.queues import QUEUES

    with app.connection_for_write() as broker:
        for queue in QUEUES:
            broker.default_channel.queue_purge(queue)
    return children


@pytest.fixture
def servers() -> Iterator[list[Sink]]:
    with ExitStack() as stack:
        yield [stack.enter_context(sink()) for _ in range(SERVERS)]


def until(holds: Callable[[], bool], what: str, children: Children) -> None:
    """Wait for as long as a very busy machine may need."""
    end = time.monotonic() + 240
    while not holds():
        assert time.monotonic() < end, f"{what}\n{children.log('notifications')[-3000:]}"
        time.sleep(0.2)


def test_no_receiver_holds_up_the_others_or_gets_two_attempts_at_once(
    workers: Children, servers: list[Sink]
) -> None:
    with ExitStack() as stack:
        worse = {manner: stack.enter_context(sink(manner)) for manner in BAD}
        for manner, server in worse.items():
            create_webhook(ADMIN, HookSpec(f"a-{manner}", server.url, ("upgrade.*",)))
        for number in range(CHANNELS - len(BAD)):
            url = f"http://127.0.0.1:{servers[number % SERVERS].port}/{number}"
            create_webhook(ADMIN, HookSpec(f"good-{number}", url, ("upgrade.*",)))
        workers.start("notifications", commands.worker("notifications", "notifications", concurrency=8))
        workers.start("worker", commands.worker("worker", "sync,constraints,switch,housekeeping"))
        workers.start_beat()
        until(lambda: Work.objects.filter(settled_at__isnull=False).exists(), "no turn", workers)
        began = time.monotonic()
        for number in range(EVENTS):
            publish("upgrade:u1", "line", f"u1/{number}", full={"kind": "caught-up", "text": "All is level."})
        wanted = (CHANNELS - len(BAD)) * EVENTS
        delivered = WebhookDelivery.objects.filter(webhook__name__startswith="good-", state="delivered")
        until(lambda: delivered.count() == wanted, "not everything arrived", workers)
        # Long enough that an attempt which outlives a lease would have been made a second time.
        silent = worse["drip"], worse["mute"]
        until(lambda: all(len(server.begun) >= 3 for server in silent), "no third attempt", workers)

        taken = [at - began for server in servers for times in server.arrived.values() for at in times]
        print(f"\np95 of {len(taken)} good ones: {statistics.quantiles(taken, n=20)[-1]:.2f} s")
        assert len(taken) == wanted, "none twice"
        every = [*servers, *worse.values()]
        assert {most for server in every for most in server.most_under_way.values()} == {1}
        taken_by_huge = WebhookDelivery.objects.filter(webhook__name="a-huge", state="delivered")
        until(lambda: taken_by_huge.count() == EVENTS, "not everything arrived at the flooding one", workers)
        assert worse["huge"].sent_bytes <= EVENTS * 16 * MEGABYTE
        turned = set(Work.objects.filter(settled_at__isnull=False).values_list("controller", flat=True))
        assert turned >= {"housekeeping", "webhooks"}


@pytest.fixture
def silent() -> Iterator[Sink]:
    with sink("mute") as found:
        yield found


@pytest.fixture
def good() -> Iterator[Sink]:
    with sink() as found:
        yield found


def turn(hook: Webhook) -> object:
    lease = wiring.leases().take("webhooks", hook.pk, holder="test", lease_seconds=10)
    assert lease is not None
    outcome = Courier(wiring.leases()).reconcile(hook.pk, Budget(2, wiring.clock()), lease)
    wiring.leases().settle(lease, outcome)
    return outcome


def channel_with_events(url: str, events: int = 2) -> Webhook:
    create_webhook(ADMIN, HookSpec("pager", url, ("upgrade.*",)))
    for number in range(events):
        publish("upgrade:u1", "line", f"u1/{number}", full={"kind": "caught-up", "text": str(number)})
    return Webhook.objects.get()


@pytest.mark.django_db
def test_a_worker_whose_lease_was_taken_over_sends_nothing(good: Sink) -> None:
    hook, leases = channel_with_events(good.url), wiring.leases()
    old = leases.take("webhooks", hook.pk, holder="old", lease_seconds=10)
    assert old is not None
    courier = Courier(leases)
    courier._collect(hook, old)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE switchyard_work SET leased_until = clock_timestamp() - interval '1 second'")
    assert leases.take("webhooks", hook.pk, holder="new", lease_seconds=10) is not None
    with pytest.raises(Stale):
        courier._deliver(hook, Budget(2, wiring.clock()), old)
    assert (good.begun, ReceiverClaim.objects.count()) == ([], 0)


@pytest.mark.django_db
def test_a_receiver_with_enough_attempts_under_way_gets_no_further_one(good: Sink) -> None:
    hook = channel_with_events(good.url)
    with ExitStack() as stack:
        claims = [stack.enter_context(claim_receiver(receiver_of(good.url), 20)) for _ in range(AT_ONCE)]
        assert all(claims)
        assert isinstance(turn(hook), Again)
        assert good.begun == []
        # The claims of a worker that died end by themselves.
        ReceiverClaim.objects.update(until="2020-01-01T00:00:00Z")
        Work.objects.update(due_at=None)
        assert isinstance(turn(hook), Done)
    assert (len(good.begun), ReceiverClaim.objects.count()) == (2, 0)


@pytest.mark.django_db
def test_a_silent_receiver_rests_longer_each_time_and_its_messages_wait_in_order(silent: Sink) -> None:
    hook = channel_with_events(silent.url)
    assert isinstance(turn(hook), Done)
    rows = WebhookDelivery.objects.order_by("id")
    assert ([row.attempts for row in rows], len(silent.begun)) == ([1, 0], 1)
    assert (Courier(wiring.leases()).due(), Webhook.objects.get().strikes) == ([], 1)
    Webhook.objects.update(rest_until=None)
    assert Courier(wiring.leases()).due() == [hook.pk]
    turn(hook)
    again = Webhook.objects.get()
    assert (again.strikes, [row.attempts for row in rows.all()]) == (2, [1, 1])

"""Webhooks: signed, told once per event, tried again, sent again when asked, and kept from strangers."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

import pytest
from django.utils import timezone

from migrations_app import wiring
from migrations_app.control.events.outbox import publish
from migrations_app.control.notifications.commands.write_webhook import (
    HookSpec,
    create_webhook,
    replay_delivery,
    rotate_webhook,
    send_test_message,
)
from migrations_app.control.notifications.controller import WAITS_SECONDS, Courier
from migrations_app.control.notifications.queries.hooks import hooks
from migrations_app.control.notifications.repository.hooks import delivery_as_json
from migrations_app.domain.access import actor_with
from migrations_app.engine.controller import Again, Budget, Outcome
from migrations_app.kernel.errors import Invalid
from migrations_app.models.hooks import Webhook, WebhookDelivery
from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import client_of
from tests.factories.receiver import Receiver, receiver

pytestmark = pytest.mark.django_db
ADMIN = actor_with("root", "admin")


@pytest.fixture
def inbox() -> Iterator[Receiver]:
    """A subscriber."""
    with receiver() as found:
        yield found


def spec(inbox: Receiver, *events: str, region: str = "*") -> HookSpec:
    return HookSpec("pager", inbox.url, events or ("upgrade.*",), region=region)


def run() -> Outcome:
    """Let the courier work on its one key, as a worker would, whether or not it is due."""
    key = str(Webhook.objects.values_list("pk", flat=True).get())
    lease = wiring.leases().take("webhooks", key, holder="test", lease_seconds=30)
    assert lease is not None
    outcome = Courier(wiring.leases()).reconcile(key, Budget(10, wiring.clock()), lease)
    wiring.leases().settle(lease, Again(0.0))
    return outcome


def line(kind: str) -> None:
    publish("upgrade:u1", "line", "u1/1", full={"kind": kind, "text": "All 16 shards are caught up."})


def test_an_event_is_told_once_and_signed(inbox: Receiver) -> None:
    line("before")
    secret = str(create_webhook(ADMIN, spec(inbox))["secret"])
    line("caught-up")
    publish("fleet", "cell", "services/x", patch={"state": "READY"})
    run()
    run()

    ((headers, body),) = inbox.received
    assert inbox.bodies()[0]["event"] == "upgrade.caught-up"
    assert inbox.bodies()[0]["link"] == "/upgrades/u1"
    assert headers["Switchyard-Event"] == "upgrade.caught-up"
    at, mark = (part.split("=")[1] for part in headers["Switchyard-Signature"].split(","))
    assert mark == hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    row = WebhookDelivery.objects.get()
    assert (row.state, row.status, row.attempts) == ("delivered", 204, 1)
    assert headers["Switchyard-Delivery"] == str(row.pk)


def test_what_does_not_arrive_is_tried_again_and_given_up_at_last(inbox: Receiver) -> None:
    create_webhook(ADMIN, spec(inbox))
    inbox.answers[:] = [500] * (len(WAITS_SECONDS) + 1)
    line("caught-up")
    for attempt, wait in enumerate(WAITS_SECONDS, 1):
        run()
        row = WebhookDelivery.objects.get()
        assert (row.state, row.attempts, row.error) == ("pending", attempt, "The receiver answered 5xx.")
        answered = [{"key": "The receiver answered {status}.", "values": {"status": "5xx"}}]
        assert delivery_as_json(row)["error_phrases"] == answered
        assert wait - 5 < (row.next_at - timezone.now()).total_seconds() <= wait
        WebhookDelivery.objects.update(next_at=timezone.now())
    run()
    assert WebhookDelivery.objects.get().state == "failed"
    assert len(inbox.received) == len(WAITS_SECONDS) + 1

    replay_delivery(ADMIN, Webhook.objects.get().pk, WebhookDelivery.objects.get().pk)
    run()
    assert WebhookDelivery.objects.get().state == "delivered"
    numbers = {headers["Switchyard-Delivery"] for headers, _ in inbox.received}
    assert numbers == {str(WebhookDelivery.objects.get().pk)}


def test_an_address_without_a_listener_is_a_failure_with_words(inbox: Receiver) -> None:
    create_webhook(ADMIN, HookSpec("pager", "http://127.0.0.1:9/in", ("upgrade.*",)))
    line("caught-up")
    run()
    row = WebhookDelivery.objects.get()
    assert (row.state, row.status) == ("pending", None)
    assert (row.error, row.took_ms) == ("The receiver did not answer.", None)
    assert Webhook.objects.get().rest_until is not None
    (shown,) = hooks(ADMIN)
    assert isinstance(shown, dict)
    assert (shown["waiting"], shown["retrying"], shown["failed"]) == (1, 1, 0)


def test_only_what_was_asked_for_within_its_scope_is_told(inbox: Receiver) -> None:
    create_webhook(ADMIN, spec(inbox, "health.changed", "approval.*", region="eu-*"))
    line("caught-up")
    publish("health", "component", "broker", full={"name": "broker", "status": "down"})
    run()
    # A component is of no region, so a subscription to one region only does not include it.
    assert inbox.received == []
    Webhook.objects.update(region="*")
    publish("health", "component", "broker", full={"name": "broker", "status": "ok"})
    run()
    assert [each["data"]["status"] for each in inbox.bodies()] == ["ok"]


def test_after_a_rotation_messages_carry_both_signatures_for_a_day(inbox: Receiver) -> None:
    old = str(create_webhook(ADMIN, spec(inbox))["secret"])
    new = str(rotate_webhook(ADMIN, Webhook.objects.get().pk)["secret"])
    send_test_message(ADMIN, Webhook.objects.get().pk)
    run()
    ((headers, body),) = inbox.received
    at, *marks = (part.split("=")[1] for part in headers["Switchyard-Signature"].split(","))
    signed = f"{at}.".encode() + body
    assert marks == [hmac.new(key.encode(), signed, hashlib.sha256).hexdigest() for key in (new, old)]


@pytest.mark.parametrize("url", ["ftp://h/x", "https://", "https://me:pw@h/x", "http://169.254.169.254/x"])
def test_an_address_that_cannot_be_one_is_refused_and_nothing_is_kept(url: str) -> None:
    with pytest.raises(Invalid) as refused:
        create_webhook(ADMIN, HookSpec("pager", url, ("upgrade.*",)))
    assert refused.value.code == "webhook-url"
    assert [each.path for each in refused.value.violations] == ["url"]
    assert not Webhook.objects.exists()


def test_the_secret_is_shown_once_and_the_ledger_knows_who_made_it(inbox: Receiver) -> None:
    root = client_of("rosa", "admin")
    asked = {"name": "pager", "url": inbox.url, "events": ["upgrade.*"]}
    made = root.post("/api/v1/hooks", asked, format="json").json()
    assert made["secret"].startswith("whsec_")
    shown = root.get("/api/v1/hooks").json()["items"][0]
    assert "secret" not in shown
    assert (shown["waiting"], shown["failed"]) == (0, 0)
    entry = LedgerEntry.objects.get(action="webhook.create")
    assert (entry.actor, "secret" in entry.after) == ("rosa", False)
    twice = root.post("/api/v1/hooks", asked, format="json")
    assert (twice.status_code, twice.json()["code"]) == (409, "webhook-exists")
    stale = root.put(f"/api/v1/hooks/{made['id']}", asked, format="json", HTTP_IF_MATCH='"7"')
    assert (stale.status_code, stale.json()["current"]["rev"]) == (412, 1)
    assert client_of("olga", "operator").get("/api/v1/hooks").status_code == 403


def test_a_message_is_previewed_by_the_newest_event_of_its_kind() -> None:
    auditor = client_of("ada", "auditor")
    ask = {"format": "slack", "events": ["upgrade.*"]}
    before = auditor.post("/api/v1/hooks/preview", ask, format="json").json()
    assert (before["event"], before["example"]) == ("upgrade.caught-up", True)
    line("started")
    found = auditor.post("/api/v1/hooks/preview", ask, format="json").json()
    assert (found["event"], found["example"]) == ("upgrade.started", False)
    assert found["message"]["text"] == "upgrade.started: All 16 shards are caught up."
    mail = auditor.post("/api/v1/hooks/preview", ask | {"format": "email"}, format="json").json()["message"]
    assert mail["subject"].endswith("upgrade.started")
    assert client_of("vera", "viewer").post("/api/v1/hooks/preview", ask, format="json").status_code == 403

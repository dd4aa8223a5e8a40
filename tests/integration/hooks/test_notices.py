"""Rules of one person: mailed of what they may see, gathered, and left alone in their quiet hours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.events.outbox import publish
from migrations_app.models.hooks import NoticeHours, Webhook, WebhookDelivery
from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import client_of
from tests.factories.mailbox import Mailbox, mailbox
from tests.integration.hooks.test_webhooks import run

pytestmark = pytest.mark.django_db
NOTICES = "/api/v1/notices"


@pytest.fixture
def post(settings: LazySettings) -> Iterator[Mailbox]:
    cache.clear()
    with mailbox() as found:
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", found.port, False
        settings.SWITCHYARD = replace(
            settings.SWITCHYARD, public_url="https://switchyard.example.com", environment="staging"
        )
        yield found


def happens(number: int, kind: str = "caught-up") -> None:
    publish(f"upgrade:u{number}", "line", f"u{number}/1", full={"kind": kind, "text": f"It is {kind}."})


def add(client: APIClient, **more: object) -> dict[str, object]:
    made = client.post(NOTICES, {"events": ["upgrade.*"], **more}, format="json")
    assert made.status_code == 201, made.json()
    return dict(made.json())


def test_one_is_mailed_at_once_of_what_one_asked_for(post: Mailbox) -> None:
    vera = client_of("vera", "viewer")
    add(vera, events=["upgrade.caught-up"])
    happens(1)
    happens(1, "started")
    run()
    ((recipients, mail),) = post.mails
    assert recipients == ["vera@example.com"]
    assert mail["Subject"] == "[Switchyard staging] upgrade.caught-up"
    (sent,) = vera.get(NOTICES).json()["sent"]
    assert (sent["event"], sent["state"], sent["attempts"]) == ("upgrade.caught-up", "delivered", 1)


def test_a_digest_gathers_what_happened_into_one_mail(post: Mailbox) -> None:
    vera = client_of("vera", "viewer")
    add(vera, pace="hourly")
    for number in (1, 2, 3):
        happens(number)
    before = timezone.now()
    run()
    assert post.mails == []
    due = {row.next_at for row in WebhookDelivery.objects.all()}
    assert due == {before.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)}
    WebhookDelivery.objects.update(next_at=before)
    run()
    ((_, mail),) = post.mails
    assert (mail["Subject"], mail["Switchyard-Event"]) == ("[Switchyard staging] 3 events", "digest")
    text = mail.get_content().replace("\r\n", "\n")
    assert text.count("upgrade.caught-up: It is caught-up.") == 3
    assert "https://switchyard.example.com/upgrades/u2" in text
    assert {row.state for row in WebhookDelivery.objects.all()} == {"delivered"}


def test_quiet_hours_hold_mails_back_until_they_end(post: Mailbox) -> None:
    vera = client_of("vera", "viewer")
    add(vera)
    now = datetime.now(UTC)
    begin, end = f"{now - timedelta(hours=1):%H:%M}", f"{now + timedelta(hours=2):%H:%M}"
    wish = {"zone": "UTC", "quiet_from": begin, "quiet_to": end}
    assert vera.put(f"{NOTICES}/hours", wish, format="json").status_code == 428
    kept = vera.put(f"{NOTICES}/hours", wish, format="json", HTTP_IF_MATCH='"0"')
    assert kept.json() == {"rev": 1, "zone": "UTC", "quiet_from": begin, "quiet_to": end, "daily_at": "08:00"}
    assert vera.put(f"{NOTICES}/hours", wish, format="json", HTTP_IF_MATCH='"0"').status_code == 412
    happens(1)
    run()
    assert post.mails == []
    assert f"{WebhookDelivery.objects.get().next_at:%H:%M:%S}" == f"{end}:00"
    wrong = vera.put(f"{NOTICES}/hours", {"zone": "Mars/Base"}, format="json", HTTP_IF_MATCH='"1"')
    assert (wrong.status_code, wrong.json()["code"]) == (400, "zone")
    assert NoticeHours.objects.get().zone == "UTC"


def test_no_account_is_notified_of_what_it_may_not_see(post: Mailbox) -> None:
    nina = client_of("nina")
    add(nina, events=["upgrade.*", "audit.entry"])
    happens(1)
    run()
    assert (post.mails, WebhookDelivery.objects.count()) == ([], 0)


def test_rules_belong_to_their_person_and_stand_in_the_ledger(post: Mailbox) -> None:
    vera, root = client_of("vera", "viewer"), client_of("root", "admin")
    rule = add(vera)
    path = f"{NOTICES}/{rule['id']}"
    wish = {"events": ["health.changed"], "pace": "daily"}
    assert root.put(path, wish, format="json", HTTP_IF_MATCH='"1"').status_code == 404
    assert root.get("/api/v1/hooks").json()["items"] == []
    hook = f"/api/v1/hooks/{rule['id']}"
    assert root.delete(hook, HTTP_IF_MATCH='"1"').status_code == 404
    assert root.post(f"{hook}/rotate").status_code == 404
    assert root.get(f"{hook}/deliveries").status_code == 404
    changed = vera.put(path, wish, format="json", HTTP_IF_MATCH='"1"')
    assert (changed.json()["pace"], changed.json()["events"]) == ("daily", ["health.changed"])
    assert vera.put(path, wish, format="json", HTTP_IF_MATCH='"1"').status_code == 412
    assert vera.delete(path, HTTP_IF_MATCH='"2"').status_code == 204
    noted = LedgerEntry.objects.filter(actor="vera", action__startswith="notice.").order_by("id")
    assert [row.action for row in noted] == ["notice.create", "notice.change", "notice.delete"]


def test_rules_without_recipients_are_refused(post: Mailbox, settings: LazySettings) -> None:
    vera = client_of("vera", "viewer")
    unknown = vera.post(NOTICES, {"events": ["weather.changed"]}, format="json")
    assert unknown.json()["code"] == "webhook-events"
    settings.EMAIL_HOST = ""
    assert vera.post(NOTICES, {"events": ["upgrade.*"]}, format="json").json()["code"] == "webhook-mail"
    assert vera.get(NOTICES).json()["sends_mail"] is False
    assert Webhook.objects.count() == 0

"""Slack, Teams and mail: what each receiver gets, over real HTTP and SMTP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.conf import LazySettings

from migrations_app.control.approvals.commands.answer_changes import answer_changes
from migrations_app.control.events.outbox import publish
from migrations_app.control.notifications.commands.write_webhook import (
    HookSpec,
    create_webhook,
    send_test_message,
)
from migrations_app.kernel.errors import Invalid
from migrations_app.models.hooks import Webhook, WebhookDelivery
from tests.factories.access import client_of
from tests.factories.mailbox import Mailbox, mailbox
from tests.factories.receiver import Receiver, receiver
from tests.integration.hooks.test_webhooks import ADMIN, run
from tests.integration.upgrades.conftest import BOB, OLGA, fleet
from tests.integration.upgrades.test_approvals import asked
from tests.integration.upgrades.test_asking_back import changes

__all__ = ["fleet"]
pytestmark = pytest.mark.django_db
HERE = "https://switchyard.example.com"


@pytest.fixture
def inbox() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


@pytest.fixture
def post() -> Iterator[Mailbox]:
    with mailbox() as found:
        yield found


@pytest.fixture(autouse=True)
def _reached_at(settings: LazySettings) -> None:
    settings.SWITCHYARD = replace(settings.SWITCHYARD, public_url=f"{HERE}/", environment="staging")


@pytest.fixture
def _mails(settings: LazySettings, post: Mailbox) -> None:
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", post.port, False
    settings.DEFAULT_FROM_EMAIL = "switchyard@example.com"


def line() -> None:
    publish(
        "upgrade:u1",
        "line",
        "u1/1",
        full={"kind": "caught-up", "text": "All <16> shards & more are caught up."},
    )


def channel(form: str, url: str, *events: str) -> str:
    return str(create_webhook(ADMIN, HookSpec("team", url, events or ("upgrade.*",), format=form))["id"])


def test_slack_gets_a_message_with_a_button(inbox: Receiver) -> None:
    channel("slack", inbox.url)
    line()
    run()
    (body,) = inbox.bodies()
    text = "All &lt;16&gt; shards &amp; more are caught up."
    assert body == {
        "text": f"upgrade.caught-up: {text}",
        "blocks": [
            {"type": "section", "text": {"type": "mrkdwn", "text": f"*upgrade.caught-up*\n{text}"}},
            {
                "type": "actions",
                "elements": [
                    {
                        "type": "button",
                        "text": {"type": "plain_text", "text": "Open in Switchyard"},
                        "url": f"{HERE}/upgrades/u1",
                    }
                ],
            },
        ],
    }


def test_teams_gets_a_card_with_a_link(inbox: Receiver) -> None:
    channel("teams", inbox.url)
    line()
    run()
    ((attachment,),) = [body["attachments"] for body in inbox.bodies()]
    card = attachment["content"]
    assert attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    assert (card["type"], card["version"]) == ("AdaptiveCard", "1.4")
    assert [block["text"] for block in card["body"]] == [
        "upgrade.caught-up",
        "All <16> shards & more are caught up.",
    ]
    assert card["actions"] == [
        {"type": "Action.OpenUrl", "title": "Open in Switchyard", "url": f"{HERE}/upgrades/u1"}
    ]


@pytest.mark.usefixtures("_mails")
def test_a_mail_reaches_everybody_named_and_is_tried_again_while_it_is_refused(post: Mailbox) -> None:
    channel("email", "mailto:ann@example.com, bob@example.com")
    line()
    post.refuses = True
    run()
    row = WebhookDelivery.objects.get()
    assert (row.state, row.attempts) == ("pending", 1)
    assert row.error == "The mail server did not take it."
    post.refuses = False
    WebhookDelivery.objects.update(next_at=row.created_at)
    Webhook.objects.update(rest_until=None)
    run()
    ((recipients, mail),) = post.mails
    assert recipients == ["ann@example.com", "bob@example.com"]
    assert mail["Subject"] == "[Switchyard staging] upgrade.caught-up"
    assert (mail["From"], mail["Switchyard-Delivery"]) == ("switchyard@example.com", str(row.pk))
    assert mail.get_content().replace("\r\n", "\n").split("\n\n") == [
        "All <16> shards & more are caught up.",
        f"{HERE}/upgrades/u1\n",
    ]
    assert WebhookDelivery.objects.get().state == "delivered"


@pytest.mark.usefixtures("fleet")
def test_an_approval_is_told_in_words(inbox: Receiver) -> None:
    channel("signed", inbox.url, "approval.changed")
    request = asked()
    changes(BOB, request.id)
    answer_changes(OLGA, request.id, "It is CHG-1.")
    run()
    said = [(body["text"], body["link"]) for body in inbox.bodies()]
    link = f"/approvals/{request.id}"
    assert said == [
        ("olga asks for 2 approvals.", link),
        ("Changes are asked for.", link),
        ("1 vote is void. olga answered: It is CHG-1. olga asks for 2 approvals.", link),
    ]
    assert inbox.bodies()[0]["title"] == "Approval to switch secrets @ eu-1: v1alpha2 and v1"


@pytest.mark.usefixtures("_mails")
def test_channels_that_cannot_work_are_refused(settings: LazySettings, inbox: Receiver) -> None:
    for form, url in (
        ("email", "ann@example.com"),
        ("email", "mailto:"),
        ("email", "mailto:ann"),
        ("slack", "mailto:ann@example.com"),
    ):
        with pytest.raises(Invalid) as wrong:
            channel(form, url)
        assert wrong.value.code == "webhook-url", url
    settings.EMAIL_HOST = ""
    with pytest.raises(Invalid) as unset:
        channel("email", "mailto:ann@example.com")
    assert unset.value.code == "webhook-mail"
    assert Webhook.objects.count() == 0
    root = client_of("root", "admin")
    made = {"name": "x", "url": inbox.url, "events": ["upgrade.*"]}
    wrong_format = root.post("/api/v1/hooks", {**made, "format": "pigeon"}, format="json")
    assert wrong_format.status_code == 400
    assert root.post("/api/v1/hooks", made, format="json").json()["format"] == "signed"


def test_a_test_message_says_where_it_comes_from(inbox: Receiver) -> None:
    send_test_message(ADMIN, channel("slack", inbox.url))
    run()
    assert inbox.bodies()[0]["text"] == "A test: Switchyard reaches team."

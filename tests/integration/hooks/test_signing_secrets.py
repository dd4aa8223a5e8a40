"""What messages are signed with is stored encrypted: no column holds it, and nothing is signed with less than it."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from migrations_app.control.notifications.commands.write_webhook import create_webhook, rotate_webhook
from migrations_app.control.notifications.signing_secrets import secrets_of, unseal_secret
from migrations_app.kernel.errors import Halted
from migrations_app.models.hooks import Webhook, WebhookDelivery
from tests.factories.receiver import Receiver
from tests.integration.hooks.test_webhooks import ADMIN, inbox, line, run, spec

__all__ = ["inbox"]


def whole_row() -> str:
    """Read everything that the database holds of the only channel."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_jsonb(w)::text FROM switchyard_webhook w")
        (found,) = cursor.fetchall()
    return str(found[0])


def marks(receiver: Receiver) -> list[list[str]]:
    """Give the marks of every message that came."""
    signed = [headers["Switchyard-Signature"].split(",")[1:] for headers, _ in receiver.received]
    return [[mark.removeprefix("v1=") for mark in each] for each in signed]


def expected(receiver: Receiver, number: int, *secrets: str) -> list[str]:
    """Sign a message that came, as its receiver does."""
    headers, body = receiver.received[number]
    at = headers["Switchyard-Signature"].split(",")[0].removeprefix("t=")
    return [
        hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest() for secret in secrets
    ]


@pytest.mark.django_db
def test_no_column_holds_a_secret_before_and_after_a_rotation(inbox: Receiver) -> None:
    made = create_webhook(ADMIN, spec(inbox))
    first = str(made["secret"])
    line("caught-up")
    run()
    second = str(rotate_webhook(ADMIN, str(made["id"]))["secret"])
    line("started")
    run()
    assert marks(inbox) == [expected(inbox, 0, first), expected(inbox, 1, second, first)]
    row = whole_row()
    assert [secret for secret in (first, second) if secret.removeprefix("whsec_") in row] == []


@pytest.mark.django_db
def test_a_secret_of_another_channel_or_column_is_not_read(inbox: Receiver) -> None:
    create_webhook(ADMIN, spec(inbox))
    hook, now = Webhook.objects.get(), timezone.now()
    for other in (
        Webhook(id="w-other", sealed_secret=hook.sealed_secret),
        Webhook(id=hook.id, sealed_secret=hook.sealed_url),
        Webhook(id=hook.id, sealed_secret=""),
        Webhook(id=hook.id, sealed_secret=hook.sealed_secret, former_until=now + timedelta(hours=1)),
    ):
        with pytest.raises(Halted) as refused:
            secrets_of(other, now)
        assert refused.value.code == "channel-secret"


@pytest.mark.django_db
def test_under_another_key_nothing_is_sent_until_the_secret_is_rotated(
    inbox: Receiver, settings: LazySettings
) -> None:
    made = create_webhook(ADMIN, spec(inbox))
    hook = Webhook.objects.get()
    url = hook.sealed_url
    settings.SECRET_KEY = "another-key-" + "x" * 40
    rotated = str(rotate_webhook(ADMIN, str(made["id"]))["secret"])
    hook = Webhook.objects.get()
    assert (secrets_of(hook, timezone.now()), hook.former_until) == ([rotated], None)
    settings.SECRET_KEY = settings.SECRET_KEY + "y"
    line("caught-up")
    run()
    row = WebhookDelivery.objects.get()
    assert (row.state, inbox.received, Webhook.objects.get().sealed_url) == ("pending", [], url)


@pytest.mark.django_db(transaction=True)
def test_the_migration_encrypts_secrets_and_gives_them_back() -> None:
    before = [("switchyard", "0052_account_names_in_any_case")]
    after = [("switchyard", "0053_sealed_signing_secrets")]
    latest = [
        key for key in MigrationExecutor(connection).loader.graph.leaf_nodes() if key[0] == "switchyard"
    ]
    try:
        executor = MigrationExecutor(connection)
        executor.migrate(before)
        old = executor.loader.project_state(before).apps.get_model("switchyard", "Webhook").objects
        old.create(id="w1", name="team", secret="whsec_new", former_secret="whsec_old", created_by="root")
        executor = MigrationExecutor(connection)
        executor.migrate(after)
        new = executor.loader.project_state(after).apps.get_model("switchyard", "Webhook").objects.get()
        assert "whsec_" not in whole_row()
        sealed = (new.sealed_secret, new.sealed_former_secret)
        assert [unseal_secret("w1", text) for text in sealed] == ["whsec_new", "whsec_old"]
        executor = MigrationExecutor(connection)
        executor.migrate(before)
        assert (old.get().secret, old.get().former_secret) == ("whsec_new", "whsec_old")
    finally:
        MigrationExecutor(connection).migrate(latest)

"""Addresses of channels are credentials: no answer, entry, event, export or column holds a whole one."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from rest_framework.test import APIClient

from migrations_app.control.audit.commands.export_audit import export_audit
from migrations_app.control.events import outbox
from migrations_app.control.notifications.addresses import address_of, put_address, unseal
from migrations_app.domain.access import actor_with
from migrations_app.domain.notices import shown_address
from migrations_app.kernel.errors import Halted
from migrations_app.models.hooks import Webhook, WebhookDelivery
from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import client_of
from tests.factories.sink import sink
from tests.integration.hooks.test_webhooks import line, run

TOKEN = "T00000000/B00000000/XXXXsecretXXXX4f2a"
ROOT = "http://127.0.0.1:9"
FORMATS = ("signed", "slack", "teams")


def body(url: str = f"{ROOT}/{TOKEN}", form: str = "slack") -> dict[str, object]:
    return {"name": "team", "format": form, "url": url, "events": ["upgrade.*"]}


def make(root: APIClient, form: str = "slack") -> str:
    made = root.post("/api/v1/hooks", body(form=form), format="json")
    assert (made.status_code, "url" in made.json()) == (201, False)
    assert TOKEN not in made.content.decode()
    return f"/api/v1/hooks/{made.json()['id']}"


@pytest.mark.django_db
@pytest.mark.parametrize("form", FORMATS)
def test_nothing_that_is_read_or_stored_holds_a_whole_address(form: str) -> None:
    root, path = client_of("root", "admin"), ""
    siem = root.post(
        "/api/v1/hooks", body(f"{ROOT}/siem") | {"name": "siem", "events": ["audit.entry"]}, format="json"
    )
    assert siem.status_code == 201
    path = make(root, form)
    changed = body(f"{ROOT}/other/{TOKEN}", form)
    answers = [
        root.put(path, changed, format="json", HTTP_IF_MATCH='"9"'),
        root.put(path, changed, format="json", HTTP_IF_MATCH='"1"'),
        root.get(path),
        root.get("/api/v1/hooks"),
        root.post(f"{path}/test"),
        root.get(f"{path}/deliveries"),
        root.delete(path, HTTP_IF_MATCH='"2"'),
        root.get("/api/v1/audit?limit=100"),
    ]
    assert [each.status_code for each in answers] == [412, 200, 200, 200, 202, 200, 204, 200]
    assert answers[2].json()["address"] == f"{ROOT}/…4f2a"
    head = outbox.number()
    events = [str(event.full) for event in outbox.read(0, head.seq)]
    rows = [str(each) for each in LedgerEntry.objects.values()]
    exported = [str(part) for part in export_audit(actor_with("root", "admin"), {}, "json")]
    texts = [*(each.content.decode() for each in answers), *events, *rows, *exported]
    assert any("…4f2a" in text for text in events)
    assert [text for text in texts if "secretXXXX" in text] == []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM switchyard_webhook w WHERE w::text LIKE '%%siem%%' AND w::text LIKE '%%9/siem%%'"
        )
        assert cursor.fetchone() == (0,)


@pytest.mark.django_db
def test_a_change_without_an_address_keeps_it_and_says_when_there_is_a_new_one() -> None:
    root = client_of("root", "admin")
    path = make(root)
    kept = {name: value for name, value in body().items() if name != "url"} | {"events": ["health.changed"]}
    assert root.put(path, kept, format="json", HTTP_IF_MATCH='"1"').status_code == 200
    assert root.put(path, kept | {"url": ""}, format="json", HTTP_IF_MATCH='"2"').status_code == 200
    assert address_of(Webhook.objects.get()) == f"{ROOT}/{TOKEN}"
    other = root.put(path, kept | {"format": "teams"}, format="json", HTTP_IF_MATCH='"2"')
    assert (other.status_code, other.json()["code"]) == (400, "webhook-url")
    assert root.put(path, body(f"{ROOT}/new/{TOKEN}"), format="json", HTTP_IF_MATCH='"2"').status_code == 200
    said = [
        row.after["new_address"] for row in LedgerEntry.objects.filter(action="webhook.change").order_by("id")
    ]
    assert said == [False, True]
    assert root.post("/api/v1/hooks", kept | {"name": "none"}, format="json").status_code == 400
    assert root.post("/api/v1/hooks", kept | {"name": "none", "url": ""}, format="json").status_code == 400
    assert Webhook.objects.count() == 1


@pytest.mark.django_db
def test_what_was_encrypted_under_another_key_or_for_another_channel_is_not_read(
    settings: LazySettings,
) -> None:
    with sink() as server:
        make(client_of("root", "admin"))
        hook = Webhook.objects.get()
        put_address(hook, server.url)
        hook.save()
        with pytest.raises(Halted):
            unseal("w-other", hook.sealed_url)
        settings.SECRET_KEY = "another-key-" + "x" * 40
        line("caught-up")
        run()
        row = WebhookDelivery.objects.get()
        assert (row.state, row.status, server.begun) == ("pending", None, [])
        assert row.error.startswith("The address of this channel cannot be read")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"https://hooks.slack.com/services/{TOKEN}", "https://hooks.slack.com/…4f2a"),
        ("https://h.example:8443/in", "https://h.example:8443/…"),
        ("https://h.example", "https://h.example"),
        ("https://h.example/", "https://h.example/"),
        ("https://h.example?token=0123456789abcdef", "https://h.example/…cdef"),
        ("https://h.example/hook?sig=0123456789abcdef", "https://h.example/…cdef"),
        ("mailto:ann@example.com", "mailto:ann@example.com"),
        ("", "://"),
    ],
)
def test_only_host_and_last_four_characters_are_shown(url: str, shown: str) -> None:
    assert shown_address(url) == ("" if not url else shown)


@pytest.mark.django_db
def test_an_entry_of_a_former_version_is_shown_short() -> None:
    root = client_of("root", "admin")
    LedgerEntry.objects.create(
        at="2026-01-01T00:00:00Z", actor_kind="user", actor="old", action="webhook.create", target_kind="webhook",
        target="team", outcome="done", after={"name": "team", "url": f"{ROOT}/{TOKEN}"},
    )  # fmt: skip
    found = root.get("/api/v1/audit?actor=old").json()["items"]
    assert found[0]["after"] == {"name": "team", "url": f"{ROOT}/…4f2a"}


@pytest.mark.django_db(transaction=True)
def test_the_migration_encrypts_addresses_and_takes_them_out_of_waiting_messages() -> None:
    before, after = [("switchyard", "0048_ledger_owner")], [("switchyard", "0049_sealed_addresses")]
    latest = [
        key for key in MigrationExecutor(connection).loader.graph.leaf_nodes() if key[0] == "switchyard"
    ]
    try:
        executor = MigrationExecutor(connection)
        executor.migrate(before)
        old = executor.loader.project_state(before).apps.get_model("switchyard", "Webhook")
        old.objects.create(id="w1", name="team", url=f"{ROOT}/{TOKEN}", secret="s", created_by="root")
        told = {
            "data": {
                "target_kind": "webhook",
                "before": None,
                "after": {"name": "team", "url": f"{ROOT}/{TOKEN}"},
            }
        }
        deliveries = executor.loader.project_state(before).apps.get_model("switchyard", "WebhookDelivery")
        deliveries.objects.create(
            webhook_id="w1", seq=1, event="audit.entry", body=told, next_at="2026-01-01T00:00:00Z"
        )
        executor = MigrationExecutor(connection)
        executor.migrate(after)
        new = executor.loader.project_state(after).apps.get_model("switchyard", "Webhook").objects.get()
        assert (new.address, unseal("w1", new.sealed_url)) == (f"{ROOT}/…4f2a", f"{ROOT}/{TOKEN}")
        assert deliveries.objects.get().body["data"]["after"] == {"name": "team"}
        executor = MigrationExecutor(connection)
        executor.migrate(before)
        assert old.objects.get().url == f"{ROOT}/{TOKEN}"
    finally:
        MigrationExecutor(connection).migrate(latest)

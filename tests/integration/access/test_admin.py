"""The table pages are for looking only."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.test import Client

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.access.commands.create_account import NewAccount, create_account
from migrations_app.models.access import Account
from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import FOUNDER, make_account, token_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def looking() -> Client:
    create_account(FOUNDER, NewAccount("root", staff=True))
    bind_role(FOUNDER, NewBinding("account", "root", "admin"))
    token_of("root")
    client = Client()
    client.force_login(Account.objects.get(username="root"), "django.contrib.auth.backends.ModelBackend")
    return client


def test_every_table_can_be_looked_at(looking: Client) -> None:
    for model in apps.get_app_config("switchyard").get_models():
        page = looking.get(f"/admin/switchyard/{model._meta.model_name}/")
        assert page.status_code == 200, model


def test_no_table_can_be_changed(looking: Client) -> None:
    account = Account.objects.get(username="root")
    page = looking.get(f"/admin/switchyard/account/{account.pk}/change/")
    assert (page.status_code, b"_save" in page.content, b"argon2" in page.content) == (200, False, False)
    for address in (f"{account.pk}/change/", f"{account.pk}/delete/", "add/"):
        assert looking.post(f"/admin/switchyard/account/{address}", {"username": "eve"}).status_code == 403
    assert Account.objects.get().username == "root"
    token = account.tokens.get()
    assert token.digest.encode() not in looking.get(f"/admin/switchyard/token/{token.pk}/change/").content


def test_no_page_of_an_entry_holds_a_whole_address_of_a_channel(looking: Client) -> None:
    whole = {"name": "team", "url": "https://hooks.example.com/services/T000/XXXXsecretXXXX4f2a"}
    entry = LedgerEntry.objects.create(
        at="2026-01-01T00:00:00Z", actor_kind="user", actor="old", action="webhook.change", target_kind="webhook",
        target="team", outcome="done", before=whole, after=whole,
    )  # fmt: skip
    pages = [f"{entry.pk}/change/", f"{entry.pk}/history/", ""]
    answers = [looking.get(f"/admin/switchyard/ledgerentry/{page}") for page in pages]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert [
        page for page, answer in zip(pages, answers, strict=True) if b"secretXXXX" in answer.content
    ] == []
    assert answers[0].content.decode().count("https://hooks.example.com/…4f2a") == 2
    entry.refresh_from_db()
    assert entry.after == whole


def test_there_is_no_second_way_to_sign_in_or_change_a_password(looking: Client) -> None:
    make_account("ann", "admin")
    for address in ("/admin/", "/admin/login/"):
        assert Client().get(address, follow=True).redirect_chain[-1] == ("/", 302)
    assert looking.get("/admin/password_change/").headers["Location"] == "/"
    stranger = Client()
    stranger.force_login(Account.objects.get(username="ann"), "django.contrib.auth.backends.ModelBackend")
    assert stranger.get("/admin/switchyard/account/").status_code == 302

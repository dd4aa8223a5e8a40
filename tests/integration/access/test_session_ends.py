"""When sessions, the roles of groups and the right to look at the tables end by themselves."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.access.commands.create_account import NewAccount, create_account
from migrations_app.control.access.commands.remember_groups import remember_groups
from migrations_app.control.access.queries.access import actor_named
from migrations_app.control.access.session_store import BEGAN
from migrations_app.control.access.sign_in.activity import BACKGROUND
from migrations_app.domain.access import require
from migrations_app.kernel.errors import Denied
from migrations_app.live.who import actor_behind
from migrations_app.models.access import Account, RoleBinding
from migrations_app.resource_api.callers import _session
from tests.factories.access import FOUNDER, PASSWORD, make_account, token_of

pytestmark = pytest.mark.django_db
HOURS, IDLE = timedelta(hours=12), timedelta(minutes=30)
BACKEND = "django.contrib.auth.backends.ModelBackend"
SECOND = timedelta(seconds=5)


def signed_in(name: str = "ann", *roles: str) -> APIClient:
    make_account(name, *roles, password=PASSWORD)
    browser = APIClient()
    answer = browser.post("/api/v1/session", {"username": name, "password": PASSWORD}, format="json")
    assert answer.status_code == 200
    return browser


def pass_time(browser: APIClient, by: timedelta) -> None:
    """Let a session have begun, and its last request have been, so much earlier."""
    row = Session.objects.get(pk=browser.cookies["sessionid"].value)
    data = row.get_decoded()
    data[BEGAN] -= by.total_seconds()
    row.session_data = Session.objects.encode(data)
    row.expire_date -= by
    row.save()


def who(browser: APIClient) -> tuple[str | None, str, str]:
    """Tell whom REST, the live stream and the resource API take a browser for."""
    cookie = f"sessionid={browser.cookies['sessionid'].value}"
    account = browser.get("/api/v1/session", headers={BACKGROUND: "true"}).json()["account"]
    return account and account["name"], actor_behind({"cookie": cookie}, "").name, _session(cookie).name


IN, OUT = ("ann", "ann", "ann"), (None, "", "")


def test_an_idle_session_ends_after_half_an_hour() -> None:
    browser = signed_in("ann", "viewer")
    pass_time(browser, IDLE - SECOND)
    assert who(browser) == IN
    pass_time(browser, SECOND)
    assert who(browser) == OUT
    assert browser.get("/api/v1/overview").status_code == 401


def test_what_a_person_does_keeps_it_and_what_a_page_asks_by_itself_does_not() -> None:
    browser = signed_in("ann", "viewer")
    for _ in range(4):
        pass_time(browser, IDLE - SECOND)
        assert browser.get("/api/v1/overview").status_code == 200
    pass_time(browser, IDLE - SECOND)
    assert browser.get("/api/v1/overview", headers={BACKGROUND: "true"}).status_code == 200
    pass_time(browser, SECOND)
    assert browser.get("/api/v1/overview", headers={BACKGROUND: "true"}).status_code == 401


def test_a_session_ends_twelve_hours_after_signing_in_however_busy_it_is() -> None:
    browser, passed = signed_in("ann", "viewer"), timedelta()
    while passed + IDLE - SECOND < HOURS:
        pass_time(browser, IDLE - SECOND)
        passed += IDLE - SECOND
        assert browser.get("/api/v1/overview").status_code == 200
    pass_time(browser, HOURS - passed)
    assert who(browser) == OUT


def test_keeping_it_writes_nothing_but_its_end() -> None:
    browser = signed_in("ann", "viewer")
    pass_time(browser, timedelta(minutes=5))
    row = Session.objects.get(pk=browser.cookies["sessionid"].value)
    assert browser.get("/api/v1/overview").status_code == 200
    after = Session.objects.get(pk=row.pk)
    assert (after.session_data, after.expire_date > row.expire_date + timedelta(minutes=4)) == (
        row.session_data,
        True,
    )
    assert browser.get("/api/v1/overview").status_code == 200
    assert Session.objects.get(pk=row.pk).expire_date == after.expire_date


@pytest.mark.parametrize("left_out", [BEGAN])
def test_a_session_of_before_is_over(left_out: str) -> None:
    browser = signed_in("ann", "viewer")
    row = Session.objects.get(pk=browser.cookies["sessionid"].value)
    data = row.get_decoded()
    del data[left_out]
    row.session_data, row.expire_date = Session.objects.encode(data), timezone.now() + timedelta(days=14)
    row.save()
    assert who(browser) == OUT


def test_settings_say_how_long_and_cookies_last_no_longer(settings: LazySettings) -> None:
    settings.SWITCHYARD = replace(settings.SWITCHYARD, session_hours=2, session_idle_minutes=5)
    browser = signed_in("ann", "viewer")
    assert 7000 < int(browser.cookies["sessionid"]["max-age"]) <= 7200
    assert settings.CSRF_COOKIE_AGE == settings.SESSION_COOKIE_AGE == 12 * 3600
    assert int(browser.cookies["csrftoken"]["max-age"]) == 12 * 3600
    assert browser.get("/api/v1/session").json()["session_limits"] == {"hours": 2, "idle_minutes": 5}
    pass_time(browser, timedelta(minutes=5))
    assert who(browser) == OUT


def test_a_shorter_setting_counts_for_sessions_there_are(settings: LazySettings) -> None:
    browser = signed_in("ann", "viewer")
    for _ in range(3):
        pass_time(browser, timedelta(minutes=25))
        assert browser.get("/api/v1/overview").status_code == 200
    settings.SWITCHYARD = replace(settings.SWITCHYARD, session_hours=1)
    assert who(browser) == OUT


def grouped(*, hours: float) -> None:
    create_account(FOUNDER, NewAccount("olga"))
    bind_role(FOUNDER, NewBinding("group", "sre", "operator"))
    bind_role(FOUNDER, NewBinding("account", "olga", "viewer"))
    remember_groups("olga", ["sre"])
    Account.objects.update(groups_read_at=timezone.now() - timedelta(hours=hours))


def test_roles_of_groups_end_a_day_after_the_provider_named_them_also_for_tokens() -> None:
    grouped(hours=24)
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {token_of('olga')}")
    assert client.get("/api/v1/session").json()["account"]["roles"] == ["viewer"]
    with pytest.raises(Denied) as refused:
        require(actor_named("olga"), "upgrade.plan")
    assert refused.value.message == (
        "Your role operator does not count now: the identity provider named your groups more than 24 hours ago; "
        "sign in again."
    )
    # Signing in reads them again, also where they are the same.
    remember_groups("olga", ["sre"])
    assert set(client.get("/api/v1/session").json()["account"]["roles"]) == {"viewer", "operator"}


def test_roles_of_groups_count_up_to_the_age_that_is_set(settings: LazySettings) -> None:
    grouped(hours=23.9)
    assert "operator" in actor_named("olga").roles
    settings.SWITCHYARD = replace(settings.SWITCHYARD, groups_hours=8)
    assert actor_named("olga").roles == ("viewer",)


PAGES = (
    "/admin/",
    "/admin/switchyard/ledgerentry/",
    "/admin/switchyard/webhook/",
    "/admin/switchyard/account/",
    "/admin/switchyard/account/1/change/",
    "/admin/switchyard/",
    "/admin/jsi18n/",
)


def looking() -> tuple[Client, Account]:
    create_account(FOUNDER, NewAccount("root", staff=True))
    bind_role(FOUNDER, NewBinding("account", "root", "admin"))
    account, client = Account.objects.get(username="root"), Client()
    client.force_login(account, BACKEND)
    return client, account


def statuses(client: Client) -> set[int]:
    return {client.get(page).status_code for page in PAGES}


def change_binding(**to: Any) -> None:
    RoleBinding.objects.filter(subject="root").update(**to)


@pytest.mark.parametrize(
    "lost",
    [
        {"role": "auditor"},
        {"role": "viewer"},
        {"region": "eu-*"},
        {"service": "secrets.*"},
        {"environment": "elsewhere"},
        {"expires_at": timezone.now() - timedelta(days=1)},
        {"conditions": {"networks": ["10.0.0.0/8"]}},
    ],
    ids=lambda lost: "-".join(lost),
)
def test_staff_who_lost_the_role_read_no_table(lost: dict[str, Any]) -> None:
    client, account = looking()
    assert client.get("/admin/switchyard/ledgerentry/").status_code == 200
    change_binding(**lost)
    account.refresh_from_db()
    assert account.is_staff
    assert statuses(client) == {302}


def test_an_idle_session_reads_no_table() -> None:
    client, _ = looking()
    Session.objects.update(expire_date=timezone.now())
    assert statuses(client) == {302}

"""A code of an authenticator is taken once, whichever process of the installation is asked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from allauth.mfa.totp.internal import auth
from django.core.cache import cache
from django.db import connection

from migrations_app.control.access.commands.set_second_factor import check_second_factor, set_second_factor
from migrations_app.domain.access import actor_with
from migrations_app.kernel.errors import Denied
from migrations_app.models.access import Account
from tests.factories.access import make_account, proved

SECRET = auth.generate_totp_secret()


@pytest.fixture(autouse=True)
def _halted_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loaded machine takes longer than a code lasts."""
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: 1_800_000_000.0))


def codes() -> list[str]:
    """Codes of the former, the present and the next period."""
    return [
        auth.format_hotp_value(auth.hotp_value(SECRET, each)) for each in auth.yield_hotp_counters_from_time()
    ]


def is_taken(code: str) -> bool:
    """Show a code to a process that remembers nothing of its own."""
    cache.clear()
    try:
        check_second_factor(Account.objects.get(username="ann"), code)
    except Denied:
        return False
    finally:
        if not connection.in_atomic_block:
            connection.close()
    return True


@pytest.mark.django_db
def test_a_code_that_one_process_took_no_other_takes() -> None:
    make_account("ann", "viewer")
    auth.TOTP.activate(Account.objects.get(username="ann"), SECRET)
    former, present, following = codes()
    shown = [present, present, former, following, following, present]
    assert [is_taken(code) for code in shown] == [True, False, False, True, False, False]


@pytest.mark.django_db
def test_the_code_that_an_authenticator_was_set_up_with_does_not_sign_in() -> None:
    make_account("ann", "viewer")
    set_second_factor(proved(actor_with("ann")), SECRET, codes()[1])
    assert [is_taken(code) for code in codes()] == [False, False, True]


@pytest.mark.django_db(transaction=True)
def test_of_many_who_show_one_code_at_once_one_is_let_in() -> None:
    make_account("ann", "viewer")
    auth.TOTP.activate(Account.objects.get(username="ann"), SECRET)
    with ThreadPoolExecutor(6) as requests:
        taken = list(requests.map(is_taken, codes()[1:2] * 6))
    assert sorted(taken) == [*[False] * 5, True]

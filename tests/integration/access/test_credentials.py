"""Every way to change what an account signs in with: by whom, by token or session, with or without fresh proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.access.sign_in.proof import KEPT
from migrations_app.models.access import Account, Token
from migrations_app.models.ledger import LedgerEntry
from migrations_app.web.methods import SAFE
from tests.factories.access import PASSWORD, make_account, token_of
from tests.integration.access.test_access_matrix import ENTRANCES

pytestmark = pytest.mark.django_db
NEW = "four score and seven years"
SELF, OTHER = "root", "ann"


@dataclass(frozen=True)
class Way:
    """One way to change a credential, and how token, session and freshly proved session are answered."""

    route: str
    body: dict[str, Any]
    token: str
    session: str
    proved: str
    subject: str = SELF

    def __str__(self) -> str:
        return f"{self.route} of {self.subject} with {sorted(self.body)}"


ACCOUNT = "PATCH /api/v1/access/accounts/x"
PASSWORD_OF_OWN = "PUT /api/v1/session/password"
TOKENS = "POST /api/v1/tokens"
TOKEN_NO = "step-up-token"
WAYS = (
    Way(PASSWORD_OF_OWN, {"current": "wrong", "new": NEW}, "needs-session", "sign-in", "sign-in"),
    Way(PASSWORD_OF_OWN, {"current": PASSWORD, "new": NEW}, "needs-session", "", ""),
    Way(ACCOUNT, {"password": NEW}, *("own-account",) * 3),
    Way(ACCOUNT, {"password": NEW, "active": True}, *("own-account",) * 3),
    Way(ACCOUNT, {"password": NEW}, TOKEN_NO, "step-up", "", OTHER),
    Way(ACCOUNT, {"password": NEW, "lost_second_factor": True}, TOKEN_NO, "step-up", "", OTHER),
    Way(ACCOUNT, {"lost_second_factor": True}, *("own-account",) * 3),
    Way(ACCOUNT, {"lost_second_factor": True}, TOKEN_NO, "step-up", "", OTHER),
    Way("POST /api/v1/access/accounts", {"name": "eve", "password": NEW}, TOKEN_NO, "step-up", "", "eve"),
    Way("POST /api/v1/session/totp", {}, "needs-session", "step-up", ""),
    Way("PUT /api/v1/session/totp", {"code": "000000"}, "needs-session", "step-up", "totp-wrong"),
    Way("POST /api/v1/session/totp/drop", {"code": "000000"}, "needs-session", "totp-wrong", "totp-wrong"),
    Way("POST /api/v1/session/passkeys/ask", {}, "needs-session", "step-up", ""),
    Way(
        "POST /api/v1/session/passkeys",
        {"name": "Mine", "answer": {}},
        "needs-session",
        "step-up",
        "passkey-expired",
    ),
    Way(
        "POST /api/v1/session/passkeys/1/remove",
        {"code": "000000"},
        "needs-session",
        "passkey-missing",
        "passkey-missing",
    ),
    Way(TOKENS, {"name": "x"}, "", "step-up", ""),
    Way(TOKENS, {"name": "x", "account": OTHER}, "", "step-up", "", OTHER),
)
PLACES = ("/api/v1/session", "/api/v1/access/accounts", "/api/v1/tokens")
NO_CREDENTIAL = {
    "DELETE /api/v1/tokens/x": "revokes one",
    "POST /api/v1/session": "signs in",
    "DELETE /api/v1/session": "signs out",
    "POST /api/v1/session/proof": "shows who is there",
    "PUT /api/v1/session/zone": "times shown",
    "POST /api/v1/session/access": "asks for a role",
    "POST /api/v1/session/passkey": "signs in",
    "POST /api/v1/session/passkey/ask": "what the browser has to answer",
    "POST /api/v1/session/passkey/proof": "shows who is there",
    "PUT /api/v1/session/passkeys/1": "names it",
}


def _accounts() -> None:
    for name in (SELF, OTHER):
        make_account(name, "admin", password=PASSWORD)
        TOTP.activate(Account.objects.get(username=name), generate_totp_secret())


def _by_token() -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_of(SELF)}")
    return client


def _by_session() -> APIClient:
    browser = _by_proved_session()
    session = browser.session
    session[KEPT] = (timezone.now() - timedelta(minutes=6)).timestamp()
    session.save()
    return browser


def _by_proved_session() -> APIClient:
    browser = APIClient()
    browser.force_login(Account.objects.get(username=SELF), "django.contrib.auth.backends.ModelBackend")
    return browser


CALLERS: dict[str, Callable[[], APIClient]] = {
    "token": _by_token,
    "session": _by_session,
    "proved": _by_proved_session,
}


def _credentials() -> tuple[list[Any], list[Any]]:
    accounts = Account.objects.order_by("username").values_list("username", "password")
    tokens = list(Token.objects.order_by("pk").values_list("pk", flat=True))
    return [*accounts, *tokens], list(
        Authenticator.objects.order_by("pk").values_list("user", "type", "data")
    )


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_credential_changes_only_for_who_may_and_shows_who_they_are(way: Way, caller: str) -> None:
    _accounts()
    client, expected = CALLERS[caller](), getattr(way, caller)
    method, path = way.route.split()
    if path.endswith("/x"):
        path = f"{path[:-1]}{way.subject}"
    if path.endswith("session/totp") and method == "POST":
        Authenticator.objects.all().delete()
    before = _credentials()
    answer = getattr(client, method.lower())(path, way.body, format="json")
    code = answer.json().get("code", "") if answer.content else ""
    assert (code, answer.status_code < 300) == (expected, expected == ""), answer.content
    if expected:
        assert _credentials() == before
        assert not LedgerEntry.objects.filter(action="session.password", outcome="done").exists()


def test_no_other_address_changes_what_an_account_signs_in_with() -> None:
    writing = {
        f"{each.method} {each.path}"
        for each in ENTRANCES
        if each.method not in SAFE and each.path.startswith(PLACES)
    }
    tested = {way.route for way in WAYS}
    assert writing - {"DELETE /api/v1/sessions/1"} == tested | set(NO_CREDENTIAL)


def test_a_new_password_by_another_person_revokes_what_the_account_made_for_itself() -> None:
    """A person who knew the password before may have made it; what others made is theirs."""
    _accounts()
    ann = APIClient()
    ann.force_login(Account.objects.get(username=OTHER), "django.contrib.auth.backends.ModelBackend")
    own = ann.post("/api/v1/tokens", {"name": "own"}, format="json").json()
    root = _by_proved_session()
    made = root.post("/api/v1/tokens", {"name": "made", "account": OTHER}, format="json").json()
    rehearsed = root.patch(f"/api/v1/access/accounts/{OTHER}?dry_run=true", {"password": NEW}, format="json")
    assert (rehearsed.status_code, Token.objects.filter(revoked_at=None).count()) == (200, 2)
    changed = root.patch(f"/api/v1/access/accounts/{OTHER}", {"password": NEW}, format="json")
    assert changed.status_code == 200
    assert Token.objects.get(revoked_at=None).pk == made["id"]
    entry = LedgerEntry.objects.get(action="token.revoke", outcome="done")
    assert (entry.actor, entry.target, entry.after["id"]) == (SELF, OTHER, own["id"])


def test_a_new_password_by_another_person_ends_the_sessions() -> None:
    _accounts()
    ann = APIClient()
    ann.force_login(Account.objects.get(username=OTHER), "django.contrib.auth.backends.ModelBackend")
    assert ann.get("/api/v1/session").json()["account"]["name"] == OTHER
    changed = _by_proved_session().patch(f"/api/v1/access/accounts/{OTHER}", {"password": NEW}, format="json")
    assert changed.status_code == 200
    assert ann.get("/api/v1/session").json()["account"] is None

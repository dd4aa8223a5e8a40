"""Add, name and remove the passkeys of one's own account."""

from __future__ import annotations

from dataclasses import dataclass

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.utils import timezone

from migrations_app.control.access.commands.set_second_factor import (
    check_second_factor,
    forget_spare_codes,
    give_spare_codes,
    own_account,
)
from migrations_app.control.access.passkeys import (
    PasskeyChallenge,
    ask_for_new,
    ask_for_one,
    check_answer,
    keep_new,
    passkey_as_json,
    passkeys_of,
)
from migrations_app.control.access.repository.account_changes import note_change
from migrations_app.control.audit import ledger
from migrations_app.domain.access import Actor, Target
from migrations_app.domain.approvals.account_control import REMOVED, SET, ChangeKind
from migrations_app.domain.approvals.proof import demand_proof
from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account

MOST = 20


@dataclass(frozen=True, slots=True)
class Added:
    """A new passkey, and the spare codes that come with the first second factor of an account."""

    passkey: JsonObject
    spare_codes: list[str]


def ask_new_passkey(actor: Actor) -> PasskeyChallenge:
    """Begin to add a passkey: what the browser has to make.

    Raises: Denied (`needs-session`, `step-up`), Conflict (`passkey-host`, `passkeys-many`).
    """
    account = own_account(actor)
    # A person at a browser left open must not add a key that is theirs.
    demand_proof(actor, timezone.now())
    if passkeys_of(account).count() >= MOST:
        raise Conflict(
            message("There are {most} passkeys already.", most=MOST),
            code="passkeys-many",
            remedy=message("Remove one that is not used."),
        )
    return ask_for_new(account)


def ask_own_passkey(actor: Actor) -> PasskeyChallenge:
    """Ask the browser for a passkey: one's own, or, without a session, any account's.

    Raises: Conflict (`passkey-host`).
    """
    return ask_for_one(Account.objects.get(username=actor.name) if actor.name else None)


def add_passkey(actor: Actor, name: str, kept: JsonObject, answer: JsonObject) -> Added:
    """Keep the passkey that the browser made.

    Raises: Denied (`needs-session`, `step-up`, `passkey-expired`, `passkey-wrong`).
    """
    account = own_account(actor)
    demand_proof(actor, timezone.now())
    with transaction.atomic():
        Account.objects.select_for_update().get(pk=account.pk)
        row = keep_new(account, name, kept, answer)
        codes = give_spare_codes(account)
        note_change(actor, ChangeKind.PASSKEY, account.username, detail=SET)
        _note(actor, "session.passkey_added", after={"passkey": name})
    return Added(passkey_as_json(row), codes)


def name_passkey(actor: Actor, id: int, name: str) -> JsonObject:
    """Give one's own passkey another name.

    Raises: Denied (`needs-session`), Missing (`passkey-missing`).
    """
    account = own_account(actor)
    with transaction.atomic():
        row = _locked(account, id)
        before = row.data["name"]
        row.data["name"] = name
        row.save(update_fields=["data"])
        _note(actor, "session.passkey_named", before={"passkey": before}, after={"passkey": name})
    return passkey_as_json(row)


def remove_passkey(actor: Actor, id: int, code: str, kept: JsonObject, answer: JsonObject | None) -> None:
    """Remove one's own passkey for what shows a second factor now: a passkey, or else a code.

    Raises: Denied (`needs-session`, `passkey-expired`, `passkey-wrong`, `passkey-required`, `totp-required`,
    `totp-wrong`), Missing (`passkey-missing`).
    """
    account = own_account(actor)
    with transaction.atomic():
        Account.objects.select_for_update().get(pk=account.pk)
        row = _locked(account, id)
        if answer is not None:
            check_answer(account, kept, answer)
        else:
            check_second_factor(account, code, field="code")
        name = row.data["name"]
        row.delete()
        forget_spare_codes(account)
        note_change(actor, ChangeKind.PASSKEY, account.username, detail=REMOVED)
        _note(actor, "session.passkey_removed", before={"passkey": name})


def _locked(account: Account, id: int) -> Authenticator:
    row: Authenticator | None = passkeys_of(account).select_for_update().filter(pk=id).first()
    if row is None:
        raise Missing(message("You have no such passkey."), code="passkey-missing")
    return row


def _note(
    actor: Actor, action: str, before: JsonObject | None = None, after: JsonObject | None = None
) -> None:
    ledger.record(actor, action, Target("account", actor.name), "done", before=before, after=after)

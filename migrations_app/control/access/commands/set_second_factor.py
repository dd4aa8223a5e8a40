"""Set up and give up an authenticator as second factor, ask for one, whichever it is, and take away what was lost."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, validate_totp_code
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from migrations_app.control.access.authenticator_codes import use_code
from migrations_app.control.access.commands.keep_sessions import end_every_session
from migrations_app.control.access.repository.access import grants_of
from migrations_app.control.access.repository.account_changes import note_change
from migrations_app.control.audit import ledger
from migrations_app.domain.access import Actor, ActorKind, Target, require
from migrations_app.domain.approvals.account_control import REMOVED, SET, ChangeKind
from migrations_app.domain.approvals.proof import demand_proof
from migrations_app.domain.granting import check_stands_above
from migrations_app.kernel.errors import (
    Conflict,
    Denied,
    Invalid,
    Missing,
    SecondFactorRequired,
    Violation,
)
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account


@dataclass(frozen=True, slots=True)
class Proposal:
    """A secret to enter into an authenticator, as text and as the address that its QR code holds."""

    secret: str
    uri: str


def propose_second_factor(actor: Actor) -> Proposal:
    """Make a secret; nothing is set up until a code of it is shown.

    Raises: Denied (`needs-session`, `step-up`), Conflict (`totp-set`).
    """
    account = own_account(actor)
    # A person at a browser left open must not add a second factor that is theirs.
    demand_proof(actor, timezone.now())
    if _factors(account).filter(type=Authenticator.Type.TOTP).exists():
        raise Conflict(
            message("There is an authenticator already."),
            code="totp-set",
            remedy=message("Give it up before setting up another."),
        )
    secret = generate_totp_secret()
    query = urlencode({"secret": secret, "issuer": "Switchyard"})
    return Proposal(secret, f"otpauth://totp/{quote(f'Switchyard:{account.username}')}?{query}")


def set_second_factor(actor: Actor, secret: str, code: str) -> list[str]:
    """Set the authenticator up, once it shows the right code, and give the spare codes, if there were none before.

    Raises: Denied (`needs-session`, `step-up`), Invalid (`totp-wrong`), Conflict (`totp-set`).
    """
    account = own_account(actor)
    # The secret may have been on the screen for hours.
    demand_proof(actor, timezone.now())
    words = message("The code is wrong. Enter the code shown now.")
    wrong = Invalid(words, code="totp-wrong", violations=(Violation("code", words),))
    if not secret or not validate_totp_code(secret, code.strip()):
        raise wrong
    with transaction.atomic():
        Account.objects.select_for_update().get(pk=account.pk)
        if _factors(account).filter(type=Authenticator.Type.TOTP).exists():
            raise Conflict(message("There is an authenticator already."), code="totp-set")
        # A person who looked on while it was set up does not sign in with the same code.
        if not use_code(TOTP.activate(account, secret).instance, code.strip()):
            raise wrong
        codes = give_spare_codes(account)
        note_change(actor, ChangeKind.SECOND_FACTOR, account.username, detail=SET)
        ledger.record(actor, "session.second_factor_set", Target("account", account.username), "done")
    return codes


def drop_second_factor(actor: Actor, code: str) -> None:
    """Give the authenticator up for a code of it or a spare one; harmless when there is none.

    Raises: Denied (`needs-session`, `totp-required`, `totp-wrong`).
    """
    account = own_account(actor)
    with transaction.atomic():
        Account.objects.select_for_update().get(pk=account.pk)
        authenticators = _factors(account).filter(type=Authenticator.Type.TOTP)
        if not authenticators:
            return
        # A person at a browser left open must not be able to take the second factor away.
        check_second_factor(account, code, field="code")
        authenticators.delete()
        forget_spare_codes(account)
        note_change(actor, ChangeKind.SECOND_FACTOR, account.username, detail=REMOVED)
        ledger.record(actor, "session.second_factor_dropped", Target("account", account.username), "done")


def take_second_factors(actor: Actor, name: str) -> None:
    """Remove every second factor of a person who lost them; all browsers signed in with the account are signed out.

    Raises: Denied (`denied`, `more-than-held`, `step-up`, `step-up-token`), Missing (`account`),
    Conflict (`own-account`, `no-second-factor`).
    """
    target = Target("account", name)
    require(actor, "access.manage", target)
    if name == actor.name:
        raise Conflict(
            message("You cannot take your own second factor away like this."),
            code="own-account",
            remedy=message("Give it up under Your account, by a code of it or one of your recovery codes."),
        )
    # It opens an account to any person who knows its password: an open browser or a token is not enough for that.
    demand_proof(actor, timezone.now())
    with transaction.atomic():
        account = Account.objects.select_for_update().filter(username=name, kind="user").first()
        if account is None:
            raise Missing(message("There is no person's account {name}.", name=repr(name)), code="account")
        check_stands_above(actor, grants_of(account))
        factors = _factors(account)
        taken: list[Json] = sorted(factors.values_list("type", flat=True))
        if not taken:
            raise Conflict(
                message("{name} has no second factor.", name=name),
                code="no-second-factor",
                remedy=message("Give them a new password, if that is what they lost."),
            )
        factors.delete()
        end_every_session(account)
        note_change(actor, ChangeKind.SECOND_FACTOR, account.username, detail=REMOVED)
        ledger.record(actor, "access.second_factors_taken", target, "done", before={"factors": taken})


def check_second_factor(account: Account, code: str, *, field: str = "") -> None:
    """Ask for the code of an account's authenticator, or a spare one; a passkey alone has spare codes only.

    `field` is the place of the code in the request, where a form shows what is wrong at it.

    Raises: Denied (`totp-required`, `totp-wrong`, `passkey-required`).
    """
    factors = {row.type: row for row in _factors(account)}
    if not factors:
        return
    if not code.strip():
        if Authenticator.Type.TOTP in factors:
            raise SecondFactorRequired(message("Enter the code of your authenticator."), code="totp-required")
        raise SecondFactorRequired(
            message("The password alone is not enough: this account has a passkey."),
            code="passkey-required",
            remedy=message("Use the passkey, or enter one of your recovery codes."),
        )
    totp = factors.get(Authenticator.Type.TOTP)
    if totp is not None and use_code(totp, code.strip()):
        return
    spare = factors.get(Authenticator.Type.RECOVERY_CODES)
    if spare is not None and RecoveryCodes(spare).validate_code(code.strip()):
        return
    words = message("The code is wrong or was used already.")
    raise Denied(words, code="totp-wrong", violations=(Violation(field, words),) if field else ())


def give_spare_codes(account: Account) -> list[str]:
    """Make the spare codes of an account with its first second factor; those it has are never shown again."""
    if _factors(account).filter(type=Authenticator.Type.RECOVERY_CODES).exists():
        return []
    return list(RecoveryCodes.activate(account).generate_codes())


def forget_spare_codes(account: Account) -> None:
    """Take the spare codes back with the last second factor."""
    spare = Authenticator.Type.RECOVERY_CODES
    if not _factors(account).exclude(type=spare).exists():
        _factors(account).filter(type=spare).delete()


def own_account(actor: Actor) -> Account:
    """Give the account of a signed-in person, who alone sets up what it is signed in with.

    Raises: Denied (`needs-session`).
    """
    # A stolen token must not be able to lock its owner out.
    if actor.kind is not ActorKind.USER or not actor.name:
        raise Denied(message("Only a signed-in person sets up a second factor."), code="needs-session")
    return Account.objects.get(username=actor.name)


def _factors(account: Account) -> QuerySet[Authenticator]:
    found: QuerySet[Authenticator] = Authenticator.objects.filter(user=account)
    return found

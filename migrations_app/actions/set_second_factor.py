"""Set up and give up the second factor of an account: a code from an authenticator, and spare codes."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, validate_totp_code
from django.db import transaction
from django.db.models import QuerySet

from migrations_app.adapters import ledger
from migrations_app.domain.access import Actor, ActorKind, Target
from migrations_app.kernel.errors import Conflict, Denied, Invalid
from migrations_app.models.access import Account


@dataclass(frozen=True, slots=True)
class Proposal:
    """A secret to enter into an authenticator, as text and as the address that its QR code holds."""

    secret: str
    uri: str


def propose_second_factor(actor: Actor) -> Proposal:
    """Make a secret; nothing is set up until a code of it is shown.

    Raises: Denied (`needs-session`), Conflict (`totp-set`).
    """
    account = _own(actor)
    if _factors(account).filter(type=Authenticator.Type.TOTP).exists():
        raise Conflict(
            "There is an authenticator already.",
            code="totp-set",
            remedy="Give it up before setting up another.",
        )
    secret = generate_totp_secret()
    query = urlencode({"secret": secret, "issuer": "Switchyard"})
    return Proposal(secret, f"otpauth://totp/{quote(f'Switchyard:{account.username}')}?{query}")


def set_second_factor(actor: Actor, secret: str, code: str) -> list[str]:
    """Set the authenticator up, once it shows the right code, and give the spare codes.

    Raises: Denied (`needs-session`), Invalid (`totp-wrong`), Conflict (`totp-set`).
    """
    account = _own(actor)
    if not secret or not validate_totp_code(secret, code.strip()):
        raise Invalid("The code is wrong.", code="totp-wrong", remedy="Enter the code shown now.")
    with transaction.atomic():
        Account.objects.select_for_update().get(pk=account.pk)
        if _factors(account).filter(type=Authenticator.Type.TOTP).exists():
            raise Conflict("There is an authenticator already.", code="totp-set")
        TOTP.activate(account, secret)
        codes = RecoveryCodes.activate(account).generate_codes()
        ledger.record(actor, "session.second_factor_set", Target("account", account.username), "done")
    return list(codes)


def drop_second_factor(actor: Actor, code: str) -> None:
    """Give the authenticator and its spare codes up for a code of either; harmless when there is none.

    Raises: Denied (`needs-session`, `totp-required`, `totp-wrong`).
    """
    account = _own(actor)
    with transaction.atomic():
        Account.objects.select_for_update().get(pk=account.pk)
        # Whoever sits down at an open browser must not be able to take the second factor away.
        check_second_factor(account, code)
        dropped, _ = _factors(account).delete()
        if dropped:
            ledger.record(actor, "session.second_factor_dropped", Target("account", account.username), "done")


def check_second_factor(account: Account, code: str) -> None:
    """Ask for the code of an account's authenticator, or one of its spare codes.

    Raises: Denied (`totp-required`, `totp-wrong`).
    """
    factors = {row.type: row for row in _factors(account)}
    if Authenticator.Type.TOTP not in factors:
        return
    if not code.strip():
        raise Denied("Enter the code of your authenticator.", code="totp-required")
    if TOTP(factors[Authenticator.Type.TOTP]).validate_code(code.strip()):
        return
    spare = factors.get(Authenticator.Type.RECOVERY_CODES)
    if spare is not None and RecoveryCodes(spare).validate_code(code.strip()):
        return
    raise Denied("The code is wrong or was used already.", code="totp-wrong")


def _own(actor: Actor) -> Account:
    # A stolen token must not be able to lock its owner out.
    if actor.kind is not ActorKind.USER or not actor.name:
        raise Denied("Only a signed-in person sets up a second factor.", code="needs-session")
    return Account.objects.get(username=actor.name)


def _factors(account: Account) -> QuerySet[Authenticator]:
    kinds = [Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES]
    found: QuerySet[Authenticator] = Authenticator.objects.filter(user=account, type__in=kinds)
    return found

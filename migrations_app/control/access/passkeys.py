"""Passkeys by WebAuthn: what is asked of a browser, and whether what it answers holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from fido2.server import Fido2Server
from fido2.utils import websafe_decode
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    RegistrationResponse,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from migrations_app.kernel.errors import Conflict, Denied
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account

LASTS_SECONDS = 300
LOCAL = "localhost"


@dataclass(frozen=True, slots=True)
class PasskeyChallenge:
    """What goes to the browser, and what is kept in its session to check the answer with."""

    options: JsonObject
    kept: JsonObject


def passkey_host() -> str:
    """Give the host name that passkeys are made for; empty where people reach the console by an address of digits."""
    host = urlsplit(settings.SWITCHYARD.public_url).hostname or LOCAL
    try:
        ip_address(host)
    except ValueError:
        return host
    return ""


def passkeys_of(account: Account) -> QuerySet[Authenticator]:
    """Find the passkeys of an account, the oldest first."""
    kind = Authenticator.Type.WEBAUTHN
    found: QuerySet[Authenticator] = Authenticator.objects.filter(user=account, type=kind).order_by("pk")
    return found


def passkey_as_json(row: Authenticator) -> JsonObject:
    """Give a passkey as it is shown; its key stays here."""
    used = row.last_used_at
    return {
        "id": row.pk,
        "name": row.data["name"],
        "created_at": row.created_at.isoformat(),
        "last_used_at": used.isoformat() if used else None,
    }


def ask_for_new(account: Account) -> PasskeyChallenge:
    """Ask a browser for a new passkey of an account.

    Raises: Conflict (`passkey-host`).
    """
    user = PublicKeyCredentialUserEntity(
        id=str(account.pk).encode(),
        name=account.username,
        display_name=account.display_name or account.username,
    )
    options, state = _server().register_begin(
        user,
        [_credential(row) for row in passkeys_of(account)],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return _asked(dict(options), state, f"new:{account.pk}")


def ask_for_one(account: Account | None) -> PasskeyChallenge:
    """Ask a browser for a passkey of an account, or of anybody who wants to come in.

    Raises: Conflict (`passkey-host`).
    """
    known = [_credential(row) for row in passkeys_of(account)] if account else None
    options, state = _server().authenticate_begin(known, UserVerificationRequirement.REQUIRED)
    return _asked(dict(options), state, f"one:{account.pk}" if account else "in")


def keep_new(account: Account, name: str, kept: JsonObject, answer: JsonObject) -> Authenticator:
    """Keep the passkey that a browser made.

    Raises: Denied (`passkey-expired`, `passkey-wrong`).
    """
    _check_kept(kept, f"new:{account.pk}")
    try:
        made = _server().register_complete(kept, answer)
        credential = dict(RegistrationResponse.from_dict(answer))
    except (ValueError, TypeError, KeyError) as error:
        raise _wrong() from error
    row: Authenticator = Authenticator.objects.create(
        user=account,
        type=Authenticator.Type.WEBAUTHN,
        data={"name": name, "credential": credential, "counter": made.counter},
    )
    return row


def check_answer(account: Account, kept: JsonObject, answer: JsonObject) -> Authenticator:
    """Check that the browser of an account answered with one of its passkeys, and note the use.

    Raises: Denied (`passkey-expired`, `passkey-wrong`).
    """
    return _check(account, f"one:{account.pk}", kept, answer)


def account_of_answer(kept: JsonObject, answer: JsonObject) -> tuple[Account, Authenticator]:
    """Find whose passkey a browser answered with without a session, and note the use.

    Raises: Denied (`passkey-expired`, `passkey-wrong`).
    """
    try:
        handle = AuthenticationResponse.from_dict(answer).response.user_handle or b""
        account = Account.objects.get(pk=int(handle))
    except (ValueError, TypeError, KeyError, Account.DoesNotExist) as error:
        raise _wrong() from error
    return account, _check(account, "in", kept, answer)


def _check(account: Account, asked_for: str, kept: JsonObject, answer: JsonObject) -> Authenticator:
    _check_kept(kept, asked_for)
    # Locked, so that two answers at once are counted one after the other.
    rows = {_credential(row).credential_id: row for row in passkeys_of(account).select_for_update()}
    try:
        _server().authenticate_complete(kept, [_credential(row) for row in rows.values()], answer)
        counter = AuthenticationResponse.from_dict(answer).response.authenticator_data.counter
        row = rows[websafe_decode(str(answer["rawId"]))]
    except (ValueError, TypeError, KeyError) as error:
        raise _wrong() from error
    # A device that counts and does not go on was copied; those that do not count say 0 for ever.
    if (counter or row.data["counter"]) and counter <= row.data["counter"]:
        raise _wrong()
    row.data["counter"], row.last_used_at = counter, timezone.now()
    row.save(update_fields=["data", "last_used_at"])
    return row


def _server() -> Fido2Server:
    host = passkey_host()
    if not host:
        raise Conflict(
            message("Passkeys need a host name, and the console is reached by an address of digits."),
            code="passkey-host",
            remedy=message("Set SWITCHYARD_PUBLIC_URL to the address with the console's name."),
        )
    return Fido2Server(PublicKeyCredentialRpEntity(id=host, name="Switchyard"), verify_origin=_is_ours)


def _is_ours(origin: str) -> bool:
    public, asked = urlsplit(settings.SWITCHYARD.public_url), urlsplit(origin)
    if not public.hostname:
        return re.fullmatch(rf"https?://{LOCAL}(:\d+)?", origin) is not None
    ports = {"https": 443, "http": 80}
    return (asked.scheme, asked.hostname, asked.port or ports.get(asked.scheme)) == (
        public.scheme,
        public.hostname,
        public.port or ports.get(public.scheme),
    )


def _asked(options: JsonObject, state: Mapping[str, str], asked_for: str) -> PasskeyChallenge:
    return PasskeyChallenge(options, {**state, "for": asked_for, "at": timezone.now().timestamp()})


def _check_kept(kept: JsonObject, asked_for: str) -> None:
    at = kept.get("at")
    fresh = isinstance(at, float) and timezone.now().timestamp() - at <= LASTS_SECONDS
    if not fresh or kept.get("for") != asked_for:
        raise Denied(
            message("No sign-in with this passkey was started here."),
            code="passkey-expired",
            remedy=message("Try it again."),
        )


def _credential(row: Authenticator) -> AttestedCredentialData:
    registered = RegistrationResponse.from_dict(row.data["credential"]).response
    found: AttestedCredentialData | None = registered.attestation_object.auth_data.credential_data
    assert found is not None, "a passkey that was registered has its key"
    return found


def _wrong() -> Denied:
    return Denied(
        message("The answer of the passkey is not valid."),
        code="passkey-wrong",
        remedy=message("Try it again."),
    )

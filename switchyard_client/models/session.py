"""Types of the operations of session.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import AccessRequest


class AccessContact(Struct, frozen=True, kw_only=True):
    """Who could give access, and what became of asking."""

    who_can: list[str]
    request: AccessRequest | None


class BreakGlassSession(Struct, frozen=True, kw_only=True):
    """Why and when a person signed in by break-glass."""

    reason: str
    at: datetime


class CodeRequest(Struct, frozen=True, kw_only=True):
    """The code that the authenticator shows."""

    code: str


class NewAccessRequestRequest(Struct, frozen=True, kw_only=True):
    """Why the account needs access."""

    comment: str | UnsetType = UNSET


class NewPasskeyRequest(Struct, frozen=True, kw_only=True):
    """The passkey that the browser made, as WebAuthn's JSON has it."""

    name: str
    answer: dict[str, Any]


class NewPasswordRequest(Struct, frozen=True, kw_only=True):
    """The password until now, and the one from now on."""

    current: str
    new: str


class Passkey(Struct, frozen=True, kw_only=True):
    """A passkey as its owner sees it."""

    id: int
    name: str
    created_at: datetime
    last_used_at: datetime | None


class PasskeyAdded(Struct, frozen=True, kw_only=True):
    """A new passkey, with codes for the day it is lost where there were none; each works once, and they
    are shown once.
    """

    id: int
    name: str
    created_at: datetime
    last_used_at: datetime | None
    recovery_codes: list[str]


class PasskeyAnswerRequest(Struct, frozen=True, kw_only=True):
    """What the browser answered with, as WebAuthn's JSON has it."""

    answer: dict[str, Any]


class PasskeyNameRequest(Struct, frozen=True, kw_only=True):
    """What the owner calls it."""

    name: str


class PasskeyOptions(Struct, frozen=True, kw_only=True):
    """What the browser is asked, as WebAuthn's JSON has it."""

    publicKey: dict[str, Any]


class PasskeyPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Passkey]
    next_cursor: str | None
    has_more: bool


class PasskeySignInRequest(Struct, frozen=True, kw_only=True):
    """A passkey, and why an admin signs in by break-glass where that is needed."""

    answer: dict[str, Any]
    reason: str | UnsetType = UNSET


class PasswordConfirmationRequest(Struct, frozen=True, kw_only=True):
    """The password of the signed-in person, and the code of a second factor where one is set up."""

    password: str
    totp: str | UnsetType = UNSET


class Proposal(Struct, frozen=True, kw_only=True):
    """A secret to enter into an authenticator, and the rows of the QR code that holds it (1 is dark)."""

    secret: str
    uri: str
    qr: list[str]


class Provider(Struct, frozen=True, kw_only=True):
    """Whether an identity provider answers."""

    id: str
    answers: bool | None
    """Null while unknown."""
    since: datetime | None
    """Since when it does not."""


class RemovePasskeyRequest(Struct, frozen=True, kw_only=True):
    """What shows a second factor now: one's own passkey, or a code of the authenticator or a recovery
    code.
    """

    answer: dict[str, Any] | UnsetType = UNSET
    code: str | UnsetType = UNSET


class SecondFactor(Struct, frozen=True, kw_only=True):
    """Whether signing in asks for a code, and how many spare codes are left."""

    is_set: bool
    recovery_codes_left: int


class Session(Struct, frozen=True, kw_only=True):
    """The session, also without a sign-in."""

    account: SignedInAccount | None
    csrf_token: str
    server_time: datetime
    environment: str
    version: str
    providers: list[SignInAddress]
    """Ways to sign in beside a name and a password."""
    local_sign_in: str
    """Whether a name and a password are enough, and for whom."""
    passkey_host: str
    """The host name under which passkeys work; empty where they do not."""
    session_limits: SessionLimits
    emergency: BreakGlassSession | None
    """This session signed in by break-glass."""


class SessionLimits(Struct, frozen=True, kw_only=True):
    """When a session ends by itself."""

    hours: int
    """So long after signing in."""
    idle_minutes: int
    """So long after a person last did something."""


class ShownZoneRequest(Struct, frozen=True, kw_only=True):
    """The time zone to be shown."""

    zone: Literal["utc", "mine", "region"]
    """`utc`, `mine` for that of the browser, `region` for that of a page's region."""


class SignInAddress(Struct, frozen=True, kw_only=True):
    """An identity provider, and where signing in by it begins."""

    id: str
    name: str
    url: str


class SignInProviderPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Provider]
    next_cursor: str | None
    has_more: bool


class SignInRequest(Struct, frozen=True, kw_only=True):
    """A name, a password, and the code of a second factor where one is set up."""

    username: str
    password: str
    totp: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    """Why an admin signs in by break-glass, in 20 characters or more."""


class SignedInAccount(Struct, frozen=True, kw_only=True):
    """Who is signed in."""

    name: str
    email: str
    kind: str
    roles: list[str]
    permissions: list[str]
    reach: list[str]
    """Where what they are shown lies, such as `* @ eu-*`; empty when nothing is left out."""
    bounds: dict[str, list[str]]
    """Where each permission to change something holds that does not hold everywhere."""
    zone: str
    """The time zone they chose to be shown, as `PUT /session/zone` takes it."""


class SpareCodes(Struct, frozen=True, kw_only=True):
    """Codes for the day the authenticator is lost; each works once, and they are shown once."""

    recovery_codes: list[str]

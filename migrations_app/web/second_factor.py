"""The second factor of signing in, where an account has set one up."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP

from migrations_app.kernel.errors import Denied


def check_second_factor(user: object, code: str) -> None:
    """Ask for the code of an account's authenticator, or one of its recovery codes.

    Raises: Denied (`totp-required`, `totp-wrong`).
    """
    factors = {row.type: row for row in Authenticator.objects.filter(user=user)}
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

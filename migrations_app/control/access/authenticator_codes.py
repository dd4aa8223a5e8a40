"""Codes of authenticators, each taken once: what was used is kept beside the secret, where every process looks."""

from __future__ import annotations

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from allauth.mfa.utils import decrypt
from django.db import transaction

_NEWEST_USED = "newest_used"
"""Number of the period whose code was taken last; codes of it and of earlier periods are not taken again."""


def use_code(authenticator: Authenticator, code: str) -> bool:
    """Take a code of an authenticator; false when it is wrong, or it or a later one was taken before.

    Once: the row is locked, so of two requests with one code, in whichever processes, one is told true.
    Source: RFC 6238, section 5.2.
    """
    with transaction.atomic():
        row = Authenticator.objects.select_for_update().filter(pk=authenticator.pk).first()
        if row is None:
            return False
        secret, newest_used = decrypt(row.data["secret"]), row.data.get(_NEWEST_USED, -1)
        matching = [
            period
            for period in yield_hotp_counters_from_time()
            if period > newest_used
            and compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, period)))
        ]
        if not matching:
            return False
        row.data[_NEWEST_USED] = matching[0]
        row.save(update_fields=["data"])
        return True

"""Find the account that a name and a password sign in."""

from __future__ import annotations

from django.contrib.auth.backends import ModelBackend

from migrations_app.kernel.errors import Denied
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account


def account_by_password(name: str, password: str) -> Account:
    """Find the open account of a name and password; a name that is not known costs one hash, as one that is.

    Raises: Denied (`sign-in`), Busy (`password-hashing-busy`).
    """
    # This backend alone: each further one would hash a wrong password once more.
    account = ModelBackend().authenticate(None, username=name, password=password)
    if not isinstance(account, Account):
        raise Denied(message("The name or the password is wrong."), code="sign-in")
    return account

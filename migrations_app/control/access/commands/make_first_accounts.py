"""Make the accounts of a first start: one of each role, and a service account for automation."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.access.commands.create_account import (
    NewAccount,
    check_password_strength,
    create_account,
)
from migrations_app.control.access.commands.issue_token import issue_token
from migrations_app.domain.access import ROLES, Actor, ActorKind, Grant
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.errors import Invalid
from migrations_app.models.access import Account

FIRST_TOKEN_DAYS = 90
"""So long the tokens of a first start are valid: as long as the longest that the console offers."""

FIRST = {
    "admin": ("admin", "user"),
    "operator": ("operator", "user"),
    "approver": ("approver", "user"),
    "approver2": ("approver", "user"),
    "viewer": ("viewer", "user"),
    "auditor": ("auditor", "user"),
    "automation": ("automation", "service"),
}


@dataclass(frozen=True, slots=True)
class AccountCredentials:
    """How an account signs in; a service account has no password."""

    password: str | None
    token: str
    token_expires_at: str
    """When the token ends, for who reads the file."""


def make_first_accounts() -> dict[str, AccountCredentials]:
    """Make the first accounts, all or none; nothing when there is an account already.

    Once: one transaction; a second call changes nothing and gives nothing back.
    """
    founder = Actor(ActorKind.USER, "first-start", grants=(Grant("admin"),), proved_at=timezone.now())
    end = timezone.now() + timedelta(days=FIRST_TOKEN_DAYS)
    made: dict[str, AccountCredentials] = {}
    with transaction.atomic():
        if Account.objects.exists():
            return {}
        for name, (role, kind) in FIRST.items():
            new = NewAccount(
                name=name,
                email=f"{name}@localhost.localdomain",
                kind=kind,
                display_name=name.capitalize(),
                staff=role == "admin",
            )
            password = _strong_password(new) if kind == "user" else None
            new = replace(new, password=password)
            create_account(founder, new)
            bind_role(founder, NewBinding("account", name, role))
            # Made by the account itself: a token that another account made does not vote.
            own = replace(founder, name=name)
            # No wider than the role of today: what the account is given later needs a token of its own.
            token = issue_token(own, name, "first start", scopes=ROLES[role], expires_at=end)
            made[name] = AccountCredentials(password, token.secret, to_minute(end))
    return made


def _strong_password(new: NewAccount) -> str:
    """Draw a password that the rules accept; one in some ten thousand is too much like the address of its account."""
    account = Account(username=new.name, email=new.email, display_name=new.display_name)
    while True:
        password = secrets.token_urlsafe(12)
        try:
            check_password_strength(account, password)
        except Invalid:
            continue
        return password

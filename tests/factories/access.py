"""Accounts, tokens and clients for tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from rest_framework.test import APIClient

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.access.commands.create_account import NewAccount, create_account
from migrations_app.control.access.commands.issue_token import issue_token
from migrations_app.control.access.queries.access import actor_named
from migrations_app.domain.access import Actor, ActorKind, Grant
from migrations_app.models.access import Account

NOW_AND_EVER = datetime.max.replace(tzinfo=UTC)
FOUNDER = Actor(ActorKind.USER, "founder", grants=(Grant("admin"),), proved_at=NOW_AND_EVER)
PASSWORD = "correct horse battery staple"


def make_account(
    name: str,
    *roles: str,
    kind: str = "user",
    service: str = "*",
    region: str = "*",
    password: str | None = None,
) -> Actor:
    """Make an account that holds these roles, and give the actor it is; hashing a password takes its time."""
    create_account(FOUNDER, NewAccount(name, f"{name}@example.com", kind=kind, password=password))
    for role in roles:
        bind_role(FOUNDER, NewBinding("account", name, role, service=service, region=region))
    return actor_named(name)


def proved(actor: Actor) -> Actor:
    """Give a person who has just shown who they are."""
    return replace(actor, proved_at=NOW_AND_EVER)


def with_account(actor: Actor) -> Actor:
    """Make the account of an actor, where there is none: votes count only while there is one."""
    if not Account.objects.filter(username=actor.name).exists():
        make_account(actor.name, *actor.roles)
    return actor


def token_of(name: str, *scopes: str) -> str:
    """Make a token of an account, as if by itself, and give its secret."""
    own = replace(FOUNDER, name=name)
    return issue_token(own, name, "test", scopes=scopes or ("*",)).secret


def client_of(name: str, *roles: str, scopes: tuple[str, ...] = ()) -> APIClient:
    """Make an account with these roles and a client that acts for it by token."""
    make_account(name, *roles)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_of(name, *scopes)}")
    return client

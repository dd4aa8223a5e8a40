"""Types of the operations of tokens.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType


class NewTokenRequest(Struct, frozen=True, kw_only=True):
    """What a token shall be able to do, from where and until when."""

    name: str
    account: str | UnsetType = UNSET
    scopes: list[str] | UnsetType = UNSET
    """Everything, or what the token that asks carries, when left out."""
    networks: list[str] | UnsetType = UNSET
    expires_at: datetime | UnsetType | None = UNSET


class Token(Struct, frozen=True, kw_only=True):
    """A token, without its secret."""

    id: str
    account: str
    name: str
    scopes: list[str]
    networks: list[str]
    created_by: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    last_used_from: str | None
    revoked_at: datetime | None


class TokenPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Token]
    next_cursor: str | None
    has_more: bool


class TokenWithSecret(Struct, frozen=True, kw_only=True):
    """A new token with its secret, which is never shown again."""

    id: str
    account: str
    name: str
    scopes: list[str]
    networks: list[str]
    created_by: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    last_used_from: str | None
    revoked_at: datetime | None
    secret: str

"""Types of the operations of hooks.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Delivery


class ChangeHookRequest(Struct, frozen=True, kw_only=True):
    """A webhook as it shall be, with its name."""

    format: Literal["signed", "slack", "teams", "email"] | UnsetType = UNSET
    """How it is told: signed JSON, a card of Slack or Teams, a mail."""
    url: str | UnsetType = UNSET
    """The whole address; left out or empty, the address stays."""
    events: list[str]
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    name: str


class DeliveryPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Delivery]
    next_cursor: str | None
    has_more: bool


class Hook(Struct, frozen=True, kw_only=True):
    """A webhook."""

    id: str
    name: str
    rev: int
    format: str
    address: str
    """Host and last four characters of the address, which is a credential; mail addresses whole."""
    events: list[str]
    service: str
    region: str
    active: bool
    former_until: datetime | None
    created_by: str
    created_at: datetime
    waiting: int | UnsetType = UNSET
    retrying: int | UnsetType = UNSET
    failed: int | UnsetType = UNSET


class HookPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Hook]
    next_cursor: str | None
    has_more: bool


class HookPreview(Struct, frozen=True, kw_only=True):
    """A message as its receiver would read it."""

    event: str
    example: bool
    """Nothing of the kind happened of late."""
    message: dict[str, Any]


class HookRulesRequest(Struct, frozen=True, kw_only=True):
    """A webhook as it shall be; its name is in the address."""

    format: Literal["signed", "slack", "teams", "email"] | UnsetType = UNSET
    """How it is told: signed JSON, a card of Slack or Teams, a mail."""
    url: str | UnsetType = UNSET
    """The whole address; left out or empty, the address stays."""
    events: list[str]
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET


class HookWithSecret(Struct, frozen=True, kw_only=True):
    """A webhook with its secret, shown this once."""

    id: str
    name: str
    rev: int
    format: str
    address: str
    """Host and last four characters of the address, which is a credential; mail addresses whole."""
    events: list[str]
    service: str
    region: str
    active: bool
    former_until: datetime | None
    created_by: str
    created_at: datetime
    waiting: int | UnsetType = UNSET
    retrying: int | UnsetType = UNSET
    failed: int | UnsetType = UNSET
    secret: str


class NewHookRequest(Struct, frozen=True, kw_only=True):
    """A webhook to be: events by name or pattern, such as `upgrade.*`."""

    format: Literal["signed", "slack", "teams", "email"] | UnsetType = UNSET
    """How it is told: signed JSON, a card of Slack or Teams, a mail."""
    url: str
    events: list[str]
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    name: str


class PreviewHookRequest(Struct, frozen=True, kw_only=True):
    """How a channel would be told, and of what."""

    format: Literal["signed", "slack", "teams", "email"] | UnsetType = UNSET
    events: list[str]

"""Types of the operations of windows.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Phrase


class ChangedWindow(Struct, frozen=True, kw_only=True):
    """A window as it is after a change, and what the change means for upgrades under way."""

    effect: str
    zone: str
    service: str
    region: str
    environment: str
    cron: str
    minutes: int
    overrun_minutes: int
    """No switch begins so long before the window closes or the freeze opens."""
    starts: str
    ends: str
    reason: str
    ticket: str
    overriders: list[str]
    """Who may let an upgrade go past it: names of accounts, and roles as `role NAME`."""
    name: str
    rev: int
    created_by: str
    next: list[Occurrence]
    warnings: list[str]
    warning_phrases: list[list[Phrase]]
    """Each of `warnings` in phrases."""


class NewWindowRequest(Struct, frozen=True, kw_only=True):
    """A window or freeze with its name."""

    effect: Literal["allow", "deny"]
    zone: str | UnsetType = UNSET
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    environment: str | UnsetType = UNSET
    cron: str | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    overrun_minutes: int | UnsetType = UNSET
    """No switch begins so long before the window closes or the freeze opens."""
    starts: str | UnsetType = UNSET
    ends: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    ticket: str | UnsetType = UNSET
    overriders: list[str] | UnsetType = UNSET
    """Who may let an upgrade go past it: names of accounts, and roles as `role NAME`."""
    name: str


class Occurrence(Struct, frozen=True, kw_only=True):
    """One opening."""

    opens: datetime
    closes: datetime
    note: str


class SwitchPermission(Struct, frozen=True, kw_only=True):
    """Whether a deployment may switch at an instant."""

    deployment: str
    environment: str
    at: datetime
    allowed: bool
    sentence: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    winner: str
    considered: list[str]
    considered_phrases: list[list[Phrase]] | UnsetType = UNSET
    """Each of `considered` in phrases."""
    next_open: datetime | None
    overriders: list[str]
    """Who may override what forbids it."""
    may_override: bool
    """Whether you may."""
    override_refusal: str
    """Why you may not."""
    override_refusal_phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""


class Window(Struct, frozen=True, kw_only=True):
    """A window as it is kept, with its next openings."""

    effect: str
    zone: str
    service: str
    region: str
    environment: str
    cron: str
    minutes: int
    overrun_minutes: int
    """No switch begins so long before the window closes or the freeze opens."""
    starts: str
    ends: str
    reason: str
    ticket: str
    overriders: list[str]
    """Who may let an upgrade go past it: names of accounts, and roles as `role NAME`."""
    name: str
    rev: int
    created_by: str
    next: list[Occurrence]


class WindowPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Window]
    next_cursor: str | None
    has_more: bool


class WindowRulesRequest(Struct, frozen=True, kw_only=True):
    """When a window or freeze is open: by cron and minutes, or from one local time to another."""

    effect: Literal["allow", "deny"]
    zone: str | UnsetType = UNSET
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    environment: str | UnsetType = UNSET
    cron: str | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    overrun_minutes: int | UnsetType = UNSET
    """No switch begins so long before the window closes or the freeze opens."""
    starts: str | UnsetType = UNSET
    ends: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    ticket: str | UnsetType = UNSET
    overriders: list[str] | UnsetType = UNSET
    """Who may let an upgrade go past it: names of accounts, and roles as `role NAME`."""


class WindowSpan(Struct, frozen=True, kw_only=True):
    """A stretch of time, whether a switch is allowed in it, and the rule that says so (none: no rule
    does).
    """

    opens: datetime
    closes: datetime
    allowed: bool
    winner: str


class WindowSpanPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[WindowSpan]
    next_cursor: str | None
    has_more: bool

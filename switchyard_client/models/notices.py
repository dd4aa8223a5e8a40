"""Types of the operations of notices.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Delivery


class NewNotificationRuleRequest(Struct, frozen=True, kw_only=True):
    """What one is to be told of, where it happens, and how soon."""

    events: list[str]
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    pace: Literal["at-once", "hourly", "daily"] | UnsetType = UNSET
    active: bool | UnsetType = UNSET


class NewQuietHoursRequest(Struct, frozen=True, kw_only=True):
    """Quiet hours, and when a daily digest comes; on the clocks of a zone."""

    zone: str | UnsetType = UNSET
    quiet_from: str | UnsetType | None = UNSET
    quiet_to: str | UnsetType | None = UNSET
    daily_at: str | UnsetType = UNSET


class NotificationRule(Struct, frozen=True, kw_only=True):
    """A rule of one's own."""

    id: str
    rev: int
    events: list[str]
    service: str
    region: str
    pace: str
    active: bool


class NotificationSettings(Struct, frozen=True, kw_only=True):
    """How one is told."""

    mail: str
    sends_mail: bool
    """This installation has a mail server."""
    hours: QuietHours
    rules: list[NotificationRule]
    sent: list[Delivery]


class QuietHours(Struct, frozen=True, kw_only=True):
    """One's hours."""

    rev: int
    zone: str
    quiet_from: str | None
    quiet_to: str | None
    daily_at: str

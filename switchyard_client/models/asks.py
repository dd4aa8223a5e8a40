"""Types of the operations of asks.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import UNSET, Struct, UnsetType


class NewPermissionRequestRequest(Struct, frozen=True, kw_only=True):
    """What is asked for, and where it is done."""

    permission: Literal[
        "fleet.read",
        "upgrade.read",
        "approval.read",
        "registry.read",
        "resource.read",
        "health.read",
        "operation.read",
        "upgrade.plan",
        "upgrade.start",
        "upgrade.pause",
        "upgrade.resume",
        "upgrade.abort",
        "upgrade.switch",
        "upgrade.rollback",
        "upgrade.complete",
        "upgrade.comment",
        "upgrade.repair",
        "approval.request",
        "approval.vote",
        "policy.write",
        "window.write",
        "registry.write",
        "resource.write",
        "resource.method",
        "activity.read",
        "activity.observe",
        "deployment.evict",
        "work.retry",
        "token.own",
        "audit.read",
        "audit.export",
        "access.read",
        "access.manage",
    ]
    what: str
    link: str
    """The page of this console where it is done."""
    comment: str | UnsetType = UNSET
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET


class PermissionRequest(Struct, frozen=True, kw_only=True):
    """What was asked for."""

    id: str
    who: str
    permission: str
    what: str
    link: str
    comment: str
    at: datetime


class PermissionRequestPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[PermissionRequest]
    next_cursor: str | None
    has_more: bool

"""What notifies this process of commits to the control database."""

from __future__ import annotations

from functools import cache

from migrations_app.adapters.commit_notifications import OUTBOX, REGISTRY, PostgresCommitNotifications
from migrations_app.ports.commit_notifications import CommitNotifications


@cache
def registry_notifications() -> CommitNotifications:
    """Give what tells this process that the registry's history moved."""
    return PostgresCommitNotifications(REGISTRY)


@cache
def outbox_notifications() -> CommitNotifications:
    """Give what tells this process that there are new events."""
    return PostgresCommitNotifications(OUTBOX)

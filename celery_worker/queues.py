"""The queues that workers listen to, and what waits in each."""

from __future__ import annotations

SYNC = "sync"
CONSTRAINTS = "constraints"
SWITCH = "switch"
HOUSEKEEPING = "housekeeping"
NOTIFICATIONS = "notifications"

QUEUES = (SYNC, CONSTRAINTS, SWITCH, HOUSEKEEPING, NOTIFICATIONS)

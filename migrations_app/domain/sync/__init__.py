"""Progress, lag and time estimates of a synchronisation."""

from migrations_app.domain.sync.backoff import next_attempt_seconds
from migrations_app.domain.sync.data_task import Change, DataTask, tasks_for
from migrations_app.domain.sync.estimate import Estimate, estimate, losing
from migrations_app.domain.sync.latest import latest_per_key
from migrations_app.domain.sync.meter import Meter

__all__ = [
    "Change",
    "DataTask",
    "Estimate",
    "Meter",
    "estimate",
    "latest_per_key",
    "losing",
    "next_attempt_seconds",
    "tasks_for",
]

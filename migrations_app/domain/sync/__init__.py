"""Progress, lag and time estimates of a synchronisation."""

from migrations_app.domain.sync.backoff import next_attempt_seconds
from migrations_app.domain.sync.data_task import Change, DataTask, tasks_for
from migrations_app.domain.sync.estimate import Estimate, estimate, losing
from migrations_app.domain.sync.latest import check_announced, latest_per_key
from migrations_app.domain.sync.meter import Meter
from migrations_app.domain.sync.throttle_reasons import HELD

__all__ = [
    "HELD",
    "Change",
    "DataTask",
    "Estimate",
    "Meter",
    "check_announced",
    "estimate",
    "latest_per_key",
    "losing",
    "next_attempt_seconds",
    "tasks_for",
]

"""The Celery application: settings under which nothing is lost, and nothing is kept in the broker alone."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import Any

import django
from celery import Celery
from django.conf import settings

from celery_worker.broker import use_steady_transport
from celery_worker.queues import HOUSEKEEPING
from migrations_app.adapters.dispatch.celery import BOUND, broker_url
from migrations_app.kernel import failpoints

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
settings.SWITCHYARD.serve()
django.setup()

# The models behind it are there only now.
from migrations_app.wiring.telemetry import start_telemetry  # noqa: E402

start_telemetry("worker")
failpoints.arm(settings.SWITCHYARD.fail)
use_steady_transport()

# Following asks many short questions; it must not wait 5 ms for Python's lock at each while another thread converts.
sys.setswitchinterval(0.0005)

TICK_SECONDS = 5.0
TICK = "switchyard.tick"
MOST_TICKS = 4


class SteadyCelery(Celery):
    """Celery that looks for a lost broker every few seconds; by itself it would wait up to half a minute."""

    def connection_for_read(self, url: str | None = None, **kwargs: Any) -> Any:
        """Give the workers a connection that reconnects soon."""
        return _steady(super().connection_for_read(url, **kwargs))

    def connection_for_write(self, url: str | None = None, **kwargs: Any) -> Any:
        """Give beat a connection that reconnects soon."""
        return _steady(super().connection_for_write(url, **kwargs))


def _steady(connection: Any) -> Any:
    steady = partial(connection.ensure_connection, interval_start=0.5, interval_step=0.5, interval_max=2.0)
    connection.ensure_connection = steady
    return connection


app = SteadyCelery(
    "switchyard",
    broker=broker_url(settings.SWITCHYARD.redis_url),
    include=[
        "celery_worker.tasks.work",
        "celery_worker.tasks.tick",
        "celery_worker.station",
        "celery_worker.pulse",
    ],
)
app.conf.update(
    # A message is given back when its worker dies; the lease keeps a doubled one from working.
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    broker_transport_options={
        "visibility_timeout": 60,
        "unacked_restore_interval": 5,
        "socket_connect_timeout": 5,
        "socket_keepalive": True,
        "health_check_interval": 10,
    },
    broker_connection_retry=True,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    worker_hijack_root_logger=False,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    task_default_queue=HOUSEKEEPING,
    task_serializer="json",
    accept_content=["json"],
    timezone="UTC",
    task_create_missing_queues=True,
    # Connections are kept between tasks and checked before each (CONN_HEALTH_CHECKS).
    CELERY_DB_REUSE_MAX=1_000_000_000,
    # Times of single keys live in tables; beat knows nothing but this tick.
    beat_schedule={
        "tick": {
            "task": TICK,
            "schedule": TICK_SECONDS,
            # With a bound, so that ticks do not pile up while no worker runs.
            "options": {"queue": HOUSEKEEPING, "headers": {BOUND: MOST_TICKS}},
        }
    },
    beat_max_loop_interval=TICK_SECONDS,
)

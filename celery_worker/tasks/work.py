"""The task that a wake-up starts: take the next due key, work on it, go on with the next for some seconds."""

from __future__ import annotations

from django.db import close_old_connections

from celery_worker.app import app
from celery_worker.station import station
from migrations_app.adapters.dispatch.celery import WORK


@app.task(name=WORK)
def work(queue: str) -> None:
    """Work on whatever is due in the queues that this process serves."""
    close_old_connections()
    station().work(queue)

"""The tick: wakes workers for whatever is due, and keeps the safety net's own keys; heals lost wake-ups."""

from __future__ import annotations

from django.db import close_old_connections

from celery_worker.app import TICK, app
from celery_worker.queues import QUEUES
from migrations_app import wiring
from migrations_app.adapters import pulses
from migrations_app.engine.controller import ensure_due
from migrations_app.engine.safety_net import NAME as SAFETY_NET

MOST = 100


@app.task(name=TICK)
def tick() -> None:
    """Wake as many threads of each queue as have something to do."""
    close_old_connections()
    controllers, leases = wiring.controllers(), wiring.leases()
    ensure_due(controllers[SAFETY_NET], leases)
    due: dict[str, int] = {}
    queues = {*QUEUES, *(each.queue for each in controllers.values())}
    # One question where nothing is due, as mostly at rest.
    for queue in queues if leases.count_due(list(controllers), limit=1) else ():
        names = [name for name, each in controllers.items() if each.queue == queue]
        due[queue] = leases.count_due(names, limit=MOST)
        if due[queue]:
            wiring.dispatch().wake(queue, due[queue])
    pulses.beat("sweep", "sweep", {"due": sum(due.values())})

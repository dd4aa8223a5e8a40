"""The tick: wakes workers for whatever is due, and keeps the safety net's own keys; heals lost wake-ups."""

from __future__ import annotations

import time
from collections import Counter

from django.db import close_old_connections

from celery_worker.app import TICK, app
from migrations_app import wiring
from migrations_app.adapters.pulses import PulseRows
from migrations_app.engine.controller import ensure_due
from migrations_app.engine.safety_net import NAME as SAFETY_NET

MOST = 100
NET_SECONDS = 60.0
"""How often a process makes sure that the safety net's own keys are there."""

_asked_at = float("-inf")


@app.task(name=TICK)
def tick() -> None:
    """Wake as many threads of each queue as have something to do."""
    close_old_connections()
    global _asked_at
    controllers, leases = wiring.controllers(), wiring.leases()
    if time.monotonic() - _asked_at >= NET_SECONDS:
        ensure_due(controllers[SAFETY_NET], leases)
        _asked_at = time.monotonic()
    due: Counter[str] = Counter()
    for name, count in leases.count_due(list(controllers), limit=MOST).items():
        due[controllers[name].queue] += count
    for queue, count in due.items():
        wiring.dispatch().wake(queue, count)
    PulseRows().beat("sweep", "sweep", {"due": sum(due.values())})

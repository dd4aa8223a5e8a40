"""The sweep: hints at every key that has work, whatever became of the hints before."""

from __future__ import annotations

import logging

from django.db import close_old_connections

from celery_worker.app import SWEEP, app
from migrations_app import wiring
from migrations_app.adapters import pulses
from migrations_app.engine.controller import sweep

# A hint that was sent is trusted for this long before the key is hinted at again.
QUIET_SECONDS = 4.0

log = logging.getLogger(__name__)


@app.task(name=SWEEP)
def sweep_keys() -> None:
    """Hint at all keys that are due and free."""
    close_old_connections()
    controllers, dispatch = wiring.controllers(), wiring.dispatch()
    sent = sweep(controllers, wiring.leases(), dispatch.send, quiet_seconds=QUIET_SECONDS, failed=_say)
    pulses.beat("sweep", "sweep", {"sent": sent})


def _say(controller: str, error: Exception) -> None:
    log.error("%s cannot tell its keys", controller, exc_info=error)

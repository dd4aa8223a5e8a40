"""The task that lets one controller work on one key for one budget."""

from __future__ import annotations

import logging
import os
import socket
import threading

from django.db import close_old_connections

from celery_worker.app import app
from migrations_app import wiring
from migrations_app.adapters.dispatch.celery import RECONCILE
from migrations_app.engine.controller import Terms, reconcile

TERMS = Terms()
HOST = socket.gethostname()

log = logging.getLogger(__name__)


@app.task(name=RECONCILE)
def reconcile_key(controller: str, key: str) -> None:
    """Reconcile a key if it is free, and hint at it again if more is to be done at once."""
    close_old_connections()
    known = wiring.controllers().get(controller)
    if known is None:
        log.warning("no controller %s here; a newer worker will take %s", controller, key)
        return
    ran = reconcile(known, key, leases=wiring.leases(), clock=wiring.clock(), holder=_holder(), terms=TERMS)
    if ran.error is not None:
        log.warning("%s %s: %r -> %s", controller, key, ran.error, ran.outcome, exc_info=ran.error)
    if ran.at_once:
        wiring.dispatch().send(controller, key)


def _holder() -> str:
    return f"{HOST}:{os.getpid()}:{threading.get_ident()}"

"""Switchyard's own processes in the registry: a service like others, deployed in the regions that a process names.

The registry's own server cannot ask itself over HTTP before it serves, so `EnvRegistry` goes to the tables.

Source: seed 003 §1.2.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from django.db import connections

from migrations_app.control.registry.local_registry import LocalRegistry
from migrations_app.engine.registry.env_registry import EnvRegistry
from migrations_app.engine.registry.registration import Registration
from migrations_app.kernel.errors import Busy, SwitchyardError

SERVICE = "switchyard"
VERSIONS = ("v1",)
GENERATION = 1
"""Grows with what is registered here: a process of an earlier release leaves alone what a later one registered."""
AGAIN_SECONDS = 15.0

log = logging.getLogger(__name__)


def register_process(regions: Sequence[str], *, waits: bool = True) -> None:
    """Register Switchyard in the regions of this process, and block until the registry shows it there.

    A process that may start while the control database is away does not wait (`waits`): it registers when that
    answers. Without named regions a process is none of a region's, and registers nothing.
    Once: again it changes nothing; all processes of a region register the same.
    Raises: what the registry refuses; Busy (`registry-unavailable`) after a minute.
    """
    if not regions:
        return
    if not waits:
        threading.Thread(target=_register_later, args=(regions,), name="registration", daemon=True).start()
        return
    # A server may import its application inside of an event loop, where tables cannot be asked.
    with ThreadPoolExecutor(1, "registration") as thread:
        thread.submit(_register, regions).result()


def _register(regions: Sequence[str]) -> None:
    try:
        for region in regions:
            env = EnvRegistry(
                LocalRegistry(),
                Registration(
                    SERVICE,
                    region,
                    VERSIONS,
                    GENERATION,
                    service_fields={"displayName": "Switchyard"},
                    makes_region=True,
                ),
            )
            try:
                env.start()
            finally:
                env.close()
            log.info("registered as services/%s/deployments/%s", SERVICE, region)
    finally:
        connections.close_all()


def _register_later(regions: Sequence[str]) -> None:
    while True:
        try:
            return _register(regions)
        except Busy as error:
            log.info("not registered yet: %s", error)
            time.sleep(AGAIN_SECONDS)
        except SwitchyardError as error:
            log.warning("not registered: %s", error)
            return None

"""Worker and beat are a service like others: they register before the one takes work and the other ticks."""

from __future__ import annotations

from celery.signals import beat_init
from django.conf import settings

from migrations_app.control.registry.own_registration import register_process
from migrations_app.kernel.errors import SwitchyardError


def register(process: str) -> None:
    """Block until the registry shows Switchyard in the regions of this process.

    Raises: SystemExit, since Celery goes on after any other error of a signal.
    """
    if settings.SWITCHYARD.meta_url:
        return
    try:
        register_process(settings.SWITCHYARD.regions)
    except SwitchyardError as error:
        raise SystemExit(f"{process}: {error}") from error


@beat_init.connect
def register_beat(**_: object) -> None:
    """Register before the first tick."""
    register("beat")

"""A worker of constraints for one region, without a broker: takes every key in turn, until it is ended or killed."""

from __future__ import annotations

import os
import threading
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.db import close_old_connections  # noqa: E402

from migrations_app import wiring  # noqa: E402
from migrations_app.engine.controller import Budget, Controller, Lease  # noqa: E402
from migrations_app.kernel import failpoints  # noqa: E402
from migrations_app.kernel.errors import SwitchyardError  # noqa: E402
from tests.factories.due_keys import keys_due  # noqa: E402


def main() -> None:
    """Work until this process is ended: a controller that waits holds up no other."""
    failpoints.arm(settings.SWITCHYARD.fail)
    names = ("pending", "deleting", "subscribed-deletions", "read-copies")
    controllers = [wiring.controllers()[name] for name in names]
    for each in controllers[1:]:
        threading.Thread(target=work, args=(each,), daemon=True).start()
    work(controllers[0])


def work(controller: Controller) -> None:
    """Take the keys of one controller."""
    while True:
        close_old_connections()
        for key in keys_due(controller):
            try:
                controller.reconcile(key, Budget(1.0, wiring.clock()), Lease(key, 1))
            except SwitchyardError:
                continue
        time.sleep(0.1)


if __name__ == "__main__":
    main()

"""A worker without a broker: takes every due key in turn, as Celery's would, until it is ended or killed.

One thread for each controller: copying does not wait for proving.
"""

from __future__ import annotations

import os
import threading
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
django.setup()

from django.conf import settings  # noqa: E402

from migrations_app import wiring  # noqa: E402
from migrations_app.engine.controller import Terms, reconcile  # noqa: E402
from migrations_app.kernel import failpoints  # noqa: E402

TERMS = Terms(budget_seconds=1.0, lease_seconds=2.0)
CONTROLLERS = ("switch", "sync", "parity")


def main() -> None:
    """Work until somebody ends this process."""
    failpoints.arm(settings.SWITCHYARD.fail)
    wiring.controllers()
    for name in CONTROLLERS[1:]:
        threading.Thread(target=work, args=(name,), daemon=True).start()
    work(CONTROLLERS[0])


def work(name: str) -> None:
    """Take the keys of one controller."""
    controller, leases, clock = wiring.controllers()[name], wiring.leases(), wiring.clock()
    holder = f"crew:{os.getpid()}:{name}"
    while True:
        for key in list(controller.due()):
            reconcile(controller, key, leases=leases, clock=clock, holder=holder, terms=TERMS)
        time.sleep(0.05)


if __name__ == "__main__":
    main()

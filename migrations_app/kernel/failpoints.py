"""Failpoints: named places where a test may make this process raise, die, stop or dawdle.

`SWITCHYARD_FAIL=step:action@n,…` arms them; `action` is raise, exit, stop or sleep=seconds, and `@n` (default 1) the
visit at which it happens. Unarmed, a failpoint costs one look into an empty dictionary.
"""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass

from migrations_app.kernel.errors import Busy, Invalid
from migrations_app.kernel.messages import message

KILLED = 137


@dataclass(slots=True)
class _Armed:
    action: str
    seconds: float
    visit: int
    visits: int = 0


_armed: dict[str, _Armed] = {}


def arm(text: str) -> None:
    """Arm the failpoints a text names, instead of those armed before; an empty text disarms all.

    Raises: Invalid (`failpoint-syntax`).
    """
    _armed.clear()
    for part in filter(None, (part.strip() for part in text.split(","))):
        step, colon, rest = part.rpartition(":")
        action, _, visit = rest.partition("@")
        action, _, seconds = action.partition("=")
        if not colon or action not in {"raise", "exit", "stop", "sleep"} or not (visit or "1").isdigit():
            raise Invalid(
                message("Not a failpoint: {part}.", part=repr(part)),
                code="failpoint-syntax",
                remedy=message("Write step:action@n."),
            )
        _armed[step] = _Armed(action, float(seconds or 1), int(visit or 1))


def reach(step: str) -> None:
    """Pass a named place; does what is armed there at the visit it is armed for.

    Raises: Busy (`failpoint`) when armed to raise.
    """
    if not _armed:
        return
    point = _armed.get(step)
    if point is None:
        return
    point.visits += 1
    if point.visits == point.visit:
        _act(step, point)


def _act(step: str, point: _Armed) -> None:
    if point.action == "raise":
        raise Busy(message("Failpoint {step} was armed to fail here.", step=step), code="failpoint")
    if point.action == "exit":
        # As kill -9 would: no finally, no atexit, no flush.
        os._exit(KILLED)
    if point.action == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    if point.action == "sleep":
        time.sleep(point.seconds)

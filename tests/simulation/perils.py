"""What may happen at a call of a port: the process is killed, or another process overtakes it."""

from __future__ import annotations

import random
from typing import Any, Protocol

PERIL = 0.03
"""How often something happens before a call, and as often after one."""
EITHER = 2 * PERIL


class Crash(BaseException):
    """The process was killed here; nothing of it may be caught."""


class Broken(AssertionError):
    """An invariant does not hold."""


class Endangered(Protocol):
    """Whose calls are made through perilous ports."""

    chance: random.Random

    def peril(self, call: str, dice: float) -> None:
        """Let something happen at a call."""


class Perilous:
    """A port at every call of which something may happen, before it or after it."""

    def __init__(self, port: object, schedule: Endangered) -> None:
        self._port, self._schedule = port, schedule

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._port, name)
        if not callable(real) or name in ("transaction", "snapshot", "reached"):
            return real
        schedule, dice = self._schedule, self._schedule.chance.random

        def call(*args: Any, **options: Any) -> Any:
            if (thrown := dice()) > EITHER:
                return real(*args, **options)
            if thrown < PERIL:
                schedule.peril(name, thrown)
                return real(*args, **options)
            answer = real(*args, **options)
            schedule.peril(name, thrown - PERIL)
            return answer

        # What is looked up once is found at once the next time: schedules are many.
        self.__dict__[name] = call
        return call

"""Waits for commits to one part of the control database, and says whether the database notifies of them just now."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing, suppress

from migrations_app.kernel.errors import Busy
from migrations_app.ports.commit_notifications import CommitNotifications

log = logging.getLogger(__name__)


class CommitListener:
    """Follows notifications in a task (`run`), for one task that waits for them (`wait`); both in one event loop."""

    def __init__(
        self, notifications: Callable[[], CommitNotifications], what: str, retry_seconds: float
    ) -> None:
        self._notifications, self._what, self._retry_seconds = notifications, what, retry_seconds
        self._notified = asyncio.Event()
        self.listens = False

    async def run(self) -> None:
        """Follow until cancelled; where the database does not notify, try again after a while."""
        self.listens = False
        while True:
            try:
                async with aclosing(self._notifications().follow()) as notifications:
                    async for _ in notifications:
                        self.listens = True
                        self._notified.set()
            except Busy as error:
                log.warning("%s is asked until the database notifies again: %s", self._what, error)
            self.listens = False
            # The task that waits learns at once that it has to ask now.
            self._notified.set()
            await asyncio.sleep(self._retry_seconds)

    async def wait(self, seconds: float) -> None:
        """Wait until there was a commit since `clear`, at most so long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._notified.wait(), seconds)

    def clear(self) -> None:
        """Forget the commits until now; to be called before the database is asked, so that none is missed."""
        self._notified.clear()

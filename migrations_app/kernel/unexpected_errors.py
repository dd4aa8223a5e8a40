"""Errors that were not expected, where work goes on without what raised: logged with their traceback, and counted."""

from __future__ import annotations

import logging
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from threading import Lock

from migrations_app.kernel.errors import SwitchyardError

LOGGED_EVERY_SECONDS = 60.0
"""A hook may raise for each of a million resources: of one kind of error at one place a traceback is logged so often."""
MOST_KINDS = 200
"""A hook may make classes of errors: later ones are counted together."""

log = logging.getLogger("switchyard.unexpected")


class UnexpectedErrors:
    """Counts the errors of this process since it began, by the place that goes on and the class of the error."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now, self._lock = now, Lock()
        self._counts: Counter[tuple[str, str]] = Counter()
        self._logged: dict[tuple[str, str], float] = {}

    def note(self, place: str) -> None:
        """Note the error that is being handled; an error of ours is a refusal that its raiser expected."""
        error = sys.exception()
        if error is None or isinstance(error, SwitchyardError):
            return
        kind = place, type(error).__name__
        with self._lock:
            if kind not in self._counts and len(self._counts) >= MOST_KINDS:
                kind = place, "other"
            self._counts[kind] += 1
            is_due = self._now() - self._logged.get(kind, float("-inf")) >= LOGGED_EVERY_SECONDS
            if is_due:
                self._logged[kind] = self._now()
        if is_due:
            log.error("%s goes on without what raised %s", place, type(error).__name__, exc_info=error)

    def counts(self) -> Mapping[tuple[str, str], int]:
        """Give the counts by place and class."""
        with self._lock:
            return dict(self._counts)

    def total(self) -> int:
        """Count all of them."""
        with self._lock:
            return self._counts.total()


UNEXPECTED = UnexpectedErrors()
"""Those of this process."""

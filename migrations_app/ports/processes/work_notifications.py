"""Notices of new keys of work, as the control database gives them with the commit that made them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Protocol


class WorkNotifications(Protocol):
    """Tells which controllers may have new keys."""

    def listen(
        self, heard: Callable[[frozenset[str]], object], missed: Callable[[], object], ended: Event
    ) -> None:
        """Hand on the names of controllers until `ended`; a connection that is lost is made again.

        Then `missed` is called: any controller may have keys that nothing was said of meanwhile. It blocks, so it has a
        thread of its own.
        """
        ...

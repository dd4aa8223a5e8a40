"""One look at a feed for all watches of it: a watch reads only when there is something new."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from migrations_app.engine.serving.routing import Router, ServingMode
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.feed import Feed, FeedOperation, Position
from migrations_app.ports.namespaces import Namespace

EVERY_SECONDS = 0.1

Place = tuple[str, str, str]


@dataclass(slots=True)
class _Tail:
    lock: Lock = field(default_factory=Lock)
    looked_at: float = float("-inf")
    moves: int = 0
    served: tuple[Namespace, ServingMode] | None = None
    position: Position = Position("")


class Tails:
    """Follows the end of the feed behind each (region, service, version) that is watched in this process."""

    def __init__(self, router: Router, feed: Feed, now: Callable[[], float] = time.monotonic) -> None:
        self._router, self._feed, self._now = router, feed, now
        self._tails: dict[Place, _Tail] = {}

    def moves(self, place: Place) -> int:
        """Count what happened so far: writes, and changes of what serves the version.

        It looks at most ten times a second. A watch notes the count, reads, and need not read again while
        the count stays: what became readable later is counted later.
        """
        tail = self._tails.setdefault(place, _Tail())
        if tail.lock.acquire(blocking=False):
            try:
                if self._now() - tail.looked_at >= EVERY_SECONDS:
                    tail.moves += self._moved(place, tail)
                    tail.looked_at = self._now()
            finally:
                tail.lock.release()
        return tail.moves

    def _moved(self, place: Place, tail: _Tail) -> bool:
        try:
            route, _ = self._router.read(*place, lambda *_: None)
            served = route.namespace, route.how
            if served != tail.served:
                tail.position, tail.served = self._feed.head(route.namespace), served
                return True
            batch = self._feed.read(route.namespace, tail.position, echo=True)
        except SwitchyardError:
            tail.served = None
            return True
        tail.position = batch.position
        return any(change.operation is not FeedOperation.BEAT for change in batch.changes)

"""What evicted deployments hold is released: no deployment waits for their answer any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from migrations_app.engine.controller import Budget
from migrations_app.engine.serving.routing import Router
from migrations_app.ports.regions.peers import Peer

Evicted = Callable[[], Mapping[str, datetime]]
"""Lists the evicted deployments, and since when."""
AT_ONCE = 1000
HEARD_OF_AFTER = timedelta(seconds=60)
"""By then every process refuses what an evicted deployment asks: what is released then stays so."""


class Releasing:
    """Takes evicted deployments out of what one deployment keeps: blockades, sources and owed confirmations."""

    def __init__(self, router: Router, evicted: Evicted) -> None:
        self._router, self._evicted = router, evicted
        self._done: set[tuple[Peer, str, datetime]] = set()

    def release(self, here: Peer, budget: Budget) -> bool:
        """Release what is held here, page by page; one that is done is not looked at again by this process.

        Tells whether all are done.

        Once: every page commits for itself, and may be taken again.
        """
        evicted = self._evicted()
        for source, since in evicted.items():
            key = (here, source, since)
            if key in self._done or source == here.deployment:
                continue
            after = self._release(here, source, budget)
            now = self._router.read_active(
                here.region, here.service, lambda _, reading: reading.constraints.now()
            )[1]
            if not after and now - since > HEARD_OF_AFTER:
                self._done.add(key)
        return all(
            source == here.deployment or (here, source, since) in self._done
            for source, since in evicted.items()
        )

    def _release(self, here: Peer, source: str, budget: Budget) -> str:
        after = ""
        while not budget.spent:
            after = self._router.write_active(
                here.region,
                here.service,
                lambda _, now, after=after: now.constraints.release(source, after, AT_ONCE),  # type: ignore[misc]
            )[1]
            if not after:
                break
        return after

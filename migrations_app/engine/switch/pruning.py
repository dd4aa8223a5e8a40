"""The controller that takes away what nobody needs: feed entries everybody has passed, places of ended upgrades."""

from __future__ import annotations

from collections.abc import Iterable

from migrations_app.engine.controller import Again, Budget, Lease, Outcome, WorkClass
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.failpoints import reach
from migrations_app.ports.feed import Feed
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.places import Places
from migrations_app.ports.store import Store
from migrations_app.ports.throttle import Throttle

BATCH = 10_000
FEEDS, LEFTOVERS = "feeds", "leftovers"
EVERY_SECONDS = {FEEDS: 15.0, LEFTOVERS: 300.0}
RESTING_SECONDS = 5.0
RESTING_FEEDS_SECONDS = 60.0


class PruneController:
    """Prunes feeds in batches, and drops one left-over namespace after the other, table by table."""

    name = "prune"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, store: Store, feed: Feed, places: Places, throttle: Throttle) -> None:
        self._store, self._feed, self._places = store, feed, places
        self._throttle = throttle

    def due(self) -> Iterable[str]:
        """List both chores; their rows say when each is due again."""
        return EVERY_SECONDS

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Prune until nothing is left or the budget is spent.

        Once: deleting and dropping may be repeated; whoever follows keeps what it has not passed.
        """
        if key == LEFTOVERS:
            return Again(self._drop(budget))
        return Again(self._trim(budget))

    def _trim(self, budget: Budget) -> float:
        """Trim the feeds that have entries; tell when to go on, later where nothing could be trimmed."""
        trimmed = False
        for namespace in self._filled():
            try:
                while (count := self._feed.trim(namespace, limit=BATCH)) == BATCH:
                    if budget.spent:
                        return 0.0
            except Missing:
                # Dropped since it was listed.
                continue
            trimmed = trimmed or count > 0
            if budget.spent:
                return 0.0
        return EVERY_SECONDS[FEEDS] if trimmed else RESTING_FEEDS_SECONDS

    def _filled(self) -> list[Namespace]:
        """List the namespaces whose feeds have entries, by one question to each database."""
        by_database: dict[str, list[Namespace]] = {}
        for namespace in self._places.in_use():
            by_database.setdefault(namespace.database, []).append(namespace)
        return [
            namespace for namespaces in by_database.values() for namespace in self._feed.marks(namespaces)
        ]

    def _drop(self, budget: Budget) -> float:
        """Drop part after part, each a commit of its own; tell when to go on."""
        for namespace in self._places.left_over():
            left = True
            while left:
                if budget.spent:
                    return 0.0
                if self._throttle.reason(namespace):
                    return RESTING_SECONDS
                reach("drop.before")
                left = self._store.drop_part(namespace)
                reach("drop.after")
            self._places.dropped(namespace)
        return EVERY_SECONDS[LEFTOVERS]

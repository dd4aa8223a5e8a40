"""The controller that takes away what is not needed: feed entries that all have passed, places of ended upgrades."""

from __future__ import annotations

from collections.abc import Iterable

from migrations_app.engine.controller import Again, Budget, Lease, Outcome, WorkClass, at_whole
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.failpoints import reach
from migrations_app.ports.feed import Feed, Position
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.places import Places
from migrations_app.ports.store import Store
from migrations_app.ports.throttle import Throttle

BATCH = 10_000
FEEDS, LEFTOVERS = "feeds", "leftovers"
EVERY_SECONDS = {FEEDS: 15.0, LEFTOVERS: 300.0}
RESTING_SECONDS = 5.0
RESTING_FEEDS_SECONDS = 60.0
QUIET_FEED_SECONDS = 300.0
"""How long a feed is left alone of which nothing could be deleted, and which has no new entry."""


class PruneController:
    """Prunes feeds in batches, and drops one left-over namespace after the other, table by table."""

    name = "prune"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, store: Store, feed: Feed, places: Places, throttle: Throttle, clock: Clock) -> None:
        self._store, self._feed, self._places = store, feed, places
        self._throttle, self._clock = throttle, clock
        self._quiet: dict[Namespace, tuple[Position, float]] = {}

    def due(self) -> Iterable[str]:
        """List both chores; their rows say when each is due again."""
        return EVERY_SECONDS

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Prune until nothing is left or the budget is spent.

        Once: deleting and dropping may be repeated; a follower keeps what it has not passed.
        """
        if key == LEFTOVERS:
            return Again(self._drop(budget))
        return Again(self._trim(budget))

    def _trim(self, budget: Budget) -> float:
        """Trim the feeds that have entries; tell when to go on, later where nothing could be trimmed."""
        trimmed, filled, now = False, self._filled(), self._clock.monotonic()
        self._quiet = {each: quiet for each, quiet in self._quiet.items() if each in filled}
        for namespace, newest in filled.items():
            known, until = self._quiet.get(namespace, ("", 0.0))
            if known == newest and now < until:
                continue
            try:
                while (count := self._feed.trim(namespace, limit=BATCH)) == BATCH:
                    if budget.spent:
                        return 0.0
            except Missing:
                # Dropped since it was listed.
                continue
            trimmed = trimmed or count > 0
            self._quiet[namespace] = (newest, now + (0.0 if count else QUIET_FEED_SECONDS))
            if budget.spent:
                return 0.0
        return EVERY_SECONDS[FEEDS] if trimmed else at_whole(RESTING_FEEDS_SECONDS, self._clock)

    def _filled(self) -> dict[Namespace, Position]:
        """Tell the newest entries of the feeds that have some, by one question to each database."""
        by_database: dict[str, list[Namespace]] = {}
        for namespace in self._places.in_use():
            by_database.setdefault(namespace.database, []).append(namespace)
        return {
            namespace: mark.newest
            for namespaces in by_database.values()
            for namespace, mark in self._feed.marks(namespaces).items()
        }

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

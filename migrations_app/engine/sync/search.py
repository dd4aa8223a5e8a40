"""The controller that keeps search indexes level with the namespaces of every version in use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.words import document_words, is_searchable
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, Rest, WorkClass, while_hosted
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import Conflict, Halted
from migrations_app.ports.feed import Feed, FeedOperation, Position
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Directory
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.search import Search, SearchEntry
from migrations_app.ports.store import Store

FOLLOWER = "search"
BATCH = 500
EVERY_SECONDS = 1.0
QUIET_SECONDS, QUIET_EVERY_SECONDS = 20.0, 10.0
"""Where nothing changed for so long, places that an upgrade copies into are asked for changes less often."""
SWEEP_SECONDS = 60.0


@dataclass(slots=True)
class SearchController:
    """Follows the feeds of namespaces with searchable types, and now and then compares all.

    Copies of a backfill are not in the feed: what they bring is found by comparing.
    """

    store: Store
    feed: Feed
    search: Search
    directory: Directory
    hosted: Callable[[], Sequence[Peer]]
    clock: Clock
    rest: Rest | None = None
    beside: Callable[[str], Sequence[Namespace]] = lambda _: ()
    """Gives places of a deployment that the registry does not show: what an upgrade fills, or has left."""
    is_filled: Callable[[str], bool] = lambda _: False
    """Tells whether an upgrade under way copies into one of the places of a deployment."""
    name: str = "search"
    queue: str = "sync"
    work_class: WorkClass = WorkClass.UPKEEP
    _swept: dict[Namespace, float] = field(default_factory=dict)
    # A hint only: when this process last found changes of a place.
    _moved_at: dict[Namespace, float] = field(default_factory=dict)

    def due(self) -> Iterable[str]:
        """List the deployments whose data is here; their rows say when each is due again."""
        return [peer.deployment for peer in self.hosted()]

    @while_hosted
    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Index what changed in each version in use.

        Once: an entry only ever replaces an older revision, so that all may be repeated.
        """
        here = Peer.parse(key)
        # Before the places are looked at: what was copied until then is found in them.
        filled = self.is_filled(key)
        served = self.directory.served(here.region, here.service)
        searchable, all_compared = False, True
        places = dict.fromkeys([*served.namespaces.values(), *self.beside(key)])
        for namespace in places:
            schema = served.compiled.stored.schema(namespace.version)
            types = [short for short, each in schema.resources.items() if is_searchable(each)]
            searchable = searchable or bool(types)
            stored = [short for short in types if short in self.store.types(namespace)]
            compares = self._compares(namespace)
            if stored and not self._level(schema, namespace, stored, budget):
                return Again()
            all_compared = all_compared and (not types or (bool(stored) and compares))
        if self.rest is None or (searchable and filled):
            return Again(self._every_seconds(places) if searchable else SWEEP_SECONDS)
        if len(places) > 1 and not all_compared:
            # An upgrade may have copied into one of them since they were compared.
            return Again(SWEEP_SECONDS)
        # Nothing is copied here, and who watches the feed wakes this key; but not with what is out of date.
        self.directory.forget(here.region, here.service)
        now = self.directory.served(here.region, here.service)
        return self.rest.after(key) if now.namespaces == served.namespaces else Again()

    def _every_seconds(self, places: Iterable[Namespace]) -> float:
        """Tell how often to ask for what an upgrade copies, of which no writer tells."""
        now = self.clock.monotonic()
        # What this process has not looked at yet may just have changed.
        moved_at = max(self._moved_at.setdefault(each, now) for each in places)
        return EVERY_SECONDS if now - moved_at < QUIET_SECONDS else QUIET_EVERY_SECONDS

    def _level(self, schema: Schema, namespace: Namespace, types: Sequence[str], budget: Budget) -> bool:
        """Bring one index level; tell whether it is."""
        compares = self._compares(namespace)
        fresh = self._follow(schema, namespace, types, budget)
        if fresh or compares:
            if not self._sweep(schema, namespace, types, budget):
                return False
            self._swept[namespace] = self.clock.monotonic() + SWEEP_SECONDS
        return not budget.spent

    def _compares(self, namespace: Namespace) -> bool:
        return self.clock.monotonic() >= self._swept.get(namespace, 0.0)

    def _follow(self, schema: Schema, namespace: Namespace, types: Sequence[str], budget: Budget) -> bool:
        """Index what the feed tells; tell whether the feed was only now begun to be followed."""
        cursors = self.feed.cursors(namespace, FOLLOWER)
        if len(cursors) < namespace.ring or any(each.dead for each in cursors):
            self._begin(namespace)
            return True
        at = cursors[0].position
        for each in cursors:
            at = at if self.feed.reached(each.position, at) else each.position
        while not budget.spent:
            try:
                batch = self.feed.read(namespace, at, limit=BATCH, echo=True)
            except Conflict:
                self._begin(namespace)
                return True
            for type_ in types:
                changes = [each for each in batch.changes if each.type == type_]
                gone = {each.name for each in changes if each.operation is FeedOperation.DELETE}
                self._index(schema, namespace, type_, [*{each.name for each in changes}])
                self.search.remove(namespace, type_, [*gone])
            at = batch.position
            # Pulses come all the time, and are no changes.
            if any(each.operation is not FeedOperation.BEAT for each in batch.changes):
                self._moved_at[namespace] = self.clock.monotonic()
            if batch.changes and not self._advance(namespace, at):
                self._begin(namespace)
                return True
            if batch.level:
                break
        return False

    def _advance(self, namespace: Namespace, at: Position) -> bool:
        try:
            self.feed.advance(namespace, FOLLOWER, range(namespace.ring), at)
        except Halted:
            return False
        return True

    def _begin(self, namespace: Namespace) -> None:
        self.feed.forget(namespace, FOLLOWER)
        head = self.feed.head(namespace)
        self.feed.register(namespace, FOLLOWER, dict.fromkeys(range(namespace.ring), head))

    def _sweep(self, schema: Schema, namespace: Namespace, types: Sequence[str], budget: Budget) -> bool:
        for type_ in types:
            while names := self.search.behind(namespace, type_, BATCH):
                self._index(schema, namespace, type_, names)
                if budget.spent:
                    return False
            self.search.remove_lost(namespace, type_)
        return True

    def _index(self, schema: Schema, namespace: Namespace, type_: str, names: Sequence[str]) -> None:
        found = self.store.read(namespace).batch_get(type_, names)
        self.search.put(
            namespace,
            type_,
            [
                SearchEntry(name, each.revision, document_words(schema, type_, name, each.body))
                for name, each in found.items()
            ],
        )

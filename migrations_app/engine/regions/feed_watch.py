"""The controller that watches the change feeds of a data database, and wakes the keys that depend on one that moved."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import cast

from migrations_app.engine.controller import Again, Budget, Done, Lease, Outcome, WorkClass, at_whole
from migrations_app.engine.regions.dependants import Dependants
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.copies import Copies, FeedLook
from migrations_app.ports.dispatch import Dispatch
from migrations_app.ports.feed import Feed, FeedMark
from migrations_app.ports.locks import WokenKey
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.references.reference_work import ReferenceWorkReader
from migrations_app.ports.regions.peers import Peer

NAME = "feed-watch"
EVERY_SECONDS = 15.0
"""How late a change is noticed whose writer could not tell of it."""
AWAY_SECONDS = 60.0
"""How long a database that did not answer is not told what is level."""
TRUSTED_SECONDS = 60.0
"""How late it is noticed that a database was restored on another server while this process runs."""
UNSETTLED_SECONDS = 1.0
"""How soon a feed is looked at again in which an earlier entry may still be committed."""

log = logging.getLogger(__name__)


def keys_of_look(database: str, schemas: Collection[str]) -> list[WokenKey]:
    """Name the keys for a look at these schemas of a database; at all of them when none is named."""
    keys = [f"{database}/{schema}" for schema in schemas] or [database]
    return [WokenKey(NAME, key, WorkClass.READ_COPIES) for key in keys]


@dataclass(frozen=True, slots=True)
class FeedState:
    """What was seen of a feed: its mark, and since when it has been there; an unsettled one is looked at again."""

    newest: str
    settled: bool
    since: datetime


class FeedWatch:
    """Looks at all feeds of one data database by one question, and at what its deployments have under way by another.

    A key names the database, or the database and one schema in which something was written: such a key is forgotten
    when it was looked at.

    Writers make keys due when they have committed, at most once a second for each process. What they could not tell is
    found by looking every 15 seconds. So the cost of deployments at rest does not grow with their number, and a write
    is followed by a question about one feed. `place` lists the namespaces of one schema of a database.
    """

    name = NAME
    queue = "sync"
    work_class = WorkClass.READ_COPIES

    def __init__(
        self,
        *,
        feed: Feed,
        copies: Copies,
        reference_work: ReferenceWorkReader,
        dispatch: Dispatch,
        places: Callable[[], Sequence[Namespace]],
        place: Callable[[str, str], Sequence[Namespace]],
        dependants: Dependants,
        clock: Clock,
    ) -> None:
        self._feed, self._copies = feed, copies
        self._reference_work, self._dispatch = reference_work, dispatch
        self._places, self._place, self._dependants, self._clock = places, place, dependants, clock
        self._away: dict[str, float] = {}
        # A hint only: until when a database is believed to be on the server that it was on.
        self._trusted: dict[str, float] = {}

    def due(self) -> Iterable[str]:
        """List the databases that hold namespaces; their rows say when each is looked at again."""
        return dict.fromkeys(each.database for each in self._places())

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Wake the keys that depend on feeds that moved since the last look, and those that fill new namespaces.

        Once: the marks are noted after the keys were made due; a look that is lost wakes them once more.
        """
        database, _, schema = key.partition("/")
        if schema:
            # Every second while clients write: not by a list of the whole fleet.
            return self._look_at_written(self._place(database, schema))
        places = self._places()
        here = [each for each in places if each.database == key]
        looked_at = self._clock.now()
        if not here:
            self._note_look(places, FeedLook(key, looked_at, {}))
            return Done()
        for restored in self._restored(here):
            log.warning(
                "The change feed of %s was restored from another server; its followers copy again.", restored
            )
        known, marks = read_known(lease.memo), self._feed.marks(here)
        seen = {each: _seen(known.get(each.schema), marks.get(each), looked_at) for each in here}
        moved = [each for each in here if known.get(each.schema) != seen[each]]
        pending = self._reference_work.pending(here)
        new = self._dependants.of_new([each for each in moved if each.schema not in known])
        woken = [*self._dependants.of(moved), *new, *self._dependants.of_reference_work(pending)]
        if woken:
            self._dispatch.poke_all(list(dict.fromkeys(woken)))
        rests_since: dict[str, datetime] = {}
        for namespace, each in seen.items():
            ours = namespace.deployment
            rests_since[ours] = max(each.since, rests_since.get(ours, each.since))
        followers = self._followers([each for each in moved if each.schema in known], places)
        self._note_look(places, FeedLook(key, looked_at, rests_since, followers))
        changed = moved or len(known) != len(here)
        told = write_known({each.schema: seen[each] for each in here}) if changed else None
        settled = all(each.settled for each in seen.values())
        return Again(at_whole(EVERY_SECONDS, self._clock) if settled else UNSETTLED_SECONDS, memo=told)

    def _look_at_written(self, written: Sequence[Namespace]) -> Outcome:
        """Wake what depends on a namespace that was written to.

        Nothing is noted: the next look at the whole database finds it moved, and notes how long the others have not.
        """
        marks = self._feed.marks(written)
        pending = self._reference_work.pending(written)
        upgrades = self._dependants.of_upgrades(written)
        woken = [*self._dependants.of(written), *upgrades, *self._dependants.of_reference_work(pending)]
        if woken:
            self._dispatch.poke_all(woken)
        settled = all(mark.settled for mark in marks.values())
        return Done(for_good=True) if settled else Again(UNSETTLED_SECONDS)

    def _restored(self, here: Sequence[Namespace]) -> Sequence[Namespace]:
        """Reset the feeds of a database that was restored from another server; asked for now and then."""
        database, now = here[0].database, self._clock.monotonic()
        if now < self._trusted.get(database, 0.0):
            return ()
        found = self._feed.reset_restored(here)
        self._trusted[database] = now + TRUSTED_SECONDS
        return found

    def _followers(
        self, moved: Sequence[Namespace], places: Sequence[Namespace]
    ) -> list[tuple[Namespace, str]]:
        """List who keeps copies of these, with the region that each is of."""
        sources = [Peer.parse(each) for each in dict.fromkeys(each.deployment for each in moved)]
        return [
            (place, source.region)
            for source in sources
            for place in places
            if (peer := Peer.parse(place.deployment)).service == source.service and peer != source
        ]

    def _note_look(self, places: Sequence[Namespace], look: FeedLook) -> None:
        """Tell the databases of those who keep copies what has not moved: their copies are caught up as of this look."""
        held: dict[str, list[Namespace]] = {}
        for each in places:
            held.setdefault(each.database, []).append(each)
        for database, namespaces in held.items():
            if self._clock.monotonic() < self._away.get(database, 0.0):
                continue
            services = {Peer.parse(each.deployment).service for each in namespaces}
            rests = {
                ours: since
                for ours, since in look.rests_since.items()
                if Peer.parse(ours).service in services
            }
            moved = [each for each in look.moved if each[0].database == database]
            try:
                self._copies.note_look(namespaces[0], replace(look, rests_since=rests, moved=moved))
            except SwitchyardError:
                # Its copies are shown as old, which they may be; the look itself is none of its business.
                self._away[database] = self._clock.monotonic() + AWAY_SECONDS


def read_known(told: JsonObject) -> dict[str, FeedState]:
    """Read what the last look left; nothing when it is of another release."""
    marks = told.get("marks")
    found: dict[str, FeedState] = {}
    for schema, row in marks.items() if isinstance(marks, dict) else ():
        match row:
            case [str(newest), bool(settled), str(since)]:
                found[schema] = FeedState(newest, settled, datetime.fromisoformat(since).astimezone(UTC))
    return found


def write_known(known: Mapping[str, FeedState]) -> JsonObject:
    """Write what a look saw."""
    rows = {schema: [each.newest, each.settled, each.since.isoformat()] for schema, each in known.items()}
    return cast(JsonObject, {"marks": rows})


def _seen(known: FeedState | None, mark: FeedMark | None, now: datetime) -> FeedState:
    """Tell what is known after a look: a feed without entries, or all of whose entries were deleted, has not moved."""
    if mark is None:
        return known or FeedState("", True, now)
    if known is not None and known.newest == mark.newest and known.settled:
        return known
    return FeedState(mark.newest, mark.settled, now)

"""The controller of read copies: follows what other regions own, and compares, version by version.

Source: seed 003 §2.4; live first, then the comparison.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from migrations_app.domain.regions.read_copies import READ_COPY, CopyEvent
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, Rest, WorkClass, while_hosted
from migrations_app.engine.regions.comparing import ReadCopyComparison
from migrations_app.engine.regions.copy_ports import CopyPorts
from migrations_app.engine.regions.messages import OwnedChanges, WatchOwned
from migrations_app.engine.regions.places import Away, ReadCopyNamespace, changes_of, replication_token_for
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.failpoints import reach
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted
from migrations_app.ports.copies import ComparisonStage, CopySource
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.peers import Peer, Peers
from migrations_app.ports.stored import ReplicationToken

BATCH = 500
IDLE_SECONDS, AWAY_SECONDS = 1.0, 3.0
PAUSE_SECONDS, QUIET_POLLS = 0.05, 4
COMPARE_EVERY_SECONDS = 900.0
"""Nothing is known to be missed; what a restored database may have forgotten is found by comparing again."""


class CopyController:
    """Keeps the read copies of one deployment level with those of one other region; a key names both.

    What it remembers of a source does not grow with what the source owns: a page at a time, a position between.
    """

    name = "read-copies"
    queue = "sync"
    work_class = WorkClass.READ_COPIES

    def __init__(
        self,
        ports: CopyPorts,
        peers: Peers,
        hosted: Callable[[], Sequence[Peer]],
        regions: Callable[[str], Sequence[str]],
        clock: Clock,
        *,
        beside: Callable[[str], Sequence[Namespace]] = lambda _: (),
        sleep: Callable[[float], None] = time.sleep,
        rest: Rest | None = None,
        is_watched: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._store, self._copies = ports.store, ports.copies
        self._fence, self._directory, self._peers = ports.fence, ports.directory, peers
        self._hosted, self._regions, self._clock, self._sleep = hosted, regions, clock, sleep
        self._beside, self._rest, self._is_watched = beside, rest, is_watched
        # Kept over slices: where changes come, a slice that begins between two of them does not rest.
        self._busy: set[tuple[Namespace, str]] = set()
        self._comparing = ReadCopyComparison(self._store, self._copies, self._peers, clock)

    def due(self) -> Iterable[str]:
        """List our deployments, each with every other region of its service."""
        return [
            key_of(here, region)
            for here in self._hosted()
            for region in self._regions(here.service)
            if region != here.region
        ]

    @while_hosted
    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Follow one region in every version that is kept here, and in the places that data move to or came from.

        Once: copies and the position after them commit together, and only from where they were read.
        """
        ours, _, region = key.partition("<")
        here = Peer.parse(ours)
        places = self._places(here)
        outcomes = [
            self._follow(
                ReadCopyNamespace(here, Peer(here.service, region), namespace.version, namespace), budget
            )
            for namespace in places
            if self._store.types(namespace)
        ]
        first = min(outcomes, key=lambda outcome: outcome.after_seconds, default=Again(IDLE_SECONDS))
        if self._rest is None or not self._is_watched(region) or not outcomes or first != Again(IDLE_SECONDS):
            return first
        # Nothing changes, all places are prepared and followed, and who watches that region wakes this key; who finds a
        # new place here does too. But not with places that are out of date.
        self._directory.forget(here.region, here.service)
        return self._rest.after(key) if self._places(here) == places else Again(0.0)

    def _places(self, here: Peer) -> list[Namespace]:
        served = self._directory.served(here.region, here.service)
        known = dict.fromkeys(served.namespaces.values())
        return [*known, *(each for each in self._beside(here.deployment) if each not in known)]

    def _follow(self, place: ReadCopyNamespace, budget: Budget) -> Again:
        source = self._copies.source(place.namespace, place.there.region)
        replication_token, quiet, key = (
            replication_token_for(self._fence, place.namespace),
            0,
            (place.namespace, place.there.region),
        )
        while True:
            try:
                source, moved, level = self._step(place, source, replication_token)
                compares = source.stage is not ComparisonStage.FOLLOW
                if compares:
                    source, level = self._comparing.step(place, source, replication_token), False
            except Away as away:
                self._copies.note(place.namespace, replace(source, problem=away.words))
                return Again(AWAY_SECONDS)
            quiet = quiet + 1 if level and not moved else 0
            if moved or not (quiet or compares):
                self._busy.add(key)
            elif quiet and (quiet >= QUIET_POLLS or key not in self._busy):
                self._busy.discard(key)
                return Again(IDLE_SECONDS)
            if budget.spent:
                return Again(0.0)
            if level:
                # So that a burst is not answered by a burst of questions.
                self._sleep(min(PAUSE_SECONDS, budget.left_seconds))

    def _step(
        self, place: ReadCopyNamespace, source: CopySource, replication_token: ReplicationToken | None
    ) -> tuple[CopySource, bool, bool]:
        """Take the next changes; tell whether there were any, and whether there are no more."""
        asked_at = self._clock.now()
        asked = WatchOwned(place.version, source.position, BATCH)
        found = place.ask(self._peers, "watchOwned", asked, OwnedChanges)
        heard = replace(
            source,
            position=found.next,
            heard_at=self._clock.now(),
            waiting=found.waiting,
            level_at=asked_at if found.level and source.stage is ComparisonStage.FOLLOW else source.level_at,
            problem=_refused(found.failed, place.version),
        )
        if found.begun or self._is_old(source):
            heard = replace(heard, stage=READ_COPY.after(heard.stage, CopyEvent.COMPARE), cursor="")
        reach("copies.heard")
        changes = changes_of(place, self._store, found.resources, found.gone)
        if not changes:
            return self._copies.note(place.namespace, heard), False, found.level
        after, _ = self._copies.bring(place.namespace, heard, changes, replication_token)
        reach("copies.brought")
        return after, True, found.level

    def _is_old(self, source: CopySource) -> bool:
        if source.stage is not ComparisonStage.FOLLOW or source.compared_at is None:
            return False
        return (self._clock.now() - source.compared_at).total_seconds() > COMPARE_EVERY_SECONDS


def _refused(failed: int, version: str) -> WordedMessage:
    if not failed:
        return NOTHING
    return counted(
        failed,
        "{count} resource does not convert to {version}.",
        "{count} resources do not convert to {version}.",
        version=version,
    )


def key_of(here: Peer, region: str) -> str:
    """Name the work of copying from a region to a deployment."""
    return f"{here.deployment}<{region}"

"""The comparison of copies with their owner: a page of one side at a time, by name and revision.

Not one merge of both sides: an owner in another version has its resources in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrations_app.domain.regions.read_copies import READ_COPY, CopyEvent
from migrations_app.engine.regions.messages import (
    MOST_LISTED,
    MOST_READ,
    CopyEntry,
    ListOwned,
    OwnedListed,
    OwnedRead,
    ReadOwned,
)
from migrations_app.engine.regions.places import ReadCopyNamespace, changes_of
from migrations_app.kernel.clock import Clock
from migrations_app.ports.copies import ComparisonStage, Copies, CopySource, ResourceIdentity
from migrations_app.ports.regions.peers import Peers
from migrations_app.ports.store import Store
from migrations_app.ports.stored import Removal, ReplicationToken


class ReadCopyComparison:
    """Finds what following alone would miss: what was there before it began, and what went unnoticed."""

    def __init__(self, store: Store, copies: Copies, peers: Peers, clock: Clock) -> None:
        self._store, self._copies, self._peers, self._clock = store, copies, peers, clock

    def step(
        self, place: ReadCopyNamespace, source: CopySource, replication_token: ReplicationToken | None
    ) -> CopySource:
        """Compare one page, and write what differs; first what the owner has, then what is kept here.

        Raises: Away, Stale, Busy.
        """
        if source.stage is ComparisonStage.THEIRS:
            return self._theirs(place, source, replication_token)
        return self._ours(place, source, replication_token)

    def _theirs(
        self, place: ReadCopyNamespace, source: CopySource, replication_token: ReplicationToken | None
    ) -> CopySource:
        listed = place.ask(
            self._peers, "listOwned", ListOwned(place.version, source.cursor, MOST_LISTED), OwnedListed
        )
        lacking = self._lacking(place, listed.entries)
        for start in range(0, len(lacking), MOST_READ):
            left: Sequence[CopyEntry] = lacking[start : start + MOST_READ]
            while left:
                found = place.ask(self._peers, "readOwned", ReadOwned(place.version, tuple(left)), OwnedRead)
                changes = changes_of(place, self._store, found.resources)
                source, _ = self._copies.bring(place.namespace, source, changes, replication_token)
                # An answer holds some megabytes; those it passed over are gone by now.
                left = left[found.there[-1] + 1 :] if found.there else ()
        if listed.next:
            return self._copies.note(place.namespace, replace(source, cursor=listed.next))
        return self._copies.note(
            place.namespace,
            replace(source, stage=READ_COPY.after(source.stage, CopyEvent.SOURCE_READ), cursor=""),
        )

    def _lacking(self, place: ReadCopyNamespace, entries: Sequence[CopyEntry]) -> list[CopyEntry]:
        types = set(self._store.types(place.namespace))
        lacking: list[CopyEntry] = []
        for type_ in sorted({each.type for each in entries} & types):
            mine = [each for each in entries if each.type == type_]
            names = [each.name for each in mine]
            known = self._copies.known(place.namespace, place.there.region, type_, names)
            lacking += [each for each in mine if known.get(each.name, 0) < each.revision]
        return lacking

    def _ours(
        self, place: ReadCopyNamespace, source: CopySource, replication_token: ReplicationToken | None
    ) -> CopySource:
        kind, _, after = source.cursor.partition("/")
        types = [each for each in sorted(self._store.types(place.namespace)) if each >= kind]
        for type_ in types:
            page = self._copies.held(
                place.namespace, place.there.region, type_, after if type_ == kind else "", MOST_LISTED
            )
            if not page:
                continue
            source, _ = self._copies.bring(
                place.namespace, source, self._lost(place, page), replication_token
            )
            # After a page that is not full the same type has no more, and the next look goes on with the others.
            return self._copies.note(place.namespace, replace(source, cursor=f"{type_}/{page[-1].name}"))
        return self._done(place, source)

    def _lost(self, place: ReadCopyNamespace, page: Sequence[ResourceIdentity]) -> list[Removal]:
        things = tuple(CopyEntry(each.type, each.name, each.uid) for each in page)
        asked = ReadOwned(place.version, things, bodies=False)
        there = set(place.ask(self._peers, "readOwned", asked, OwnedRead).there)
        # Removed as of the revision that was seen: a newer one that following brought meanwhile stays.
        return [
            Removal(each.type, each.name, each.uid, each.revision + 1, 0)
            for index, each in enumerate(page)
            if index not in there
        ]

    def _done(self, place: ReadCopyNamespace, source: CopySource) -> CopySource:
        ended = replace(
            source,
            stage=READ_COPY.after(source.stage, CopyEvent.COPY_READ),
            cursor="",
            compared_at=self._clock.now(),
        )
        return self._copies.note(place.namespace, ended)

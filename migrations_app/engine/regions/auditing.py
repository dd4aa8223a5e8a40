"""The audit of read copies: every one that is due is here as its owner has it, and there are no others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from migrations_app.engine.constraints.open_attempts import ConstraintFinding
from migrations_app.engine.regions.messages import (
    MOST_LISTED,
    CopyEntry,
    ListOwned,
    OwnedListed,
    OwnedRead,
    ReadOwned,
)
from migrations_app.engine.regions.places import Away, ReadCopyNamespace
from migrations_app.ports.copies import Copies
from migrations_app.ports.regions.directory import Directory
from migrations_app.ports.regions.peers import Peer, Peers
from migrations_app.ports.store import Store


class CopyAuditing:
    """Compares what a deployment keeps copies of with what its owners have, by name, uid and revision."""

    def __init__(
        self,
        ports: tuple[Store, Copies, Directory, Peers],
        regions: Callable[[str], Sequence[str]],
    ) -> None:
        self._store, self._copies, self._directory, self._peers = ports
        self._regions = regions

    def audit(self, here: Peer) -> Iterator[ConstraintFinding]:
        """Find copies that are `lacking`, `stale`, or `extra`; `unknown` where an owner does not answer.

        What was written a moment ago may be told as stale: look again.
        """
        served = self._directory.served(here.region, here.service)
        for region in self._regions(here.service):
            for version, namespace in served.namespaces.items():
                if region == here.region or not self._store.types(namespace):
                    continue
                place = ReadCopyNamespace(here, Peer(here.service, region), version, namespace)
                try:
                    yield from self._lacking(place)
                    yield from self._extra(place)
                except Away as away:
                    yield _finding(place, "", "unknown", str(away.words))

    def _lacking(self, place: ReadCopyNamespace) -> Iterator[ConstraintFinding]:
        after, types = "", set(self._store.types(place.namespace))
        while True:
            listed = place.ask(self._peers, "listOwned", ListOwned(place.version, after), OwnedListed)
            for type_ in sorted({each.type for each in listed.entries} & types):
                mine = [each for each in listed.entries if each.type == type_]
                names = [each.name for each in mine]
                known = self._copies.known(place.namespace, place.there.region, type_, names)
                for each in mine:
                    if known.get(each.name) != each.revision:
                        yield _finding(place, each.name, "stale" if each.name in known else "lacking")
            if not listed.next:
                return
            after = listed.next

    def _extra(self, place: ReadCopyNamespace) -> Iterator[ConstraintFinding]:
        for type_ in sorted(self._store.types(place.namespace)):
            after = ""
            while page := self._copies.held(place.namespace, place.there.region, type_, after, MOST_LISTED):
                things = tuple(CopyEntry(each.type, each.name, each.uid) for each in page)
                asked = ReadOwned(place.version, things, bodies=False)
                there = set(place.ask(self._peers, "readOwned", asked, OwnedRead).there)
                for index, each in enumerate(page):
                    if index not in there:
                        yield _finding(place, each.name, "extra")
                after = page[-1].name


def _finding(place: ReadCopyNamespace, name: str, what: str, reason: str = "") -> ConstraintFinding:
    copy = f"//{place.here.service}/{place.here.region}/{name}"
    return ConstraintFinding(copy, f"//{place.there.service}/{place.there.region}/{name}", "", what, reason)

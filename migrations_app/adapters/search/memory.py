"""The search index in memory: the twin of the one on PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Sequence

from migrations_app.adapters.store.listing import parent_pattern
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.search import SearchEntry, SearchTerms
from migrations_app.ports.store import Query, Store, StoredResource

Key = tuple[str, str]


class MemorySearch:
    """Keeps the indexes of a store's namespaces."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[Key, dict[Key, SearchEntry]] = {}

    def put(self, namespace: Namespace, type: str, entries: Sequence[SearchEntry]) -> None:
        """Index resources."""
        kept = self._of(namespace)
        for each in entries:
            known = kept.get((type, each.name))
            if known is None or known.revision < each.revision:
                kept[type, each.name] = each

    def remove(self, namespace: Namespace, type: str, names: Sequence[str]) -> None:
        """Take out those of the names that are no resources any more."""
        there = self._store.read(namespace).batch_get(type, names)
        for name in names:
            if name not in there:
                self._of(namespace).pop((type, name), None)

    def behind(self, namespace: Namespace, type: str, limit: int = 1000) -> tuple[str, ...]:
        """Name resources that are not indexed, or at an older revision."""
        kept = self._of(namespace)
        known = {name: entry.revision for (kind, name), entry in kept.items() if kind == type}
        found = [each.name for each in self._all(namespace, type) if known.get(each.name, 0) < each.revision]
        return tuple(found[:limit])

    def remove_lost(self, namespace: Namespace, type: str) -> int:
        """Take out whatever is no resource any more."""
        there = {each.name for each in self._all(namespace, type)}
        lost = [key for key in self._of(namespace) if key[0] == type and key[1] not in there]
        for key in lost:
            del self._of(namespace)[key]
        return len(lost)

    def find(self, namespace: Namespace, sought: SearchTerms) -> tuple[str, ...]:
        """Find names."""
        below = re.compile(parent_pattern(sought.parent) if sought.parent else "")
        found = [
            name
            for (type_, name), entry in self._of(namespace).items()
            if type_ == sought.type
            and name.encode() > sought.after.encode()
            and below.search(name)
            and all(_holds(entry, word) for word in sought.words)
        ]
        return tuple(sorted(found, key=str.encode)[: sought.limit])

    def _of(self, namespace: Namespace) -> dict[Key, SearchEntry]:
        return self._kept.setdefault((namespace.database, namespace.schema), {})

    def _all(self, namespace: Namespace, type_: str) -> tuple[StoredResource, ...]:
        return self._store.read(namespace).list(Query(type_, limit=1_000_000)).resources


def _holds(entry: SearchEntry, word: str) -> bool:
    if word.endswith("*"):
        return any(each.startswith(word[:-1]) for each in entry.words)
    return word in entry.words

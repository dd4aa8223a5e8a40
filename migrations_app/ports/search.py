"""The search index of a namespace: which words stand in which resource, as of which revision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from migrations_app.ports.namespaces import Namespace


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """The words of one resource, each once, as `domain.schema.words` finds them."""

    name: str
    revision: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """What is sought: resources of a type under a parent that hold every word; `ham*` is the begin of one.

    `parent` is a name whose segments may be `-`; empty means everywhere.
    """

    type: str
    words: tuple[str, ...]
    parent: str = ""
    after: str = ""
    limit: int = 100


class Search(Protocol):
    """Keeps the index of each namespace beside it. Only newer revisions replace what is there."""

    def put(self, namespace: Namespace, type: str, entries: Sequence[SearchEntry]) -> None:
        """Index resources; what is known at this revision or a newer one stays."""
        ...

    def remove(self, namespace: Namespace, type: str, names: Sequence[str]) -> None:
        """Take out those of the names that are no resources any more."""
        ...

    def behind(self, namespace: Namespace, type: str, limit: int = 1000) -> tuple[str, ...]:
        """Name resources that are not indexed, or at an older revision."""
        ...

    def remove_lost(self, namespace: Namespace, type: str) -> int:
        """Take out whatever is no resource any more; tell how many."""
        ...

    def find(self, namespace: Namespace, sought: SearchTerms) -> tuple[str, ...]:
        """Find names, in the order of their bytes."""
        ...

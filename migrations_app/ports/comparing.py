"""Comparing two namespaces page by page where their data lie, so that only what seems to differ is brought here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from migrations_app.ports.conversions import Converter
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import KeyRange


@dataclass(frozen=True, slots=True)
class ComparedPage:
    """What looking at one page came to.

    `suspects` are the names, with their revisions, of the resources that seemed to differ: writes go on meanwhile, so
    the caller looks at them again. Everything else on the page is equal. `last` is the name to go on after, `more`
    whether there is anything after it. `pushed` tells that the database converted.

    Where both ways were looked at at once, `extras` are the names, with their revisions, that the other side seems to
    have too much, and `losses` counts what the rollback would lose of the page; else both are None.
    """

    read: int
    last: str
    more: bool
    suspects: Mapping[str, int] = field(default_factory=dict)
    pushed: bool = False
    extras: Mapping[str, int] | None = None
    losses: int | None = None


@dataclass(frozen=True, slots=True)
class CountedPage:
    """How many resources of one page keep something in a bag once they are converted, or have no image at all."""

    read: int
    last: str
    more: bool
    losses: int


@dataclass(frozen=True, slots=True)
class CountedRange:
    """What a page of a type, behind a name, was counted to while it was compared."""

    type: str
    after: str
    page: CountedPage


class PageComparator(Protocol):
    """Compares pages. Each call is one look, without locks; it says nothing about what is written later.

    None where a page cannot be compared this way; then it has to be read and compared resource by resource.
    """

    def compare_page(
        self, source: Namespace, target: Namespace, key_range: KeyRange, converter: Converter
    ) -> ComparedPage | None:
        """Hold what a page of the source converts to beside what the target has under these names.

        A suspect is what the target lacks, what has another uid, revision or document there, and what does not convert.
        """
        ...

    def keeps_names(self, source: Namespace, target: Namespace, there: Converter, back: Converter) -> bool:
        """Tell whether the database can convert both ways, and names, shards and the database stay the same."""
        ...

    def compare_both_ways(
        self, source: Namespace, target: Namespace, key_range: KeyRange, there: Converter, back: Converter
    ) -> ComparedPage | None:
        """Compare a page, look for what the target has too much up to its last name, and count its losses, in one look.

        Asked only where `keeps_names` holds. Behind the last page, extras are looked for to the end of the shard. None
        also where there are far more of them than one look should read.
        """
        ...

    def absent_page(
        self, namespace: Namespace, other: Namespace, key_range: KeyRange, back: Converter
    ) -> ComparedPage | None:
        """Look up the counterparts of a page in the other namespace by their names; a suspect is what has none there,
        and what no name alone can tell."""
        ...

    def count_page(self, namespace: Namespace, key_range: KeyRange, back: Converter) -> CountedPage | None:
        """Count what of a page keeps something in a bag when it is converted."""
        ...

    def count_return_page(
        self, namespace: Namespace, key_range: KeyRange, there: Converter, back: Converter
    ) -> CountedPage | None:
        """Count what of a page keeps something in a bag when it is converted there and back again.

        That is what the other side, filled from this page, loses on the rollback. None also where names change.
        """
        ...

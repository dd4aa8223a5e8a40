"""Who refers to a resource, in numbers and in pages: a million referrers are counted, not listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from migrations_app.domain.regions.placement import region_of
from migrations_app.kernel.errors import Invalid
from migrations_app.ports.stored import ReferenceKind


@dataclass(frozen=True, slots=True)
class ReferenceTarget:
    """A resource as references name it: by the names it has in the versions of its service, and its region."""

    service: str
    region: str
    names: tuple[str, ...]

    @property
    def matching(self) -> tuple[str, ...]:
        """The names that may mean this resource: a name that tells a region tells its own."""
        return tuple(name for name in self.names if _named_region(name) in ("", self.region))

    @property
    def located(self) -> tuple[str, ...]:
        """The names that tell the region themselves, whatever the reference says of it."""
        return tuple(name for name in self.names if _named_region(name) == self.region)


@dataclass(frozen=True, slots=True)
class ReferrerCount:
    """How many references to a resource stand at one path of one type, by one rule."""

    type: str
    path: str
    kind: ReferenceKind
    count: int


@dataclass(frozen=True, slots=True)
class ReferrerRow:
    """One reference in a page: who refers, the number of the reference in it, and where it stands."""

    name: str
    ordinal: int
    path: str


@dataclass(frozen=True, slots=True)
class ReferrerPage:
    """Which referrers are asked for: of one type and rule, at paths that match a pattern, after a row."""

    type: str
    kind: ReferenceKind
    pattern: str
    after: tuple[str, int] = ("", -1)
    limit: int = 100


class ReferrerQueries(Protocol):
    """Answers about the referrers of one namespace, by the index on targets."""

    def referrer_counts(self, target: ReferenceTarget, most: int) -> Sequence[ReferrerCount]:
        """Count who refers to a resource, by type, path and rule; at most `most` references are counted."""
        ...

    def referrer_page(self, target: ReferenceTarget, page: ReferrerPage) -> Sequence[ReferrerRow]:
        """List who refers to a resource, by name and number.

        The pattern is a regular expression that the whole path matches, of what PostgreSQL and Python share.
        """
        ...


def _named_region(name: str) -> str:
    try:
        return region_of(name) or ""
    except Invalid:
        return ""

"""How far a permission reaches: the deployments, services and regions that the roles of an account cover."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

EVERYWHERE = ("*", "*")
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Reach:
    """What lists may show to an account: pairs of a service glob and a region glob; without any, nothing.

    It is the same rule by which a single thing is shown or refused: `Grant.covers`.
    """

    pairs: frozenset[tuple[str, str]] = frozenset()

    @property
    def everywhere(self) -> bool:
        """Tell whether nothing is left out."""
        return EVERYWHERE in self.pairs

    def covers(self, service: str = "", region: str = "") -> bool:
        """Tell whether something of a service and region is within it; what names neither is not bound by places."""
        return self.everywhere or any(
            (not service or fnmatchcase(service, services)) and (not region or fnmatchcase(region, regions))
            for services, regions in self.pairs
        )

    def meets(self, service: str, region: str) -> bool:
        """Tell whether a scope of globs may hold something that is within it: what a rule there is about."""
        return any(
            overlaps(service, services) and overlaps(region, regions) for services, regions in self.pairs
        )


ALL = Reach(frozenset({EVERYWHERE}))


def lies_within(glob: str, of: str) -> bool:
    """Tell whether everything that one glob names, another names too; false where that is not plain to see."""
    if of in ("*", glob):
        return True
    if not _WILD.search(glob):
        return fnmatchcase(glob, of)
    return of.endswith("*") and not _WILD.search(of[:-1]) and glob.startswith(of[:-1])


def overlaps(one: str, other: str) -> bool:
    """Tell whether a name may match two globs; false only where their beginnings or their ends forbid it."""
    if not _WILD.search(one):
        return fnmatchcase(one, other)
    if not _WILD.search(other):
        return fnmatchcase(other, one)
    starts = [_WILD.split(glob)[0] for glob in (one, other)]
    ends = [re.split(r"[*?\]]", glob)[-1] for glob in (one, other)]
    return _agree(starts[0], starts[1], str.startswith) and _agree(ends[0], ends[1], str.endswith)


def _agree(one: str, other: str, holds: Callable[[str, str], bool]) -> bool:
    return holds(one, other) or holds(other, one)

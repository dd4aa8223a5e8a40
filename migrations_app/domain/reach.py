"""How far a permission reaches: the deployments, services and regions that somebody's roles cover."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

EVERYWHERE = ("*", "*")
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Reach:
    """What lists may show to somebody: pairs of a service glob and a region glob; without any, nothing.

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


ALL = Reach(frozenset({EVERYWHERE}))


def lies_within(glob: str, of: str) -> bool:
    """Tell whether everything that one glob names, another names too; false where that is not plain to see."""
    if of in ("*", glob):
        return True
    if not _WILD.search(glob):
        return fnmatchcase(glob, of)
    return of.endswith("*") and not _WILD.search(of[:-1]) and glob.startswith(of[:-1])

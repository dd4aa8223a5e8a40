"""Whether the namespace an upgrade fills has the read copies that the one it leaves has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from migrations_app.ports.copies import ComparisonStage, Copies, CopiesLeft, CopySource
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.peers import Peer

MOST_BEHIND = timedelta(seconds=10)
"""So much older the copies of the one may be than those of the other."""


class CopyLevels:
    """`ports.copies.Levels`: compares where two namespaces of one deployment stand with the regions they keep copies of."""

    def __init__(self, copies: Copies, regions: Callable[[str], Sequence[str]]) -> None:
        self._copies, self._regions = copies, regions

    def left(self, origin: Namespace, passive: Namespace) -> CopiesLeft:
        """Tell whose copies would be missed, or be older, in the one that is filled."""
        found = {each.region: each for each in self._copies.sources(passive)}
        missing = [
            each.region
            for each in self._copies.sources(origin)
            if not _is_level(found.get(each.region), each)
        ]
        serving = self._regions(Peer.parse(origin.deployment).service)
        return CopiesLeft(
            tuple(each for each in missing if each in serving),
            tuple(each for each in missing if each not in serving),
        )


def _is_level(filled: CopySource | None, left: CopySource) -> bool:
    if filled is None or filled.stage is not ComparisonStage.FOLLOW or filled.level_at is None:
        # Where nothing was ever heard of a region there is nothing to miss.
        return left.compared_at is None
    return left.level_at is None or left.level_at - filled.level_at <= MOST_BEHIND

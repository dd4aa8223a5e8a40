"""A watch of shadows, for people: they are read again every second, and what differs is told.

Shadows are not in the change feed: what refers to a resource changes nothing of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from migrations_app.domain.watches import Wording
from migrations_app.kernel.errors import Busy, NotFound
from migrations_app.kernel.json import Json, JsonObject

EVERY_SECONDS = 1.0


class ShadowWatch:
    """The shadows that `listed` gives: first all of them, then what was added, modified or removed."""

    def __init__(
        self, listed: Callable[[], Sequence[JsonObject]], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._listed, self._now = listed, now
        self._wording = Wording(singular="resourceShadow", test=lambda _: True, cut=lambda document: document)
        self._known: dict[str, JsonObject] = {}
        self._first: JsonObject | None = None
        self._looked_at = 0.0

    def begin(self) -> None:
        """Read all shadows for the first message.

        Raises: what `listed` raises.
        """
        added: list[Json] = [*self._changes(self._look())]
        self._first = self._wording.message(added, is_current=True, snapshotSize=len(self._known))

    def step(self) -> JsonObject | None:
        """Give the first message, or what differs from what was told; None when nothing does."""
        first, self._first = self._first, None
        if first is not None:
            return first
        if self._now() - self._looked_at < EVERY_SECONDS:
            return None
        try:
            shadows = self._look()
        except Busy:
            return None  # The data are away; they are asked again.
        except NotFound:
            shadows = {}  # The one that is watched by its name is gone.
        changes: list[Json] = [*self._changes(shadows)]
        return self._wording.message(changes, is_current=True) if changes else None

    def beat(self) -> JsonObject:
        """Say that the watch lives, and how many shadows were told."""
        return self._wording.message([], is_current=True, snapshotSize=len(self._known))

    def _look(self) -> dict[str, JsonObject]:
        self._looked_at = self._now()
        return {str(shadow["name"]): shadow for shadow in self._listed()}

    def _changes(self, shadows: dict[str, JsonObject]) -> list[JsonObject]:
        known, self._known = self._known, shadows
        changes = [self._wording.added(shadow) for name, shadow in shadows.items() if name not in known]
        changes += [
            self._wording.modified(shadow)
            for name, shadow in shadows.items()
            if name in known and known[name] != shadow
        ]
        return changes + [self._wording.removed(name) for name in known if name not in shadows]

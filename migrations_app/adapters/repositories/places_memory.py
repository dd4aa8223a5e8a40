"""The namespaces of all deployments, in memory."""

from __future__ import annotations

from collections.abc import Sequence

from migrations_app.ports.namespaces import Namespace


class MemoryPlaces:
    """`ports.places.Places` without a database: what the caller puts into `used` and `left`, and what was prepared."""

    def __init__(self) -> None:
        self.used: list[Namespace] = []
        self.left: list[Namespace] = []
        self._prepared: set[tuple[str, str]] = set()

    def in_use(self) -> Sequence[Namespace]:
        return tuple(self.used)

    def left_over(self) -> Sequence[Namespace]:
        return tuple(self.left)

    def dropped(self, namespace: Namespace) -> None:
        place = (namespace.database, namespace.schema)
        self.used = [each for each in self.used if (each.database, each.schema) != place]
        self.left = [each for each in self.left if (each.database, each.schema) != place]
        self._prepared.discard(place)

    def is_prepared(self, namespace: Namespace) -> bool:
        return (namespace.database, namespace.schema) in self._prepared

    def note_prepared(self, *namespaces: Namespace) -> None:
        self._prepared.update((each.database, each.schema) for each in namespaces)
